import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/program.js';
import type { CompensatedSum } from '../../../src/engine/kernel/compensated-sum.js';
import { Simulation } from '../../../src/engine/simulation.js';
import { FaultreelError } from '../../../src/errors.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { testHost } from '../../support/host.js';
import { scenario } from '../../support/simulated.js';

const text = scenario(`
  duration: 3s
  tick: 1s
  hosts: { box: { cpus: 1, memory: 1GiB } }
  services:
    lb: { host: box, to: { api: { policy: least-outstanding, latency: 2ms, timeout: 250ms, health: { every: 300ms, timeout: 200ms, unhealthyAfter: 2, healthyAfter: 2 } } } }
    api:
      cpus: 1
      instances: 2
      slots: 8
      queue: { limit: 30, patience: 300ms }
      handlers: { order: [{ cpu: 9ms }, { lock: row, wait: 100ms }, { call: db.insert }] }
      to: { db: { pool: { max: 2, wait: 40ms }, timeout: 200ms } }
    db: { host: box, slots: 10, handlers: { insert: [{ cpu: 1ms }, { wait: 30ms }] } }
  traffic:
    orders: { to: { lb: { timeout: 1s } }, send: order, keys: 20, open: { rate: 230/s } }
`);

const api = ({ instances }: Simulation) => instances.find(({ name }) => name === 'api.2')!;
const db = ({ instances }: Simulation) => instances.find(({ name }) => name === 'db.1')!;
const lb = ({ links }: Simulation) => links.find(({ shared }) => shared.plan.name === 'lb.api')!;
const caller = ({ links }: Simulation) => links.find(({ shared }) => shared.plan.name === 'api.db')!.callers[0];
const pool = (simulation: Simulation) => caller(simulation).pool!;
const received = (simulation: Simulation): CompensatedSum => (api(simulation).container as unknown as { readonly receivedNs: CompensatedSum }).receivedNs;
const poolOf = (simulation: Simulation): CompensatedSum => (db(simulation).container.pool as unknown as { readonly busyNs: CompensatedSum }).busyNs;
const atEnd = 3e9;

/** Each law as its message says it, what breaks it and no other that is looked at before, and the part that is named. */
const violations: readonly (readonly [law: string, what: string, falsify: (simulation: Simulation) => void, named: string])[] = [
  ['offered = ended + in flight', 'a request of a traffic that nobody saw end', ({ recorder }) => void recorder.traffic[0].inFlight++, 'traffic orders'],
  ['sent = ended + in flight', 'an attempt that was sent and never counted', (run) => lb(run).shared.callers.sent(0), 'link lb.api'],
  ['sent = ended + in flight', 'an attempt that ended twice', (run) => lb(run).shared.callers.ended(0, 0), 'link lb.api'],
  ['entered = left + inside', 'a call that came in and is nowhere', (run) => void api(run).entered++, 'api.2'],
  ['entered = left + inside', 'a call that left twice', (run) => void api(run).left++, 'api.2'],
  ['inside = as counted', 'a call that is inside twice', (run) => api(run).inside.add(1, atEnd), 'api.2'],
  ["Little's law, mean inside × time = sum of sojourns", 'a microsecond of sojourn too much', (run) => void (api(run).sojournNs += 1000), 'api.2'],
  ['utilisation law, CPU used = CPU received', 'a microsecond of CPU too much', (run) => received(run).add(1000), 'api.2'],
  ['requests in flight = calls at their sources', 'a request that was offered and that no call is about', ({ recorder }) => recorder.traffic[0].offered(0), ''],
  ['probes sent = ended + in flight', 'a probe that ended twice', (run) => void lb(run).shared.totals.probes.good++, 'link lb.api'],
  ['outstanding = attempts under way', 'an attempt that is under way nowhere', (run) => {
    lb(run).shared.callers.sent(0);
    lb(run).callers[0].outstanding[1]++;
  }, 'link lb.api of 1'],
  ['connections in use = by calls that are there', 'a connection that nobody gave back', (run) => pool(run).inUse.add(1, atEnd), 'link api.db of 1'],
  ['waiting for a connection = calls in line', 'a place in the line of a pool that nobody has', (run) => pool(run).waiting.add(1, atEnd), 'link api.db of 1'],
  ['waiting for a connection = length of the line', 'a line of a pool that is longer than it says', (run) => void caller(run).waiters.length++, 'link api.db of 1'],
  ['connections promised = calls that come for them', 'a connection that nobody comes for', (run) => void pool(run).promised++, 'link api.db of 1'],
  ['held = by calls that are there', 'a lock that nobody gave back', ({ locks }) => locks[0].held.add(1, atEnd), 'lock api.row'],
  ['waiting = calls in line', 'somebody at a lock who is gone', ({ locks }) => locks[0].waiting.add(1, atEnd), 'lock api.row'],
  ['slots taken = by calls that are there', 'a slot that nobody has', (run) => api(run).slots.add(1, atEnd), 'api.2'],
  ['queued = calls in line', 'somebody in a queue who is gone', (run) => api(run).queued.add(1, atEnd), 'api.2'],
  ['mean line for a connection × time = sum of waits', 'a microsecond of wait for a connection too much', (run) => void (caller(run).shared.poolWait.add(1000)), 'link api.db'],
  ['mean line × time = sum of waits', 'a microsecond of wait for a lock too much', ({ locks }) => void locks[0].waits.add(1000), 'lock api.row'],
  ['CPU used = used by its containers', 'a microsecond of CPU that no container used', (run) => poolOf(run).add(1000), 'host box'],
  ['queued = length of the queue', 'a queue that is longer than it says', (run) => void api(run).queue.length++, 'api.2'],
];

describe('a violated law stops the run', () => {
  /** A run at its end, one of whose counts is then falsified. */
  const check = (falsify: (simulation: Simulation) => void): (() => void) => {
    const simulation = new Simulation(parseScenario(text, { file: 'test.yaml' }).variants[0], 1);
    Array.from(simulation.run());
    falsify(simulation);
    return () => simulation.checkLaws();
  };

  it('accepts the run as it is', () => {
    expect(check(() => {})).not.toThrow();
  });

  it.each(violations)('by "%s", for %s', (law, _what, falsify, named) => {
    const error = thrownBy(check(falsify));
    expect(error).toBeInstanceOf(FaultreelError);
    expect([error.exitCode, error.problems.length]).toEqual([1, 1]);
    expect(error.problems[0].message.split('; found ')[0]).toBe(`a law of the simulation is violated: ${named === '' ? '' : `${named}: `}${law}`);
    expect(error.problems[0].hint).toContain('a fault of faultreel, not of the scenario');
  });

  it('has a violation here for every law that there is', () => {
    const sources = ['laws.ts', 'books.ts', 'lines.ts'].map((file) => readFileSync(path.join(import.meta.dirname, '../../../src/engine/record', file), 'utf8')).join('\n');
    const told = [...sources.matchAll(/(?:equal\(|near\(|law: )([`'"])(.*?)\1,/g)].map(([, , words]) => words.replace(/^.*\}: /, ''));
    expect(told.length).toBeGreaterThanOrEqual(18);
    expect(new Set(told)).toEqual(new Set(violations.map(([law]) => law)));
  });
});

describe('on the command line', () => {
  it('a violated law ends with 1, names the part, and leaves nothing', async () => {
    const host = testHost(['run', 'shop.yaml', '--only', 'text']);
    writeFileSync(path.join(host.cwd, 'shop.yaml'), text);
    const run = Reflect.get(Simulation.prototype, 'run') as (this: Simulation) => Generator<number, void>;
    Simulation.prototype.run = function* (this: Simulation) {
      api(this).entered++;
      yield* run.call(this);
    };
    try {
      expect(await main(host)).toBe(1);
    } finally {
      Simulation.prototype.run = run;
    }
    expect(host.written.stderr()).toMatch(/a law of the simulation is violated: api\.2: entered = left \+ inside; found \d+ and \d+\n {2}This is a fault of faultreel/);
    expect(host.written.stdout()).toBe('');
  });
});

const thrownBy = (run: () => void): FaultreelError => {
  try {
    run();
  } catch (error) {
    return error as FaultreelError;
  }
  throw new Error('nothing was thrown');
};
