import { describe, expect, it } from 'vitest';
import type { SimulatedRun } from '../../../src/study/types.js';
import { cells, eventsOf, scenario, simulated, total } from '../../support/simulated.js';

/** Ten sockets, one each 100 ms from 0 on, for 60 s, over `lb` to `app`; `post` at 5 s pushes to them. */
const chat = ({ app = '', lb = '', push = 'count: 100', keys = '', sockets = 'max: 10', faults = '{}', post = 'app' } = {}): SimulatedRun =>
  simulated(scenario(`
    duration: 20s
    tick: 100ms
    services:
      lb: { ${lb} to: { app: { policy: round-robin } } }
      app: { ${app} handlers: { hello: [{ decline: hi }], say: [{ wait: { assumed: 1ms, cv: 0 } }], post: [{ push: chat, ${push} }] } }
    faults: ${faults}
    traffic:
      chat: { to: lb, send: say, ${keys} sockets: { connect: 10/s, hold: { assumed: 60s, cv: 0 }, every: { assumed: 1s, cv: 0 }, ${sockets} } }
      posts: { to: ${post}, send: post, ${keys} start: 5s, stop: 5001ms, open: { rate: 1/s, arrivals: even } }
  `));
const atEnd = (run: SimulatedRun, service: string, tick = 49): number[] => run.ticks.services[service].instances.map(({ connections }) => cells(run, connections)[tick]);

describe('sockets', () => {
  it('each is pinned to one instance, and everybody that passes it on holds a connection', () => {
    const run = chat({ app: 'instances: 2,' });
    expect(atEnd(run, 'lb')).toEqual([10]);
    expect(atEnd(run, 'app')).toEqual([5, 5]);
    // All messages of a socket go where its first one went: those of five each.
    const [first, second] = run.services['app'].instances.map(({ arrived }) => arrived);
    expect(Math.abs(first - second)).toBeLessThanOrEqual(1 + 5);
  });
  it('a connection takes memory at every service that holds it, and too many of them are an OOM kill', () => {
    const held = chat({ app: 'memory: { base: 10MiB, perConnection: 3MiB, limit: 100MiB },', lb: 'memory: { base: 1MiB, perConnection: 2MiB, limit: 100MiB },' });
    expect(cells(held, held.ticks.services['app'].instances[0].memoryBytes.end)[49] / 2 ** 20).toBeCloseTo(40, 2);
    expect(cells(held, held.ticks.services['lb'].instances[0].memoryBytes.end)[49] / 2 ** 20).toBeCloseTo(21, 2);
    const killed = chat({ app: 'memory: { base: 10MiB, perConnection: 3MiB, limit: 25MiB }, recovery: { by: restart, after: 1s },' });
    // The sixth is one too many: its first message comes 1 s after it has connected.
    expect(eventsOf(killed, 'oom', 'app.1')[0]?.tMs).toBe(1500);
  });
  it('a process that dies breaks the sockets it holds, and others come in their place', () => {
    const run = chat({ app: 'instances: 2, recovery: { by: none },', faults: '{ bang: { at: 4s, target: app.1, crash: true } }' });
    expect(cells(run, run.ticks.traffic['chat'].present!)[39]).toBe(10);
    expect(cells(run, run.ticks.traffic['chat'].present!)[40]).toBeLessThan(10);
    expect(atEnd(run, 'app', 199)[0]).toBe(0);
  });
  it('closes what the opening does not open', () => {
    const run = chat({ sockets: 'max: 10, opening: hello' });
    expect(cells(run, run.ticks.traffic['chat'].present!)[49]).toBe(0);
    expect(run.traffic['chat'].declined['app: hi']).toBe(200);
  });
});

describe('push', () => {
  const made = (run: SimulatedRun) => run.traffic['chat'].deliveries;

  it('reaches as many open sockets as it says, or all there are', () => {
    expect(made(chat())).toEqual({ made: 10, missed: 0 });
    expect(made(chat({ push: 'count: 4' }))).toEqual({ made: 4, missed: 0 });
    expect(made(chat({ push: 'count: 0' }))).toEqual({ made: 0, missed: 0 });
  });
  it('computes one after another', () => {
    const run = chat({ push: 'count: 6, cpu: { assumed: 5ms, cv: 0 }' });
    expect(run.traffic['posts'].latencyMs!.max).toBe(30);
    expect(total(cells(run, run.ticks.traffic['chat'].deliveries!.made))).toBe(6);
  });
  it('scope instance reaches only the sockets of its own process; the others are missed', () => {
    expect(made(chat({ app: 'instances: 2,', push: 'count: 100, scope: instance' }))).toEqual({ made: 5, missed: 5 });
    expect(made(chat({ app: 'instances: 2,', push: 'count: 100' }))).toEqual({ made: 10, missed: 0 });
  });
  it('goes to the room of the request where there are rooms', () => {
    const run = chat({ keys: 'keys: 3,' });
    expect(made(run)!.made).toBeLessThan(10);
    expect(made(chat({ keys: 'keys: 1,' }))).toEqual({ made: 10, missed: 0 });
  });
});
