import { describe, expect, it } from 'vitest';
import { cells, endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** `lb` spreads `rate` even requests of `time` each over so many instances of `svc`. */
const balanced = (policy: string, instances: number, { rate = '100/s', time = '5ms', duration = '10s', more = '', lbs = 1, faults = '', arrivals = 'even' } = {}): string =>
  scenario(`
    duration: ${duration}
    services:
      lb: { kind: balancer, instances: ${lbs}, to: { svc: { policy: ${policy}${more} } } }
      svc: { instances: ${instances}, recovery: { by: none }, handlers: { job: [${wait(time)}] } }
    ${faults}
    traffic:
      jobs: { to: lb, send: job, open: { rate: ${rate}, arrivals: ${arrivals} } }
  `);
const arrivedAt = (run: SimulatedRun): number[] => run.services.svc.instances.map(({ arrived }) => arrived);

describe('rule 24: attempts count on the link, the request once at its source', () => {
  it('counts two calls of one request as two attempts and one request, from first send to last end', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        api:
          handlers: { job: [{ call: db.read }, { call: db.read }] }
          to: { db: { latency: 5ms } }
        db: { handlers: { read: [${wait('10ms')}] } }
      traffic:
        ${oneRequest('r1', 0, 'api')}
    `));
    expect(run.requests).toBe(1);
    expect(run.traffic.r1).toMatchObject({ offered: 1, good: 1 });
    expect(run.links['api.db']).toMatchObject({ sent: 2, good: 2, latencyMs: { mean: 20 } });
    expect(endOf(run, 'r1').afterMs).toBe(40);
  });
  it('balances each attempt anew', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        api: { handlers: { job: [{ call: db.read }, { call: db.read }] } }
        db: { instances: 2, handlers: { read: [${wait('10ms')}] } }
      traffic:
        ${oneRequest('r1', 0, 'api')}
    `));
    expect(run.services.db.instances.map(({ arrived }) => arrived)).toEqual([1, 1]);
  });
});

describe("rule 27: outstanding are this caller instance's calls not yet ended; several balancers do not see each other", () => {
  it('sends to the idle one while the other is still at work', () => {
    // 20 ms of work every 10 ms over three: at most two are ever busy, so nobody ever has two.
    const run = simulated(balanced('least-outstanding', 3, { time: '19ms' }).replace('recovery', 'slots: 1, queue: { limit: 0 }, recovery'));
    expect(run.traffic.jobs.good + run.traffic.jobs.inFlight).toBe(run.traffic.jobs.offered);
    expect(run.traffic.jobs.refused).toEqual({});
  });
  it('lets two balancers, taking turns, choose the same one', () => {
    const run = simulated(balanced('least-outstanding', 3, { time: '19ms', lbs: 2 }).replace('recovery', 'slots: 1, queue: { limit: 0 }, recovery'));
    // Each sees only its own call, which is over before its next: a choice among three, of which the other's call holds one.
    const share = run.traffic.jobs.refused['svc: queue full'] / run.traffic.jobs.offered;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.4);
  });
  it('no longer counts work that was abandoned after a timeout', () => {
    // Instance 1 gets the first call and keeps it for the rest of the run; after the timeout at 20 ms it looks as idle as the other.
    const text = (timeout: string): string => scenario(`
      duration: 1s
      services:
        lb: { to: { svc: { policy: least-outstanding, timeout: ${timeout} } } }
        svc: { instances: 2, handlers: { long: [${wait('5s')}], short: [${wait('1ms')}] } }
      traffic:
        first: { to: lb, send: long, stop: 1us, open: { rate: 1/s, arrivals: even } }
        jobs: { to: lb, send: short, start: 30ms, open: { rate: 400/s, arrivals: even } }
    `);
    const counted = simulated(text('9s')).services.svc.instances.map(({ arrived }) => arrived);
    expect(Math.min(...counted)).toBe(1);
    const abandoned = simulated(text('20ms')).services.svc.instances.map(({ arrived }) => arrived);
    // 388 fair choices of two: within four standard deviations of a half.
    expect(Math.min(...abandoned)).toBeGreaterThan(194 - 4 * Math.sqrt(388 / 4));
  });
});

describe("rule 28: ties are broken by the link's random stream, never by index", () => {
  it.each(['least-outstanding', 'random', 'two-choices'])('%s spreads a load that never meets itself evenly', (policy) => {
    const arrived = arrivedAt(simulated(balanced(policy, 4, { duration: '40s' })));
    expect(total(arrived)).toBe(4000);
    // Binomial(4000, 1/4) each: standard deviation 27.4, and four of them allowed.
    for (const count of arrived) expect(Math.abs(count - 1000)).toBeLessThan(110);
    expect(new Set(arrived).size).toBeGreaterThan(1);
  });
  it('chooses otherwise under another seed, and the same again under the same', () => {
    const firstSent = (seed: number): number[] => {
      const run = simulated(balanced('least-outstanding', 4, { duration: '20s', rate: '1/s' }), { seed });
      return cells(run, run.ticks.links['lb.svc'].targets[0].sent);
    };
    expect(firstSent(1)).toEqual(firstSent(1));
    expect(firstSent(1)).not.toEqual(firstSent(2));
  });
});

describe('rule 29: two-choices draws two different instances', () => {
  it('with two instances always takes the lesser one', () => {
    // A second call while the first is under way must go to the other one: 250 pairs, no refusal. Two equal draws would refuse half of them.
    const run = simulated(balanced('two-choices', 2, { time: '15ms' }).replace('recovery', 'slots: 1, queue: { limit: 0 }, recovery'));
    expect(run.traffic.jobs.refused).toEqual({});
  });
  it('with three takes the busy one only when it is nobody\'s second choice: never', () => {
    const run = simulated(balanced('two-choices', 3, { time: '15ms' }).replace('recovery', 'slots: 1, queue: { limit: 0 }, recovery'));
    expect(run.traffic.jobs.refused).toEqual({});
  });
  it('random, in contrast, meets the busy one in a third of the cases', () => {
    const run = simulated(balanced('random', 3, { time: '15ms' }).replace('recovery', 'slots: 1, queue: { limit: 0 }, recovery'));
    // In the long run p = (1 − p) / 3, so 1/4 is refused; 1,000 requests.
    expect(run.traffic.jobs.refused['svc: queue full']).toBeGreaterThan(195);
    expect(run.traffic.jobs.refused['svc: queue full']).toBeLessThan(305);
  });
});

describe('rule 30: round robin goes by instance number, newcomers at the end', () => {
  it('takes each in turn', () => {
    const run = simulated(balanced('round-robin', 3, { rate: '1/s', duration: '9s' }));
    const turns = run.ticks.links['lb.svc'].targets.map(({ sent }) => cells(run, sent));
    expect(turns).toEqual([
      [1, 0, 0, 1, 0, 0, 1, 0, 0],
      [0, 1, 0, 0, 1, 0, 0, 1, 0],
      [0, 0, 1, 0, 0, 1, 0, 0, 1],
    ]);
  });
  it('keeps a turn of its own in each balancer', () => {
    const run = simulated(balanced('round-robin', 2, { rate: '1/s', duration: '4s', lbs: 2 }));
    expect(run.ticks.links['lb.svc'].targets.map(({ sent }) => cells(run, sent))).toEqual([
      [1, 1, 0, 0],
      [0, 0, 1, 1],
    ]);
  });
  it('goes on from the one that was alone for a while', () => {
    // 1 and 2 are out from the probe before 2 s to the one before 4 s; instance 3 gets the calls at 2 s and 3 s alone, so the next is 1.
    const run = simulated(
      balanced('round-robin', 3, {
        rate: '1/s',
        duration: '7s',
        more: ', health: { path: dedicated, every: 1s, timeout: 500ms, unhealthyAfter: 1, healthyAfter: 1 }',
        faults: 'faults: { one: { at: 1100ms, target: svc.1, crash: true }, two: { at: 1100ms, target: svc.2, crash: true } }',
      }).replace('recovery: { by: none }', 'recovery: { by: restart, after: 2s }'),
    );
    expect(run.ticks.links['lb.svc'].targets.map(({ sent }) => cells(run, sent))).toEqual([
      [1, 0, 0, 0, 1, 0, 0],
      [0, 1, 0, 0, 0, 1, 0],
      [0, 0, 1, 1, 0, 0, 1],
    ]);
  });
  it('reaches a newcomer after the last of those that were there', () => {
    const run = simulated(
      scenario(`
        duration: 30s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          lb: { to: { svc: { policy: round-robin } } }
          svc:
            machine: box
            instances: 2
            autoscale: { min: 2, max: 3, target: 5%, every: 10s, window: 10s, boot: 5500ms }
            handlers: { job: [{ cpu: { assumed: 200ms, cv: 0 } }] }
        traffic:
          jobs: { to: lb, send: job, open: { rate: 1/s, arrivals: even } }
      `),
    );
    const turns = run.ticks.links['lb.svc'].targets.map(({ sent }) => cells(run, sent).slice(14, 23));
    // The newcomer serves from 15.5 s. Request 14 went to instance 1, 15 to 2; then comes 3, and only then 1 again.
    expect(turns).toEqual([
      [1, 0, 0, 1, 0, 0, 1, 0, 0],
      [0, 1, 0, 0, 1, 0, 0, 1, 0],
      [0, 0, 1, 0, 0, 1, 0, 0, 1],
    ]);
  });
});

describe('rule 58: a balancer without a health check knows nothing of death (the black hole)', () => {
  const dead = (policy: string, more = ''): SimulatedRun =>
    simulated(balanced(policy, 3, { rate: '400/s', time: '20ms', duration: '10s', more, faults: 'faults: { kill: { at: 1s, target: svc.1, crash: true } }' }));

  it('least-outstanding sends nearly everything to the instance that refuses at once', () => {
    const run = dead('least-outstanding');
    const refused = cells(run, run.ticks.links['lb.svc'].targets[0].failed);
    // From 1 s on each of the two living ones gets a call only when it is idle: ties of three until both have one, then never another.
    for (const perS of refused.slice(2)) expect(perS).toBeGreaterThan(0.6 * 400);
    expect(run.traffic.jobs.failed['svc: connection refused']).toBeGreaterThan(0.6 * 9 * 400);
  });
  it('round robin loses just its third', () => {
    const run = dead('round-robin');
    expect(cells(run, run.ticks.links['lb.svc'].targets[0].failed).slice(2)).toEqual(Array.from({ length: 8 }, () => expect.toSatisfy((perS: number) => perS === 133 || perS === 134)));
  });
  it('with a health check the hole is closed after `unhealthyAfter` probes', () => {
    const run = dead('least-outstanding', ', health: { every: 1s, timeout: 500ms, unhealthyAfter: 1, healthyAfter: 1 }');
    expect(cells(run, run.ticks.links['lb.svc'].targets[0].sent).slice(2)).toEqual(Array<number>(8).fill(0));
    expect(cells(run, run.ticks.traffic.jobs.failed).slice(2)).toEqual(Array<number>(8).fill(0));
  });
});

describe('the first bad end travels up unchanged', () => {
  it('keeps the place where it happened', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        lb: { to: { svc: { } } }
        svc: { handlers: { job: [{ call: db.read }] } }
        db: { slots: 1, queue: { limit: 0 }, handlers: { read: [${wait('10ms')}] } }
      traffic:
        ${requestsAt([0, 0], 'lb', 8)}
    `));
    expect(latenciesOf(run)).toEqual([10, null]);
    expect(endOf(run, 'r2').end).toBe('refused db: queue full');
    expect(run.services.svc.instances[0]).toMatchObject({ good: 1, refused: 1 });
  });
  it.each([
    { step: 'decline: sold out', end: 'declined svc: sold out' },
    { step: 'refuse: not today', end: 'refused svc: not today' },
    { step: 'fail: bug', end: 'failed svc: bug' },
  ])('ends a request with $end and runs nothing after it', ({ step, end }) => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        lb: { to: { svc: { } } }
        svc: { handlers: { job: [${wait('10ms')}, { ${step} }, ${wait('500ms')}] } }
      traffic:
        ${oneRequest('r1', 0, 'lb')}
    `));
    expect(endOf(run, 'r1').end).toBe(end);
    expect(run.services.svc.instances[0].slots.mean).toBe(0.01);
  });
});
