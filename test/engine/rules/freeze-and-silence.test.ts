import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, oneRequest, requestsAt, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (ms: number): string => `{ wait: { assumed: ${ms}ms, cv: 0 } }`;
const cpu = (ms: number): string => `{ cpu: { assumed: ${ms}ms, cv: 0 } }`;

/** One request at 0 to `svc`, which is frozen from 100 ms to 400 ms; `steps` of `svc`, the link to `db`, more of `svc`. */
const frozen = ({ steps, db = '{}', service = '', at = 0, query = wait(50), link = '' }: { readonly steps: string; readonly db?: string; readonly service?: string; readonly at?: number; readonly query?: string; readonly link?: string }): SimulatedRun =>
  simulated(scenario(`
    duration: 30s
    tick: 10ms
    services:
      svc: { ${service} to: { db: ${db} }, handlers: { job: [${steps}] } }
      db: { handlers: { query: [${query}] } }
    faults:
      ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
    traffic:
      ${oneRequest('r', at, `{ svc: { ${link} } }`)}
  `));

describe('freeze: nothing runs, answers or times out inside it; afterwards it goes on', () => {
  it('a computation stands still and goes on where it was', () => {
    expect(endOf(frozen({ steps: cpu(150) }), 'r')).toEqual({ end: 'good', afterMs: 450 });
  });
  it('a wait that is over meanwhile goes on at the end; the clock has not stood still', () => {
    expect(endOf(frozen({ steps: `${wait(250)}, ${wait(50)}` }), 'r')).toEqual({ end: 'good', afterMs: 450 });
    expect(endOf(frozen({ steps: wait(500) }), 'r')).toEqual({ end: 'good', afterMs: 500 });
  });
  it('an answer that comes meanwhile is read at the end', () => {
    const run = frozen({ steps: `${wait(90)}, { call: db.query }` });
    expect(endOf(run, 'r')).toEqual({ end: 'good', afterMs: 400 });
    // The other side has done its work in the meantime.
    expect(run.links['svc.db']).toMatchObject({ sent: 1, good: 1 });
  });
  it('who comes meanwhile is let in at the end, in order', () => {
    const run = simulated(scenario(`
      duration: 2s
      services:
        svc: { slots: 1, handlers: { job: [${wait(10)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([150, 200, 300], 'svc', 8)}
    `));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).afterMs)).toEqual([260, 220, 130]);
  });
  it('nobody times out inside it: an answer that is there at the end counts, for it was first', () => {
    // Sent at 90, back at 140, timeout at 190: both while frozen.
    expect(endOf(frozen({ steps: `${wait(90)}, { call: db.query }`, db: '{ timeout: 100ms }' }), 'r')).toEqual({ end: 'good', afterMs: 400 });
  });
  it('a timeout that was due before the answer is seen at the end, and before it', () => {
    // Sent at 90, timeout at 190, back at 290.
    const run = frozen({ steps: `${wait(90)}, { call: db.query }`, db: '{ timeout: 100ms }', query: wait(200) });
    expect(endOf(run, 'r')).toEqual({ end: 'failed db: timeout', afterMs: 400 });
    // The link learns of it when the process does.
    expect(cells(run, run.ticks.links['svc.db'].callers[0].failed).findIndex((failed) => failed > 0)).toBe(40);
  });
  it('a deadline is seen at the end', () => {
    expect(endOf(frozen({ steps: `${wait(90)}, { call: db.query }`, db: '{ deadline: 100ms }', query: wait(2000) }), 'r')).toEqual({ end: 'failed db: deadline', afterMs: 400 });
  });
  it('nothing is sent out of it: who waits for a connection has it when the process goes on', () => {
    const run = simulated(scenario(`
      duration: 5s
      tick: 10ms
      services:
        svc: { to: { db: { pool: { max: 1 } } }, handlers: { job: [{ call: db.query }] } }
        db: { handlers: { query: [${wait(50)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([80, 90], 'svc', 8)}
    `));
    // The first is back at 130 and read at 400; the second is sent then.
    expect(['r1', 'r2'].map((name) => endOf(run, name).afterMs)).toEqual([320, 360]);
    const sent = cells(run, run.ticks.links['svc.db'].callers[0].sent);
    expect(total(sent.slice(10, 40))).toBe(0);
  });
  it('a wait for a connection is not over inside it', () => {
    const run = simulated(scenario(`
      duration: 5s
      tick: 10ms
      services:
        svc: { to: { db: { pool: { max: 1, wait: 100ms } } }, handlers: { job: [{ call: db.query }] } }
        db: { handlers: { query: [${wait(500)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([80, 90], 'svc', 8)}
    `));
    expect(endOf(run, 'r2')).toEqual({ end: 'refused db: pool wait', afterMs: 310 });
  });
  it('patience is not over inside it', () => {
    const run = simulated(scenario(`
      duration: 5s
      tick: 10ms
      services:
        svc: { slots: 1, queue: { patience: 100ms }, handlers: { job: [${wait(500)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([80, 90], 'svc', 8)}
    `));
    expect(endOf(run, 'r2')).toEqual({ end: 'refused svc: patience', afterMs: 310 });
  });
  it('a pause before another try is not over inside it', () => {
    const run = frozen({ steps: `${wait(90)}, { call: db.query }`, db: '{ retries: { max: 1, backoff: 50ms } }', query: '{ fail: bug }' });
    expect(endOf(run, 'r')).toEqual({ end: 'failed db: bug', afterMs: 400 });
    expect(run.links['svc.db'].retries).toBe(1);
    const sent = cells(run, run.ticks.links['svc.db'].callers[0].sent);
    expect([sent[9], sent[40]]).toEqual([1, 1]);
  });
  it('a wait for a lock is not over inside it, nor is one given back', () => {
    const run = (lockWait: string): SimulatedRun => simulated(scenario(`
      duration: 5s
      services:
        svc: { handlers: { job: [{ lock: row, wait: ${lockWait} }, ${wait(100)}] } }
        other: { handlers: { job: [${wait(1)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([80, 90], 'svc', 8).replaceAll('send: job', 'send: job, keys: 1')}
    `));
    // Seen in order: the second's patience was over at 140, the first's work at 180.
    expect([endOf(run('50ms'), 'r1'), endOf(run('50ms'), 'r2')]).toEqual([{ end: 'good', afterMs: 320 }, { end: 'failed svc: lock row', afterMs: 310 }]);
  });
  it('a handshake stands still before it sends', () => {
    const run = frozen({ steps: `${wait(90)}, { call: db.query }`, db: '{ pool: { handshake: { time: 50ms } } }' });
    expect(endOf(run, 'r')).toEqual({ end: 'good', afterMs: 450 });
  });
  it('whoever asks a frozen process times out; it does the work all the same', () => {
    const run = frozen({ steps: cpu(150), link: 'timeout: 200ms' });
    expect(endOf(run, 'r')).toEqual({ end: 'failed svc: timeout', afterMs: 200 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 1, good: 1 });
  });
  it('hears at the end that its caller has given up, over a link that cancels, and stops for nobody else', () => {
    const gone = frozen({ steps: wait(500), link: 'timeout: 200ms, cancel: true' });
    expect(endOf(gone, 'r')).toEqual({ end: 'failed svc: timeout', afterMs: 200 });
    expect(gone.services.svc.instances[0]).toMatchObject({ arrived: 1, good: 0, failed: 1, slots: { mean: 0.0133333 } });
    expect(endOf(frozen({ steps: wait(500), link: 'cancel: true' }), 'r')).toEqual({ end: 'good', afterMs: 500 });
  });
  it('tries a bad answer again that came meanwhile, unless the deadline has passed meanwhile, too', () => {
    // Sent at 90, back at 140, and sent once more at 400; or not, for the deadline was at 290.
    const answered = (deadline: string): SimulatedRun => frozen({ steps: `${wait(90)}, { call: db.query }`, db: `{ ${deadline} retries: { max: 1 } }`, query: `${wait(50)}, { fail: bug }` });
    expect(endOf(answered(''), 'r')).toEqual({ end: 'failed db: bug', afterMs: 450 });
    expect(endOf(answered('deadline: 200ms,'), 'r')).toEqual({ end: 'failed db: bug', afterMs: 400 });
    expect(answered('deadline: 200ms,').links['svc.db']).toMatchObject({ sent: 1, retries: 0 });
  });
  it('two that overlap end with the last', () => {
    const run = simulated(scenario(`
      duration: 5s
      services:
        svc: { handlers: { job: [${cpu(150)}] } }
      faults:
        one: { at: 100ms, for: 300ms, target: svc, freeze: true }
        two: { at: 200ms, for: 300ms, target: svc.1, freeze: true }
      traffic:
        ${oneRequest('r', 0, 'svc')}
    `));
    expect(endOf(run, 'r')).toEqual({ end: 'good', afterMs: 550 });
  });
  it('a crash inside it ends everything that stands still', () => {
    const run = simulated(scenario(`
      duration: 5s
      services:
        svc: { to: { db: { timeout: 100ms } }, recovery: { by: none }, handlers: { job: [${wait(20)}, { call: db.query }] } }
        db: { handlers: { query: [${wait(50)}] } }
      faults:
        ice: { at: 100ms, for: 300ms, target: svc, freeze: true }
        bang: { at: 200ms, target: svc, crash: true }
      traffic:
        ${requestsAt([60, 95, 150], 'svc', 8)}
    `));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'failed svc: killed', afterMs: 140 },
      { end: 'failed svc: killed', afterMs: 105 },
      { end: 'failed svc: connection refused', afterMs: 50 },
    ]);
  });
});

describe('silence', () => {
  /** One request at 1 s over a link that takes 10 ms each way, to a service that takes 20 ms. */
  const silent = (fault: string, link = 'latency: { assumed: 10ms, cv: 0 }', more = ''): SimulatedRun => simulated(scenario(`
    duration: 30s
    services:
      lb: { to: { svc: { ${link} } } }
      svc: { ${more} handlers: { job: [${wait(20)}] } }
    faults:
      ${fault}
    traffic:
      ${oneRequest('r', 1000, 'lb')}
  `));
  const r = (run: SimulatedRun) => endOf(run, 'r');

  it('without a fault it takes both ways and the work', () => {
    expect(r(silent('x: { at: 20s, target: svc, cut: true }'))).toEqual({ end: 'good', afterMs: 40 });
  });
  it.each(['svc', 'svc.1', '[lb, svc]'])('a black hole at %s swallows what comes: 10 s without a timeout, and with one that is longer', (target) => {
    const hole = `x: { at: 0s, target: ${target}, blackhole: true }`;
    expect(r(silent(hole))).toEqual({ end: 'failed svc: connect timeout', afterMs: 10_000 });
    expect(r(silent(hole, 'timeout: 15s'))).toEqual({ end: 'failed svc: connect timeout', afterMs: 10_000 });
    expect(r(silent(hole, 'timeout: 300ms'))).toEqual({ end: 'failed svc: timeout', afterMs: 300 });
  });
  it('a black hole that opens after the message arrived swallows the answer', () => {
    expect(r(silent('x: { at: 1020ms, for: 1s, target: [lb, svc], blackhole: true }'))).toEqual({ end: 'failed svc: connect timeout', afterMs: 10_000 });
  });
  it.each([['svc', 'svc: connection refused', 20], ['[lb, svc]', 'svc: cut off', 0]])('a cut at %s is refused at once', (target, reason, afterMs) => {
    expect(r(silent(`x: { at: 0s, target: ${target}, cut: true }`))).toEqual({ end: `failed ${reason}`, afterMs });
  });
  it('latency on a link is for each message, there and back', () => {
    expect(r(silent('x: { at: 0s, target: [lb, svc], latency: 100ms }')).afterMs).toBe(240);
  });
  it('latency on a service is for what leaves it: its answers, not what comes (rule 43)', () => {
    expect(r(silent('x: { at: 0s, target: svc, latency: 100ms }')).afterMs).toBe(140);
    // The balancer sends on the request, and answers.
    expect(r(silent('x: { at: 0s, target: lb, latency: 100ms }')).afterMs).toBe(240);
  });
  it('latencies add, on one target and on several (rule 42)', () => {
    expect(r(silent('{ x: { at: 0s, target: svc, latency: 100ms }, y: { at: 500ms, target: svc.1, latency: 30ms }, z: { at: 0s, target: [lb, svc], latency: 1ms } }'.slice(1, -1).split(/, (?=[yz]:)/).join('\n      ').trim())).afterMs).toBe(172);
  });
  it('factors multiply, and the larger share wins (rule 42)', () => {
    expect(r(silent('x: { at: 0s, target: svc, slow: 2x }\n      y: { at: 0s, target: svc, slow: 3x }')).afterMs).toBe(140);
    const share = (first: string, second: string): number => {
      const run = simulated(scenario(`
        duration: 20s
        services:
          svc: { handlers: { job: [${wait(1)}] } }
        faults:
          x: { at: 0s, target: svc, errors: ${first} }
          y: { at: 0s, target: svc, errors: ${second} }
        traffic:
          jobs: { to: svc, send: job, open: { rate: 500/s } }
      `));
      return run.traffic.jobs.failed['svc: error'] / run.traffic.jobs.offered;
    };
    expect(share('10%', '30%')).toBe(share('30%', '10%'));
    expect(Math.abs(share('10%', '30%') - 0.3)).toBeLessThan(0.02);
  });
  it('a lost message is sent again after 200 ms, and after twice that the next time', () => {
    const run = simulated(scenario(`
      duration: 100s
      services:
        svc: { handlers: { job: [${wait(1)}] } }
      faults:
        x: { at: 0s, target: [jobs, svc], loss: 50% }
      traffic:
        jobs: { to: svc, send: job, stop: 50s, open: { rate: 200/s, arrivals: even } }
    `));
    // A message: half of them 0, a quarter 200, an eighth 600 ms … Both ways at once: one in four without any.
    const { p50, p90, max } = run.traffic.jobs.latencyMs!;
    expect(p50).toBeCloseTo(201, 0);
    expect((max - 1) % 200).toBeCloseTo(0, 5);
    expect(p90).toBeGreaterThan(1000);
  });
  it('probes suffer as messages do: latency on the service or the link makes them late, a black hole silent (rule 43)', () => {
    const probed = (fault: string): SimulatedRun => silent(fault, 'health: { path: dedicated, every: 1s, timeout: 80ms, unhealthyAfter: 2, healthyAfter: 1 }');
    const bad = (fault: string): number => probed(fault).links['lb.svc'].probes.bad;
    expect(bad('x: { at: 20s, target: svc, slow: 1x }')).toBe(0);
    expect(bad('x: { at: 0s, target: svc, latency: 79ms }')).toBe(0);
    expect(bad('x: { at: 0s, target: svc, latency: 81ms }')).toBe(30);
    expect(bad('x: { at: 0s, target: [lb, svc], latency: 39ms }')).toBe(0);
    expect(bad('x: { at: 0s, target: [lb, svc], latency: 41ms }')).toBe(30);
    for (const target of ['svc', '[lb, svc]']) expect(bad(`x: { at: 0s, for: 10s, target: ${target}, blackhole: true }`)).toBe(10);
    expect(eventsOf(probed('x: { at: 5s, for: 5s, target: svc, freeze: true }'), 'ejected')).toHaveLength(1);
  });
  it.each([['restart', 'svc: connection refused', 20], ['none', 'svc: connection refused', 20], ['reboot', 'svc: connect timeout', 10_000], ['replace', 'svc: connect timeout', 10_000]])('a process that is down by %s: %s (rule 17)', (by, reason, afterMs) => {
    expect(r(silent('x: { at: 500ms, target: svc, crash: true }', 'latency: { assumed: 10ms, cv: 0 }', `recovery: { by: ${by}, after: 20s },`))).toEqual({ end: `failed ${reason}`, afterMs });
  });
  it('a dead machine is silent until the timeout, where there is one', () => {
    expect(r(silent('x: { at: 500ms, target: svc, crash: true }', 'timeout: 2s', 'recovery: { by: reboot, after: 20s },'))).toEqual({ end: 'failed svc: timeout', afterMs: 2000 });
  });
});
