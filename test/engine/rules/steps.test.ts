import { describe, expect, it } from 'vitest';
import type { SimulatedRun } from '../../../src/study/types.js';
import { endOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (ms: number): string => `{ wait: { assumed: ${ms}ms, cv: 0 } }`;
const cpu = (ms: number): string => `{ cpu: { assumed: ${ms}ms, cv: 0 } }`;

/** One request at 0 to `svc`, which runs these steps; `db.query` takes 50 ms, `db.no` declines, `db.bug` fails. */
const run = (steps: string, { service = '', more = '', db = '', traffic = oneRequest('r', 0, 'svc') }: { readonly service?: string; readonly more?: string; readonly db?: string; readonly traffic?: string } = {}): SimulatedRun =>
  simulated(scenario(`
    duration: 20s
    tick: 10ms
    machines: { box: { cpus: 1, memory: 1GiB } }
    services:
      svc: { ${service} handlers: { job: [${steps}] } }
      db: { ${db} handlers: { query: [${wait(50)}], no: [${wait(10)}, { decline: sold out }], bug: [${wait(10)}, { fail: bug }], shut: [${wait(10)}, { refuse: shut }] } }
    ${more}
    traffic:
      ${traffic}
  `));
const end = (steps: string, options?: Parameters<typeof run>[1]) => endOf(run(steps, options), 'r');
const good = (afterMs: number) => ({ end: 'good', afterMs });

describe('parallel: all at once, until the last has ended', () => {
  it('lasts as long as the longest branch', () => {
    expect(end(`{ parallel: [[${wait(10)}], [${wait(30)}, ${wait(30)}], [{ call: db.query }]] }, ${wait(5)}`)).toEqual(good(65));
  });
  it('goes on at once when no branch has anything to do', () => {
    expect(end(`{ parallel: [[], []] }, ${wait(5)}`)).toEqual(good(5));
  });
  it('the first bad end is its end, but it waits for the last', () => {
    const steps = `{ parallel: [[${wait(40)}, { fail: late }], [${wait(20)}, { refuse: first }], [${wait(100)}]] }`;
    expect(end(steps)).toEqual({ end: 'refused svc: first', afterMs: 100 });
  });
  it('a declined branch comes before a failed one that is later, and the place is that of the callee', () => {
    expect(end(`{ parallel: [[{ call: db.no }], [${wait(60)}, { fail: bug }]] }`)).toEqual({ end: 'declined db: sold out', afterMs: null });
  });
  it('branches that compute share one core', () => {
    expect(end(`{ parallel: [[${cpu(30)}], [${cpu(10)}]] }`, { service: 'machine: box,' })).toEqual(good(40));
    expect(end(`{ parallel: [[${cpu(30)}], [${cpu(10)}]] }`)).toEqual(good(30));
  });
  it('takes one slot and one place in memory, however many branches', () => {
    const two = run(`{ parallel: [[${wait(100)}], [${wait(100)}]] }`, { service: 'slots: 1,', traffic: requestsAt([0, 10], 'svc', 6) });
    expect(['r1', 'r2'].map((name) => endOf(two, name).afterMs)).toEqual([100, 190]);
    expect(two.services['svc'].instances[0].slots.max).toBe(1);
  });
  it('two branches may want the same lock: it is one request, which has it', () => {
    expect(end(`{ parallel: [[{ lock: row, wait: 1s }, ${wait(30)}], [{ lock: row, wait: 1s }, ${wait(30)}]] }`, { traffic: oneRequest('r', 0, 'svc').replace('send:', 'keys: 1, send:') }).end).toBe('good');
  });
  it('killed in the middle: all of it ends, and the calls of its branches are worked for nobody', () => {
    const killed = run(`{ parallel: [[{ call: db.query }], [${cpu(200)}], [{ parallel: [[{ call: db.query }]] }]] }`, { service: 'recovery: { by: none },', more: 'faults: { bang: { at: 20ms, target: svc, crash: true } }' });
    expect(endOf(killed, 'r')).toEqual({ end: 'failed svc: killed', afterMs: 20 });
    expect(killed.links['svc.db']).toMatchObject({ sent: 2, inFlight: 0, failed: { 'svc: killed': 2 } });
    expect(killed.services['db'].instances[0]).toMatchObject({ arrived: 2, good: 2 });
  });
  it('an orElse in a branch catches for the branch alone; one around all of them catches the first bad end', () => {
    expect(end(`{ parallel: [[{ fail: bug, orElse: [${wait(70)}] }], [${wait(20)}]] }`)).toEqual(good(70));
    expect(end(`{ parallel: [[{ fail: bug }], [${wait(20)}]], orElse: [${wait(5)}] }`)).toEqual(good(25));
  });
});

describe('orElse: runs when the step did not end well; its end is then theirs', () => {
  it.each(['{ call: db.no', '{ call: db.bug', '{ call: db.shut'])('catches what %s } ends with', (call) => {
    expect(end(`${call}, orElse: [${wait(7)}] }, ${wait(1)}`)).toEqual(good(18));
  });
  it('is left out when the step ended well', () => {
    expect(end(`{ call: db.query, orElse: [${wait(500)}] }, ${wait(1)}`)).toEqual(good(51));
  });
  it('its own end is the end', () => {
    expect(end('{ call: db.bug, orElse: [{ decline: instead }] }')).toEqual({ end: 'declined svc: instead', afterMs: null });
  });
  it('nested: the innermost catches first, and what it says is caught by the next', () => {
    expect(end(`{ call: db.bug, orElse: [{ call: db.no, orElse: [{ call: db.shut, orElse: [${wait(3)}] }] }] }`)).toEqual(good(33));
  });
  it('catches what is bad anywhere inside its step, and skips the rest of it', () => {
    expect(end(`{ choose: [{ weight: 1, steps: [${wait(5)}, { fail: bug }, ${wait(500)}] }], orElse: [${wait(2)}] }`)).toEqual(good(7));
  });
  it('belongs to each repetition', () => {
    expect(end(`{ call: db.bug, times: 3, orElse: [${wait(5)}] }`)).toEqual(good(45));
  });
  it('a timeout is caught too', () => {
    expect(end(`{ call: db.query, orElse: [${wait(1)}] }`, { service: 'to: { db: { timeout: 20ms } },' })).toEqual(good(21));
  });
});

describe('ends travel up unchanged, with their place', () => {
  it.each([['decline', 'declined'], ['refuse', 'refused'], ['fail', 'failed']])('%s', (verb, name) => {
    const through = simulated(scenario(`
      duration: 1s
      services:
        front: { handlers: { job: [{ call: middle.job }] } }
        middle: { to: { back: {} } }
        back: { handlers: { job: [${wait(5)}, { ${verb}: why not }, ${wait(500)}] } }
      traffic:
        ${oneRequest('r', 0, 'front')}
    `));
    expect(endOf(through, 'r')).toEqual({ end: `${name} back: why not`, afterMs: name === 'declined' ? null : 5 });
    for (const service of ['front', 'middle', 'back']) expect(through.services[service].instances[0]).toMatchObject({ arrived: 1, [name]: 1 });
  });
});

describe('times, chance, choose, cache', () => {
  const many = (steps: string, service = '') => simulated(scenario(`
    duration: 40s
    services:
      svc: { ${service} handlers: { job: [${steps}] } }
    traffic:
      jobs: { to: svc, send: job, stop: 39s, open: { rate: 250/s, arrivals: even } }
  `)).traffic['jobs'];
  /** Binomial: four standard deviations. */
  const about = (share: number, of: number): number => 4 * Math.sqrt((share * (1 - share)) / of);

  it('times n is the step written n times; 0 is none', () => {
    expect(end(`{ wait: { assumed: 10ms, cv: 0 }, times: 4 }`)).toEqual(good(40));
    expect(end(`{ wait: { assumed: 10ms, cv: 0 }, times: 0 }, ${wait(1)}`)).toEqual(good(1));
    expect(end(`{ choose: [{ weight: 1, steps: [{ wait: { assumed: 10ms, cv: 0 }, times: 2 }] }], times: 3 }`)).toEqual(good(60));
  });
  it('each repetition draws its own chance', () => {
    const { good: well, offered } = many('{ fail: bug, chance: 10%, times: 3 }');
    expect(Math.abs(well / offered - 0.9 ** 3)).toBeLessThan(about(0.729, offered));
  });
  it('each repetition draws its own time: the mean of the sum has the spread of n draws', () => {
    const { latencyMs } = many('{ wait: 10ms, times: 16 }');
    expect(Math.abs(latencyMs!.mean / 160 - 1)).toBeLessThan(0.02);
    // Erlang 16: cv 1/4, so p99 = 267 ms; one draw sixteen times would have 737.
    expect(Math.abs(latencyMs!.p99 / 267 - 1)).toBeLessThan(0.05);
  });
  it('choose takes one of them by weight, never one of weight 0', () => {
    const { declined, refused, failed, offered } = many('{ choose: [{ weight: 3, steps: [{ decline: a }] }, { weight: 0, steps: [{ fail: never }] }, { weight: 1, steps: [{ refuse: b }] }] }');
    expect(failed).toEqual({});
    expect(declined['svc: a'] + refused['svc: b']).toBe(offered);
    expect(Math.abs(declined['svc: a'] / offered - 0.75)).toBeLessThan(about(0.75, offered));
  });
  it('a cache that is warm at the start hits as often as it says; a miss runs its steps', () => {
    const { refused, offered } = many('{ cache: 80%, fill: 20s, miss: [{ refuse: miss }] }');
    expect(Math.abs((refused['svc: miss'] ?? 0) / offered - 0.2)).toBeLessThan(about(0.2, offered));
  });
  it('after a start it hits never, then more and more until it is full', () => {
    const refilled = simulated(scenario(`
      duration: 40s
      services:
        svc: { recovery: { by: restart, after: 1s }, handlers: { job: [{ cache: 80%, fill: 10s, miss: [{ refuse: miss }] }] } }
      faults: { bang: { at: 9s, target: svc, crash: true } }
      phases: { first: [10s, 10100ms], half: [14s, 16s], full: [20s, 39s] }
      traffic:
        jobs: { to: svc, send: job, stop: 39s, open: { rate: 500/s, arrivals: even } }
    `));
    const missed = (phase: string): number => (refilled.phases[phase].traffic['jobs'].refused['svc: miss'] ?? 0) / refilled.phases[phase].traffic['jobs'].offered;
    expect(missed('first')).toBeGreaterThan(0.9);
    expect(Math.abs(missed('half') - 0.6)).toBeLessThan(about(0.6, 1000));
    expect(Math.abs(missed('full') - 0.2)).toBeLessThan(about(0.2, 9500));
  });
});
