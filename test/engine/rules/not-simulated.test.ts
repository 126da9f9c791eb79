import { describe, expect, it } from 'vitest';
import { unsupported } from '../../../src/engine/index.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { scenario } from '../../support/simulated.js';

interface Parts {
  readonly svc?: string;
  readonly link?: string;
  readonly steps?: string;
  readonly traffic?: string;
  readonly more?: string;
}
const refused = ({ svc = '', link = '', steps = 'call: db.read', traffic = 'open: { rate: 1/s }', more = '' }: Parts): string[] =>
  unsupported(
    parseScenario(
      scenario(`
        duration: 10s
        machines: { box: { cpus: 2, memory: 1GiB } }
        hosts: { shared: { cpus: 2, memory: 1GiB } }
        services:
          svc: { ${svc} to: { db: { ${link} } }, handlers: { job: [{ ${steps} }] } }
          db: { handlers: { read: [{ wait: 1ms }] } }
          q: { kind: queue, handlers: { job: [{ wait: 1ms }] } }
        traffic:
          jobs: { to: svc, send: job, ${traffic} }
        ${more}
      `),
      { file: 'test.yaml' },
    ).variants[0],
  ).map(({ path }) => path);
const step = 'services.svc.handlers.job.0';

describe('what is valid but not simulated yet is refused by name, never ignored', () => {
  it('takes what it does simulate', () => {
    expect(refused({ svc: 'machine: box, slots: 2, queue: { limit: 3, patience: 1s }, recovery: { by: restart, after: 1s }, warmUp: { for: 1s, factor: 2x },', link: 'policy: two-choices, timeout: 1s, latency: 1ms, pool: { max: 1, pending: 2, wait: 1s }', more: 'faults: { kill: { at: 1s, target: svc, crash: true } }' })).toEqual([]);
  });

  it.each<[string, Parts, string]>([
    ['a shared host', { svc: 'host: shared,' }, 'services.svc.host'],
    ['a sidecar', { svc: 'beside: db,' }, 'services.svc.beside'],
    ['CFS throttling', { svc: 'machine: box, throttle: cfs,' }, 'services.svc.throttle'],
    ['slots of an event loop', { svc: 'slots: 1, slotsHeld: cpu,' }, 'services.svc.slotsHeld'],
    ['memory per connection', { svc: 'memory: { perConnection: 1MiB },' }, 'services.svc.memory.perConnection'],
    ['a leak per second', { svc: 'memory: { leakPerSecond: 1MiB },' }, 'services.svc.memory.leakPerSecond'],
    ['a reboot', { svc: 'recovery: { by: reboot, after: 1s },' }, 'services.svc.recovery.by'],
    ['a replacement', { svc: 'recovery: { by: replace, after: 1s },' }, 'services.svc.recovery.by'],
    ['a back-off of restarts', { svc: 'recovery: { by: restart, after: 1s, backoff: kubernetes },' }, 'services.svc.recovery.backoff'],
    ['a rate limit', { svc: 'rateLimit: { rate: 1/s },' }, 'services.svc.rateLimit'],
    ['stock', { svc: 'stock: { seats: 3 },' }, 'services.svc.stock'],
    ['a worker', { svc: 'consumes: q,' }, 'services.svc.consumes'],
    ['scaling on slots', { svc: 'autoscale: { min: 1, max: 2, target: 50%, boot: 1s, metric: slots },' }, 'services.svc.autoscale.metric'],
    ['the rule of EC2', { svc: 'machine: box, autoscale: { min: 1, max: 2, target: 50%, boot: 1s, rule: ec2 },' }, 'services.svc.autoscale.rule'],
    ['balancing by hash', { link: 'policy: hash' }, 'services.svc.to.db.policy'],
    ['outlier ejection', { link: 'outlier: { errors: 5 }' }, 'services.svc.to.db.outlier'],
    ['slow start', { link: 'slowStart: 10s' }, 'services.svc.to.db.slowStart'],
    ['connections that close', { link: 'pool: { max: 1, reuse: 10 }' }, 'services.svc.to.db.pool.reuse'],
    ['handshakes', { link: 'pool: { max: 1, handshake: { time: 1ms } }' }, 'services.svc.to.db.pool.handshake'],
    ['CPU of handshakes', { link: 'pool: { max: 1, handshake: { calleeCpu: 1ms } }' }, 'services.svc.to.db.pool.handshake'],
    ['a deadline', { link: 'deadline: 1s' }, 'services.svc.to.db.deadline'],
    ['retries', { link: 'retries: { max: 1 }' }, 'services.svc.to.db.retries'],
    ['a breaker', { link: 'breaker: { errors: 50%, window: 10s, minimum: 1, open: 1s, probes: 1 }' }, 'services.svc.to.db.breaker'],
    ['cancelled work', { link: 'timeout: 1s, cancel: true' }, 'services.svc.to.db.cancel'],
    ['a step that repeats', { steps: 'wait: 1ms, times: 2' }, `${step}.times`],
    ['a step by chance', { steps: 'wait: 1ms, chance: 50%' }, `${step}.chance`],
    ['a step with another way out', { steps: 'call: db.read, orElse: [{ wait: 1ms }]' }, `${step}.orElse`],
    ['retries of a step', { steps: 'call: db.read, retries: { max: 1 }' }, `${step}.retries`],
    ['steps beside each other', { steps: 'parallel: [[{ wait: 1ms }], [{ wait: 2ms }]]' }, step],
    ['a choice', { steps: 'choose: [{ weight: 1, steps: [{ wait: 1ms }] }]' }, step],
    ['a transaction', { steps: 'transaction: db, steps: [{ call: db.read }]', link: 'pool: { max: 1 }' }, step],
    ['a lock', { steps: 'lock: row, wait: 1s' }, step],
    ['a cache', { steps: 'cache: 80%, miss: [{ wait: 1ms }]' }, step],
    ['closed traffic', { traffic: 'closed: { users: 3, think: 1s }' }, 'traffic.jobs.closed'],
    ['bursts', { traffic: 'bursts: { sizes: [3], every: 1s }' }, 'traffic.jobs.bursts'],
    ['keys', { traffic: 'open: { rate: 1/s }, keys: 5' }, 'traffic.jobs.keys'],
    ['a limit of the generator', { traffic: 'open: { rate: 1/s }, limit: 5' }, 'traffic.jobs.limit'],
    ['traffic from instances', { traffic: 'open: { rate: 1/s }, from: db' }, 'traffic.jobs.from'],
    ['a slow service', { more: 'faults: { bad: { at: 1s, target: svc, slow: 3x } }' }, 'faults.bad.slow'],
    ['latency as a fault', { more: 'faults: { bad: { at: 1s, target: [svc, db], latency: 1s } }' }, 'faults.bad.latency'],
    ['a crash with an end', { more: 'faults: { bad: { at: 1s, for: 2s, target: svc, crash: true } }' }, 'faults.bad.for'],
  ])('%s', (_, parts, path) => {
    expect(refused(parts)).toEqual([path]);
  });

  it('a journey', () => {
    const text = scenario(`
      duration: 10s
      services:
        svc: { handlers: { job: [{ wait: 1ms }] } }
      traffic:
        jobs: { steps: [{ call: svc.job }], open: { rate: 1/s } }
    `);
    expect(unsupported(parseScenario(text, { file: 'test.yaml' }).variants[0]).map(({ path }) => path)).toEqual(['traffic.jobs.steps']);
  });
});
