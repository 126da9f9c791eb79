import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { eventForms, splitSubject } from '../../src/study/events.js';
import type { SimulatedRun } from '../../src/study/types.js';
import { scenario, simulated } from '../support/simulated.js';

const file = new URL('../../scenarios/order-api-spike.yaml', import.meta.url);
const spike = (): SimulatedRun => simulate(parseScenario(readFileSync(file, 'utf8'), { file: 'order-api-spike.yaml' }).variants[0]);

/** A box whose CPU, lock and pool give out, whose database fails, and whose app is replaced by a version that fails. */
const box = (): SimulatedRun => simulated(scenario(`
  duration: 90s
  hosts: { box: { cpus: 1, memory: 1GiB } }
  services:
    app:
      host: box
      instances: 2
      slots: 20
      queue: { limit: 10 }
      recovery: { after: 2s }
      handlers: { join: [{ cpu: { assumed: 20ms, cv: 0, why: a guess } }, { lock: row, wait: 100ms }, { call: db.write }] }
      to: { db: { pool: { max: 2, wait: 1s }, outlier: { errors: 3, eject: 5s, maxEjected: 100% }, breaker: { minimum: 5, errors: 50%, open: 5s } } }
    db: { instances: 2, handlers: { write: [{ wait: { assumed: 30ms, cv: 0, why: a guess } }] } }
  traffic: { joins: { to: app, send: join, keys: 1, open: { arrivals: even, rate: 60/s } } }
  faults:
    shaky: { at: 20s, for: 20s, target: db, errors: 100% }
    dies: { at: 50s, target: app.1, crash: true }
    release: { at: 60s, target: app, deploy: { how: rolling, boot: 2s, batch: 1 } }`));

/** What a subject of the log is in the run's system. */
const bearerOf = ({ system, services }: SimulatedRun, subject: string): string => {
  const { service, instance } = splitSubject(subject);
  if (instance !== null) return 'instance';
  if (service in services) return 'service';
  if (system.hosts.some(({ name }) => name === service)) return 'host';
  if (system.links.some(({ caller, callee }) => `${caller}.${callee}` === service)) return 'link';
  return service.includes('.') ? 'lock' : 'fault';
};

describe.each([['the shipped scenario', spike], ['a box where everything gives out', box]])('the events of %s', (_name, run) => {
  const made = run();

  it('carry what their form says, and nothing else', () => {
    expect(made.eventLog.length).toBeGreaterThan(20);
    for (const { kind, data } of made.eventLog) expect([kind, ...Object.keys(data).sort()]).toEqual([kind, ...[...eventForms[kind].data].sort()]);
  });

  it('happened to what their form says', () => {
    for (const { kind, subject } of made.eventLog) expect(eventForms[kind].subjects, `${kind} ${subject}`).toContain(bearerOf(made, subject));
  });
});

describe('a box where everything gives out', () => {
  it('logs every kind of event that it can', () => {
    const kinds = new Set(box().eventLog.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['back', 'booted', 'breaker-closed', 'breaker-open', 'crashed', 'deployed', 'ejected', 'fault', 'fault-end', 'gone', 'lock-timeout', 'ready', 'saturated']);
  });
});
