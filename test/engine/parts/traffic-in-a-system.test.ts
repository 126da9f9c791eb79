import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../../src/errors.js';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

describe('closed users in a whole system', () => {
  it('rule 46: a service that answers in no time and users who do not think are an error, not a hang', () => {
    const run = () => simulated(scenario(`
      duration: 10s
      services:
        svc: { handlers: { job: [{ decline: no }] } }
      traffic:
        crowd: { to: svc, send: job, closed: { users: 5, think: 0s } }
    `));
    expect(run).toThrow(FaultreelError);
    expect(run).toThrow('traffic.crowd: a user asks again in no time, 1,000 times at one instant; give a think time or a link latency');
  });
  it('rule 46, a full queue that refuses at once is the same', () => {
    expect(() => simulated(scenario(`
      duration: 10s
      services:
        svc: { slots: 1, queue: { limit: 0 }, handlers: { job: [{ wait: 1s }] } }
      traffic:
        crowd: { to: svc, send: job, closed: { users: 2, think: 0s } }
    `))).toThrow('asks again in no time');
  });
  it('with a latency on the link they are none, and ask again after each refusal', () => {
    const run = simulated(scenario(`
      duration: 10s
      services:
        svc: { slots: 1, queue: { limit: 0 }, handlers: { job: [{ wait: { assumed: 1s, cv: 0 } }] } }
      traffic:
        crowd: { to: { svc: { latency: 5ms } }, send: job, closed: { users: 2, think: 0s } }
    `));
    const { offered, good, refused } = run.traffic.crowd;
    // The other one is refused 10 ms after each send, all the time: refusals that cost nothing make closed users ask faster.
    expect(good).toBeLessThanOrEqual(10);
    expect(good).toBeGreaterThanOrEqual(9);
    expect(Math.abs(total(Object.values(refused)) - 1000)).toBeLessThan(15);
    expect(offered).toBeGreaterThan(990);
  });
  it('a crash ends the requests of those who asked, and they come again', () => {
    const run = simulated(scenario(`
      duration: 20s
      services:
        svc: { recovery: { by: restart, after: 2s }, handlers: { job: [{ wait: { assumed: 500ms, cv: 0 } }] } }
      traffic:
        crowd: { to: svc, send: job, closed: { users: 10, think: 500ms } }
      faults:
        crash: { at: 10260ms, target: svc, crash: true }
    `));
    const { failed, good } = run.traffic.crowd;
    // The six inside are killed; the others, and they when they come back, are refused every half second for two seconds.
    expect(failed['svc: killed']).toBe(6);
    expect(failed['svc: connection refused']).toBeGreaterThan(30);
    expect(good).toBeGreaterThan(160);
    expect(cells(run, run.ticks.traffic.crowd.present!).slice(1)).toEqual(Array<number>(19).fill(10));
  });
  it('the limit of the generator drops, is not offered, and the user thinks before the next try', () => {
    const run = simulated(scenario(`
      duration: 10s
      services:
        svc: { handlers: { job: [{ wait: { assumed: 1s, cv: 0 } }] } }
      traffic:
        crowd: { to: svc, send: job, limit: 3, closed: { users: 9, think: 1s } }
    `));
    const { offered, dropped } = run.traffic.crowd;
    // Three are served a second at best, less what passes until the next of nine tries, once in 111 ms.
    expect(offered).toBeLessThanOrEqual(30);
    expect(offered).toBeGreaterThanOrEqual(22);
    expect(dropped).toBeGreaterThan(30);
    expect(Math.max(...cells(run, run.ticks.traffic.crowd.inFlight))).toBe(3);
  });
  it('stairs of users make phases, in whose gaps nobody asks', () => {
    const run = simulated(scenario(`
      duration: 12s
      services:
        svc: { handlers: { job: [{ wait: { assumed: 50ms, cv: 0 } }] } }
      traffic:
        crowd: { to: svc, send: job, closed: { users: { stairs: [1, 3], each: 4s, gap: 2s }, think: 50ms } }
    `));
    expect(Object.entries(run.phases).map(([name, { fromMs, toMs, traffic }]) => [name, fromMs, toMs, traffic.crowd.offered])).toEqual([['crowd-1', 0, 4000, 40], ['crowd-3', 6000, 10_000, 120]]);
    expect(cells(run, run.ticks.traffic.crowd.present!)).toEqual([1, 1, 1, 1, 0, 0, 3, 3, 3, 3, 0, 0]);
  });
});

describe('a traffic that comes from a service', () => {
  const cron = (instances: number, more = '') => simulated(scenario(`
    duration: 10s
    services:
      app: { instances: ${instances}, recovery: { by: restart, after: 3s }, handlers: { any: [{ wait: 1ms }] } }
      db: { handlers: { sweep: [{ wait: { assumed: 1ms, cv: 0 } }] } }
    traffic:
      cron: { from: app, to: db, send: sweep, open: { rate: 1/s, arrivals: even } }
      users: { to: app, send: job, open: { rate: 1/s } }
    ${more}
  `));
  it('comes from every running instance: two processes sweep twice', () => {
    expect(cron(1).traffic.cron.offered).toBe(10);
    expect(cron(2).traffic.cron.offered).toBe(20);
  });
  it('sends nothing while its process is down', () => {
    const run = cron(2, 'faults: { crash: { at: 2500ms, target: app.1, crash: true } }');
    expect(cells(run, run.ticks.traffic.cron.offered)).toEqual([2, 2, 2, 1, 1, 1, 2, 2, 2, 2]);
  });
  it('as closed users goes on when the process is back', () => {
    const run = simulated(scenario(`
      duration: 10s
      services:
        app: { recovery: { by: restart, after: 3s }, handlers: { any: [{ wait: 1ms }] } }
        db: { handlers: { sweep: [{ wait: { assumed: 300ms, cv: 0 } }] } }
      traffic:
        loop: { from: app, to: db, send: sweep, closed: { users: 1, think: 200ms } }
        users: { to: app, send: job, open: { rate: 1/s } }
      faults: { crash: { at: 2100ms, target: app, crash: true } }
    `));
    const offered = cells(run, run.ticks.traffic.loop.offered);
    expect(offered.slice(0, 2)).toEqual([2, 2]);
    expect(offered.slice(3, 5)).toEqual([0, 0]);
    expect(offered.slice(6)).toEqual([2, 2, 2, 2]);
  });
});

describe('sockets in a whole system', () => {
  const chat = (more = '') => simulated(scenario(`
    duration: 20s
    services:
      app: { instances: 2, recovery: { by: restart, after: 1s }, handlers: { subscribe: [{ wait: { assumed: 1ms, cv: 0 } }], say: [{ wait: { assumed: 1ms, cv: 0 } }] } }
    traffic:
      chat: { to: app, send: say, sockets: { connect: 10/s, max: 40, hold: 10m, opening: subscribe, every: 1s } }
    ${more}
  `));
  it('fill up to `max`, and each sends', () => {
    const run = chat();
    expect(cells(run, run.ticks.traffic.chat.present!).slice(0, 6)).toEqual([10, 20, 30, 40, 40, 40]);
    expect(cells(run, run.ticks.traffic.chat.offered).slice(10)).toEqual(Array<number>(10).fill(40));
  });
  it('break when the process that holds them dies, and others connect in their place', () => {
    const run = chat('faults: { crash: { at: 10050ms, target: app.1, crash: true } }');
    const present = cells(run, run.ticks.traffic.chat.present!);
    expect(present[9]).toBe(40);
    // About half were there; ten a second come, some of them to the dead one at first.
    expect(present[10]).toBeLessThan(32);
    expect(present.at(-1)).toBe(40);
  });
});

describe('bursts in a whole system', () => {
  it('fifty at one instant are fifty in flight', () => {
    const run = simulated(scenario(`
      duration: 30s
      services:
        svc: { slots: 10, queue: { limit: 20 }, handlers: { join: [{ wait: { assumed: 100ms, cv: 0 } }] } }
      traffic:
        joins: { to: svc, send: join, bursts: { sizes: [50, 10], every: 10s } }
    `));
    const { offered, good, refused } = run.traffic.joins;
    expect([offered, good, refused['svc: queue full']]).toEqual([60, 40, 20]);
    expect(run.traffic.joins.latencyMs!.max).toBe(300);
  });
});
