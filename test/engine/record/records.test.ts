import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call, Place } from '../../../src/engine/kernel/calls.js';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import { CpuPool } from '../../../src/engine/parts/cpu-pool.js';
import { Host } from '../../../src/engine/parts/host.js';
import { Lock } from '../../../src/engine/parts/locks.js';
import { shortened } from '../../../src/engine/record/columns.js';
import { HostRecord } from '../../../src/engine/record/host-record.js';
import { Level } from '../../../src/engine/record/level.js';
import { lockRecords } from '../../../src/engine/record/lock-record.js';
import { PhaseCuts } from '../../../src/engine/record/phase-cuts.js';
import { PhasedHistogram } from '../../../src/engine/record/phased-histogram.js';
import { TimeAbove } from '../../../src/engine/record/time-above.js';
import { TrafficRecord } from '../../../src/engine/record/traffic-record.js';
import { warningsOf } from '../../../src/engine/record/warnings.js';
import { planOf } from '../../../src/engine/plan/planner.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { at } from '../../../src/study/columns.js';
import { scenario } from '../../support/simulated.js';

const second = 1e9;
const phases = [{ name: 'early', fromMs: 0, toMs: 2000 }, { name: 'late', fromMs: 1000, toMs: 4000 }];
/** A clock that a test moves by hand. */
const world = () => {
  const queue = new EventQueue();
  const cuts = new PhaseCuts(phases, 5 * second);
  return { queue, cuts, goTo: (seconds: number): void => void (queue.now = seconds * second) };
};

describe('a level', () => {
  it('is integrated over time, across ticks', () => {
    const level = new Level();
    level.set(3, 0.5 * second);
    level.set(1, 0.8 * second);
    expect(level.tickMean(second)).toBeCloseTo(3 * 0.3 + 0.2, 12);
    level.nextTick(second);
    level.set(0, 1.25 * second);
    expect(level.tickMean(2 * second)).toBeCloseTo(0.25, 12);
    expect(level.integralAt(3 * second)).toBeCloseTo((3 * 0.3 + 0.45) * second, 0);
  });
});

describe('the time in which something is above 0', () => {
  it('is told as a share of each tick', () => {
    const above = new TimeAbove();
    above.set(3, 0.5 * second);
    above.set(1, 0.8 * second);
    expect(above.tickShare(second)).toBeCloseTo(0.5, 12);
    above.nextTick(second);
    above.set(0, 1.25 * second);
    expect(above.tickShare(2 * second)).toBeCloseTo(0.25, 12);
    above.nextTick(2 * second);
    expect(above.tickShare(3 * second)).toBe(0);
  });
});

describe('a cell of a column', () => {
  it('keeps whole numbers below ten millions, and four digits of everything else, as toPrecision does', () => {
    expect([0, 7, -3, 9_999_999].map(shortened)).toEqual([0, 7, -3, 9_999_999]);
    const size = fc.tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -20, max: 20 })).map(([digits, power]) => digits * 10 ** power);
    const tie = fc.tuple(fc.integer({ min: 1000, max: 9999 }), fc.integer({ min: -12, max: 12 })).map(([digits, power]) => (digits + 0.5) * 10 ** power);
    fc.assert(
      fc.property(fc.oneof(size, tie, fc.double({ noNaN: true, noDefaultInfinity: true })), fc.boolean(), (value, isNegative) => {
        const signed = isNegative ? -value : value;
        expect(shortened(signed)).toBe(Number.isInteger(signed) && Math.abs(signed) < 1e7 ? signed : Number(signed.toPrecision(4)));
      }),
      { numRuns: 20_000, seed: 20_261_130 },
    );
  });
});

const aCall = (): Call => new Call(new Place(0, null));

describe('a lock in the study', () => {
  const locks = (perInstance: readonly boolean[]) => {
    const { queue, cuts, goTo } = world();
    const made = perInstance.map((own, index) => new Lock({ index, name: 'db.row', service: 0, perInstance: own, timeoutReason: 0 }, queue, new PhasedHistogram(queue, cuts)));
    return { made, goTo, records: lockRecords(made, 5) };
  };

  it('is saturated when somebody waits for nearly all of three ticks of five', () => {
    const { made: [lock], goTo, records: [record] } = locks([false]);
    const [holder, waiter] = [aCall(), aCall()];
    lock.take(holder, 7, 0);
    goTo(0.04);
    waiter.waitingNs = 0.04 * second;
    lock.take(waiter, 7, 0);
    const begun = [1, 2, 3].map((seconds) => (goTo(seconds), record.endTick(seconds - 1, seconds * second), record.begun));
    expect(begun.map((what) => what.length)).toEqual([0, 0, 1]);
    expect(begun[2][0]).toMatchObject({ what: 'lock', sinceTick: 0, level: 1, limit: 1 });
    expect(at(record.tickColumns().waiting.mean, 0)).toBeCloseTo(0.96, 3);
  });

  it('tells waits by the phase in which they ended', () => {
    const { made: [lock], goTo, records: [record] } = locks([false]);
    const [holder, waiter] = [aCall(), aCall()];
    lock.take(holder, 7, 0);
    waiter.waitingNs = 0;
    lock.take(waiter, 7, 0);
    goTo(2.5);
    lock.release(7, 0);
    expect(record.phaseTotals(phases[0]).waitMs).toBeNull();
    expect(record.phaseTotals(phases[1]).waitMs).toMatchObject({ count: 1, mean: 2500 });
    expect(record.totals(5 * second)).toMatchObject({ taken: 2, waited: 1, waitMs: { mean: 2500 } });
  });

  it('is one row whether instances share it or not', () => {
    const { made, goTo, records } = locks([false, true]);
    expect(records.map(({ name }) => name)).toEqual(['db.row']);
    for (const lock of made) lock.take(aCall(), 7, 0);
    goTo(1);
    records[0].endTick(0, second);
    expect(at(records[0].tickColumns().held.mean, 0)).toBe(2);
    expect(records[0].totals(second).taken).toBe(2);
  });
});

describe('a host in the study', () => {
  it('is saturated by its memory, whoever holds it', () => {
    const { queue, goTo } = world();
    const host = new Host('box', new CpuPool(queue, 4), 1000);
    const record = new HostRecord(host, 5);
    host.memoryChanged(960, 0);
    const begun = [1, 2, 3].map((seconds) => (goTo(seconds), record.endTick(seconds - 1, second, seconds * second), record.begun));
    expect(begun[2]).toEqual([{ what: 'memory', sinceTick: 0, level: 960, limit: 1000 }]);
    expect(record.totals(3 * second).memoryBytes).toEqual({ mean: 960, max: 960 });
  });
});

describe('a traffic in the study', () => {
  const plan = (source: string) => planOf(parseScenario(scenario(`
    duration: 5s
    services: { api: { handlers: { ask: [{ wait: 1ms }] } } }
    traffic: { users: { to: api, send: ask, ${source} } }`), { file: 'test.yaml' }).variants[0]);

  const record = (source: string) => {
    const { queue, cuts, goTo } = world();
    const { sources: [users], reasons } = plan(source);
    return { traffic: new TrafficRecord(queue, cuts, users, 5, second, reasons.texts), goTo };
  };

  it('counts what was never offered apart, by phase and tick', () => {
    const { traffic } = record('open: { rate: 1/s }, limit: 1');
    traffic.offered(0);
    traffic.dropped(0);
    traffic.endTick(0, null);
    traffic.dropped(1);
    traffic.dropped(2);
    traffic.endTick(1, null);
    expect(traffic.totals(5 * second)).toMatchObject({ offered: 1, dropped: 3 });
    expect(traffic.phaseTotals(phases[0])).toMatchObject({ offered: 1, dropped: 2 });
    expect(traffic.phaseTotals(phases[1]).dropped).toBe(2);
    expect([0, 1, 2].map((tick) => at(traffic.tickColumns().dropped, tick))).toEqual([1, 2, 0]);
  });

  it('has deliveries and open sockets only with sockets', () => {
    const open = record('open: { rate: 1/s }').traffic;
    open.endTick(0, null);
    expect(open.tickColumns()).toMatchObject({ present: null, deliveries: null });
    expect(open.totals(second).deliveries).toBeNull();
    const { traffic, goTo } = record('sockets: { connect: 1/s, hold: 10s, max: 5, every: 1s }');
    traffic.delivered(true);
    traffic.endTick(0, 2);
    goTo(3);
    traffic.delivered(true);
    traffic.delivered(false);
    expect(traffic.totals(5 * second).deliveries).toEqual({ made: 2, missed: 1 });
    expect(traffic.phaseTotals(phases[1]).deliveries).toEqual({ made: 1, missed: 1 });
    expect(at(traffic.tickColumns().present!, 0)).toBe(2);
  });

  it('warns where the generator could not make the load, and only there', () => {
    const { traffic } = record('open: { rate: 1/s }, limit: 1');
    for (let i = 0; i < 3; i++) traffic.offered(2);
    traffic.dropped(2);
    const of = (name: string) => [name, { fromMs: 0, toMs: 1, traffic: { users: traffic.phaseTotals(phases.find((phase) => phase.name === name)!) }, links: {}, locks: {} }] as const;
    const warnings = warningsOf([], { users: traffic.totals(5 * second) }, Object.fromEntries([of('early'), of('late')]));
    expect(warnings).toEqual([
      { kind: 'dropped', subject: 'users', phase: null, data: { dropped: 1, share: 0.25 } },
      { kind: 'dropped', subject: 'users', phase: 'late', data: { dropped: 1, share: 0.25 } },
    ]);
  });
});
