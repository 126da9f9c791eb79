import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import { pick } from '../../../src/engine/kernel/keyed-draws.js';
import { Pool } from '../../../src/engine/parts/pool.js';
import type { PoolPlan } from '../../../src/engine/plan/plan.js';

const plan = (max: number, reuse = Infinity, tracksConnections = true): PoolPlan => ({ max, pending: Infinity, waitNs: Infinity, reuse, handshake: null, tracksConnections });
const poolOf = (max: number, { reuse = Infinity, targets = 3, tracks = true } = {}): Pool => new Pool(new EventQueue(), plan(max, reuse, tracks), targets);

/** Takes one that must be new; its number. */
const opened = (pool: Pool, target: number): number => {
  expect(pool.take(target)).toBe(-1);
  return pool.lastTaken;
};

describe('a pool of connections', () => {
  it('opens one when none is idle to the target, and takes an idle one otherwise', () => {
    const pool = poolOf(5);
    const first = opened(pool, 0);
    const second = opened(pool, 0);
    expect(second).not.toBe(first);
    pool.give(first);
    opened(pool, 1);
    expect(pool.take(0)).toBe(first);
    expect(pool.lastTaken).toBe(first);
    expect(pool.inUse.value).toBe(3);
  });
  it('rule 22: takes the one used last first, and closes none for idleness', () => {
    const pool = poolOf(5);
    const [a, b, c] = [0, 0, 0].map((target) => opened(pool, target));
    for (const connection of [b, a, c]) pool.give(connection);
    expect([pool.take(0), pool.take(0), pool.take(0)]).toEqual([c, a, b]);
  });
  it('has room until `max` are in use, whatever is idle', () => {
    const pool = poolOf(2);
    expect(pool.hasRoom).toBe(true);
    const first = opened(pool, 0);
    opened(pool, 1);
    expect(pool.hasRoom).toBe(false);
    pool.give(first);
    expect(pool.hasRoom).toBe(true);
    pool.promised++;
    expect(pool.hasRoom).toBe(false);
  });
  it('closes the one that has been idle longest, to another target, when all are open', () => {
    const pool = poolOf(3);
    const [a, b, c] = [0, 1, 1].map((target) => opened(pool, target));
    for (const connection of [b, a, c]) pool.give(connection);
    opened(pool, 2); // closes b
    expect(pool.take(1)).toBe(c);
    expect(pool.take(0)).toBe(a);
    pool.give(a);
    opened(pool, 1); // closes a
    pool.give(c);
    expect(pool.take(1)).toBe(c);
  });
  it('closes a connection after `reuse` requests', () => {
    const pool = poolOf(2, { reuse: 2 });
    const first = opened(pool, 0);
    pool.give(first);
    expect(pool.take(0)).toBe(first);
    pool.give(first);
    opened(pool, 0);
    expect(pool.inUse.value).toBe(1);
  });
  it('opens one for every request with `reuse: 1`', () => {
    const pool = poolOf(1, { reuse: 1 });
    for (let i = 0; i < 5; i++) pool.give(opened(pool, 0));
  });
  it('rule 19: never uses a closed one again, and its place is free', () => {
    const pool = poolOf(1);
    pool.close(opened(pool, 0));
    expect(pool.hasRoom).toBe(true);
    opened(pool, 0);
  });
  it('drops idle connections to a target at once, and used ones when their request ends', () => {
    const pool = poolOf(4);
    const [idle, used, other] = [0, 0, 1].map((target) => opened(pool, target));
    pool.give(idle);
    pool.give(other);
    pool.dropTarget(0);
    const fresh = opened(pool, 0);
    pool.give(used);
    pool.give(fresh);
    expect(pool.take(0)).toBe(fresh);
    opened(pool, 0);
    expect(pool.take(1)).toBe(other);
  });
  it('begins empty in a new process', () => {
    const pool = poolOf(2);
    pool.give(opened(pool, 0));
    opened(pool, 1);
    pool.waiting.add(3, 0);
    pool.promised = 1;
    pool.reset();
    expect([pool.inUse.value, pool.waiting.value, pool.hasRoom]).toEqual([0, 0, true]);
    opened(pool, 0);
    opened(pool, 1);
    expect(pool.hasRoom).toBe(false);
  });
  it('grows without a bound of its own', () => {
    const pool = poolOf(Infinity, { targets: 1 });
    const numbers = Array.from({ length: 1000 }, () => opened(pool, 0));
    expect(new Set(numbers).size).toBe(1000);
    for (const connection of numbers) pool.give(connection);
    expect(numbers.map(() => pool.take(0))).toEqual(numbers.reverse());
  });

  it('does what a plain model of it does, whatever comes', () => {
    const targets = 4;
    for (const [max, reuse] of [[1, Infinity], [3, 4], [6, 2], [9, Infinity]]) {
      const pool = poolOf(max, { reuse, targets });
      const model = new PlainPool(max, reuse);
      const inUse: [number, PlainConnection][] = [];
      const drawn = (n: number, at: number): number => pick(n, max, at, 0, 0);
      for (let at = 0; at < 4000; at++) {
        const what = drawn(20, 4 * at);
        if (what < 10 && pool.hasRoom) {
          const target = drawn(targets, 4 * at + 1);
          const taken = pool.take(target);
          const { connection, isNew } = model.take(target);
          if ((taken < 0) !== isNew) expect.fail(`step ${at}: new is ${isNew}`);
          if (isNew) connection.number = pool.lastTaken;
          else if (taken !== connection.number) expect.fail(`step ${at}: took ${taken}, not ${connection.number}`);
          inUse.push([pool.lastTaken, connection]);
        } else if (what < 19 && inUse.length > 0) {
          const [[number, connection]] = inUse.splice(drawn(inUse.length, 4 * at + 2), 1);
          if (what === 18) pool.close(number);
          else pool.give(number);
          if (what !== 18) model.give(connection);
        } else {
          const target = drawn(targets, 4 * at + 3);
          pool.dropTarget(target);
          model.drop(target, inUse.map(([, connection]) => connection));
        }
        if (pool.inUse.value !== inUse.length || pool.hasRoom !== inUse.length < max) expect.fail(`step ${at}: ${pool.inUse.value} in use, not ${inUse.length}`);
        model.inUse = inUse.length;
      }
    }
  });

  describe('without single connections', () => {
    it('only counts places', () => {
      const pool = poolOf(2, { tracks: false });
      expect([pool.take(0), pool.lastTaken]).toEqual([-1, 0]);
      expect([pool.take(1), pool.lastTaken]).toEqual([-1, 0]);
      expect(pool.hasRoom).toBe(false);
      pool.give(0);
      expect([pool.hasRoom, pool.take(2), pool.inUse.value]).toEqual([true, 0, 2]);
      pool.close(0);
      expect([pool.take(2), pool.inUse.value]).toEqual([-1, 2]);
    });
  });
});

interface PlainConnection {
  number: number;
  readonly target: number;
  uses: number;
  isDoomed: boolean;
}

/** Idle connections in a plain list, the one used last at its end. */
class PlainPool {
  inUse = 0;
  private idle: PlainConnection[] = [];

  constructor(private readonly max: number, private readonly reuse: number) {}

  take(target: number): { connection: PlainConnection; isNew: boolean } {
    const at = this.idle.findLastIndex((connection) => connection.target === target);
    if (at >= 0) return { connection: this.idle.splice(at, 1)[0], isNew: false };
    if (this.inUse + this.idle.length >= this.max) this.idle.shift();
    return { connection: { number: -1, target, uses: 0, isDoomed: false }, isNew: true };
  }

  give(connection: PlainConnection): void {
    connection.uses++;
    if (connection.uses < this.reuse && !connection.isDoomed) this.idle.push(connection);
  }

  drop(target: number, inUse: readonly PlainConnection[]): void {
    this.idle = this.idle.filter((connection) => connection.target !== target);
    for (const connection of inUse) if (connection.target === target) connection.isDoomed = true;
  }
}
