import fc from 'fast-check';
import { type Json, type Keys, maybe, percent, together } from '../support/any-steps.js';
import { anySteps, drawnTime, retries, type Scope, spreadTime, time } from './any-steps.js';
import { ebb, key, lineAtLock, mapped, type Named, none, sometimes, withEbb, withLine, without } from './any-shapes.js';


const pool = together(
  fc.record({ max: fc.integer({ min: 1, max: 5 }) }),
  maybe('wait', time(1, 300)),
  maybe('pending', fc.integer({ min: 0, max: 5 })),
  maybe('reuse', fc.integer({ min: 1, max: 4 })),
  maybe('handshake', together(maybe('time', drawnTime(0, 15)), maybe('callerCpu', spreadTime(0.1, 3)), maybe('calleeCpu', spreadTime(0.1, 3)))),
);
const unnamedHealth = fc.record({ path: fc.constantFrom('shared', 'dedicated'), every: time(100, 700), timeout: time(5, 300), unhealthyAfter: fc.integer({ min: 1, max: 3 }), healthyAfter: fc.integer({ min: 1, max: 3 }) });
const health = together(unnamedHealth, maybe('request', fc.constant('ping')));
const outlier = fc.record({ errors: fc.integer({ min: 1, max: 4 }), every: time(200, 900), eject: time(100, 1500), maxEjected: percent(30, 100) });
const breaker = fc.record({ errors: percent(10, 100), window: time(200, 3000), minimum: fc.integer({ min: 1, max: 8 }), open: time(0, 1000), probes: fc.integer({ min: 1, max: 3 }) });

/** A link to a service, which may have a handler `ping`. */
const link = (scope: Scope, hasPing = true): fc.Arbitrary<Keys> =>
  together(
    sometimes(6, key('policy', fc.constantFrom('round-robin', 'random', 'two-choices', 'least-outstanding', 'hash'))),
    sometimes(5, key('latency', drawnTime(0, 8))),
    ...(scope.limits
      ? [
          sometimes(3, key('timeout', time(2, 400))), sometimes(2, key('deadline', time(2, 600))), sometimes(3, key('retries', retries)), sometimes(3, key('pool', pool)),
          sometimes(3, key('cancel', fc.constant(true))), sometimes(1, key('breaker', breaker)),
        ]
      : []),
    ...(scope.fleet ? [sometimes(2, key('health', hasPing ? health : unnamedHealth)), sometimes(2, key('outlier', outlier)), sometimes(2, key('failOpen', fc.constantFrom<Json>(1, 2, '60%'))), sometimes(2, key('slowStart', time(100, 3000)))] : []),
  );

const memory = together(
  fc.record({ base: fc.constant('50MiB'), limit: fc.integer({ min: 80, max: 300 }).map((n) => `${n}MiB`), perRequest: fc.integer({ min: 0, max: 10 }).map((n) => `${n}MiB`) }),
  maybe('leakPerRequest', fc.integer({ min: 0, max: 900 }).map((n) => `${n}KiB`)),
  maybe('leakPerSecond', fc.integer({ min: 0, max: 40 }).map((n) => `${n}MiB`)),
);
const autoscale = fc.constantFrom<[string, Json]>(['cpu', '40%'], ['cpu', '8%'], ['slots', '20%'], ['queue', 1]).chain(([metric, target]) =>
  fc.record({ min: fc.constant(1), max: fc.integer({ min: 3, max: 5 }), metric: fc.constant(metric), target: fc.constant(target), rule: fc.constantFrom('hpa', 'ec2'), every: time(100, 400), window: time(100, 600), boot: time(0, 500), inWindow: time(0, 1200), outCooldown: time(0, 1000), drain: time(0, 500) }),
).map((own): Keys => ({ autoscale: own, cpuRequest: 0.99123647, slots: 6 }));

/**
 * What any service may have. Numbers of cores are odd, as are those of machines: with 1.5 cores every second end of computing would lie exactly between two
 * nanoseconds, and two honest engines round it to either.
 */
const anywhere = (scope: Scope, canQueue = true, place = fc.oneof<fc.Arbitrary<Keys>[]>(none, fc.constant({ machine: 'box' }), fc.constant({ host: 'shared' }))): fc.Arbitrary<Keys> =>
  together(
    place,
    sometimes(3, key('cpus', fc.constantFrom(0.51326747, 0.98701369, 1.53109843))),
    sometimes(2, key('cpuRequest', fc.constantFrom(0.25713641, 1.01934457, 3.01187923))),
    sometimes(5, key('slots', fc.integer({ min: 1, max: 5 }))),
    canQueue ? sometimes(4, key('queue', together(maybe('limit', fc.integer({ min: 0, max: 12 })), maybe('patience', time(1, 200))))) : sometimes(3, key('queue', fc.record({ limit: fc.integer({ min: 1, max: 30 }) }))),
    sometimes(2, key('slotsHeld', fc.constant('cpu'))),
    ...(scope.limits ? [sometimes(1, key('rateLimit', fc.record({ rate: fc.integer({ min: 10, max: 120 }).map((n) => `${n}/s`), burst: fc.integer({ min: 1, max: 10 }), delay: fc.boolean(), scope: fc.constantFrom('instance', 'service') })))] : []),
    ...(scope.faults
      ? [
          sometimes(3, key('memory', memory)),
          key('recovery', together(fc.record({ by: fc.constantFrom('none', 'restart', 'reboot', 'replace'), after: fc.oneof(fc.constant('0s'), time(50, 1500)) }), maybe('backoff', fc.constantFrom('none', 'kubernetes')))),
          sometimes(2, key('warmUp', fc.record({ for: time(50, 2000), factor: fc.constantFrom('1.5x', '3x') }))),
        ]
      : []),
  );
const instances = key('instances', fc.integer({ min: 1, max: 3 }));
const ping = key('ping', fc.oneof<fc.Arbitrary<Json>[]>(spreadTime(0.1, 4).map((cpu) => [{ cpu }]), fc.constant([{ chance: '25%', fail: 'sick' }])));
const handlers = (of: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Keys> => together(ping, fc.record(of) as fc.Arbitrary<Keys>).map((own): Keys => ({ handlers: own }));

/** Steps behind a lock that many want, alone, or in a transaction that takes a seat and may end badly. */
const section = (steps: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(steps, time(1, 200), fc.constantFrom('row', 'door'), fc.constantFrom<Json>('none', [], [{ take: 'seat' }, { chance: '40%', fail: 'bug' }], [{ put: 'seat', count: 2 }, { chance: '60%', decline: 'no' }, { take: 'seat', times: 3 }])).map(([inside, wait, lock, last]): Json => {
    const all = [{ lock, wait }, ...(inside as readonly Json[])];
    return last === 'none' ? all : [{ transaction: 'db', steps: [...all, ...(last as readonly Json[])] }];
  });

const services = (scope: Scope): fc.Arbitrary<Json> => {
  const stock: Keys = scope.holdings ? { stock: { seat: 3 } } : {};
  const own = fc.constant(stock);
  const hasStock = scope.holdings;
  const publishes = scope.holdings ? ['mail.letter'] : [];
  const to = (...callees: readonly string[]): fc.Arbitrary<Keys> => together(...callees.map((callee) => key(callee, link(scope, callee !== 'mail')))).map((links): Keys => ({ to: links }));
  const scaled = scope.fleet ? fc.oneof({ weight: 1, arbitrary: autoscale }, { weight: 1, arbitrary: none }) : none;
  const order = anySteps({ calls: ['db.put', 'db.get', 'side.look'], publishes, transactions: ['db', 'side'], hasStock }, scope);
  return fc.record({
    lb: together(anywhere(scope), instances, to('api')),
    api: together(anywhere(scope), instances, own, to('db', 'side', ...(hasStock ? ['mail'] : [])), scaled, handlers({
      order: hasStock ? fc.oneof(order, order, section(order)) : order,
      look: anySteps({ calls: ['side.look'], publishes, transactions: ['db'], hasStock }, scope, 1),
    })),
    db: together(anywhere(scope), instances, own, to('side'), handlers({
      put: anySteps({ calls: [], publishes: [], transactions: [], hasStock }, scope, 1),
      get: anySteps({ calls: ['side.look'], publishes: [], transactions: [], hasStock }, scope, 1),
    })),
    side: together(anywhere(scope), instances, own, handlers({ look: anySteps({ calls: [], publishes: [], transactions: [], hasStock }, scope, 0) })),
    ...(scope.holdings
      ? {
          mail: together(anywhere(scope, false), instances),
          postman: together(anywhere(scope), instances, own, to('side'), anySteps({ calls: ['side.look'], publishes: [], transactions: ['side'], hasStock }, scope, 1).map((letter): Keys => ({ consumes: 'mail', handlers: { letter } }))),
        }
      : {}),
  });
};

const rate = fc.oneof(
  fc.integer({ min: 5, max: 120 }).map((n): Json => `${n}/s`),
  fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 })).map(([a, b]): Json => [['0s', `${a}/s`], ['1500ms', `${b}/s`], ['2500ms', '20/s']]),
  fc.record({ stairs: fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { minLength: 2, maxLength: 3 }).map((steps) => steps.map((n) => `${n}/s`)), each: fc.constant('400ms'), gap: fc.constantFrom('0s', '200ms'), warmUp: fc.constantFrom('0s', '300ms') }),
);
const users = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map((n): Json => n),
  fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })).map(([a, b]): Json => [['0s', a], ['1500ms', b], ['2500ms', 3]]),
);
const asks = fc.oneof<fc.Arbitrary<Keys>[]>(
  fc.record({ rate, arrivals: fc.constantFrom('even', 'poisson') }).map((open) => ({ open })),
  fc.record({ users, think: spreadTime(10, 250) }).map((closed) => ({ closed })),
  fc.record({ sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }), every: time(200, 1500), rounds: fc.integer({ min: 1, max: 3 }) }).map((bursts) => ({ bursts })),
);
const anyTraffic = together(sometimes(6, key('keys', fc.constantFrom<Json>(1, 4, 4, 100, { count: 20, hot: 2, share: '60%' }))), sometimes(2, key('limit', fc.integer({ min: 1, max: 30 }))), sometimes(2, key('start', time(0, 900))));
const traffic = (scope: Scope): fc.Arbitrary<Json> => {
  const sends = together(anyTraffic, asks, key('lb', link(scope, false)).map((to): Keys => ({ to })), fc.constantFrom<Keys>({ send: 'order' }, { send: { order: 3, look: 1 } }));
  const journey = together(anyTraffic, asks, together(key('lb', link(scope, false)), key('side', link(scope))).map((to): Keys => ({ to })), anySteps({ calls: ['lb.order', 'lb.look', 'side.look'], publishes: [], transactions: ['side'], hasStock: false }, scope, 2).map((steps): Keys => ({ steps })));
  const cron = together(anyTraffic, asks, key('side', link(scope)).map((to): Keys => ({ to })), fc.constantFrom<Keys>({ send: 'look', from: 'side' }, { send: 'look', from: 'api' }));
  return together(sends.map((first): Keys => ({ first })), sometimes(3, journey.map((journeys): Keys => ({ journeys }))), sometimes(2, cron.map((own): Keys => ({ cron: own }))));
};

const onService = fc.constantFrom<Keys>({ crash: true }, { crash: true }, { slow: '3x' }, { steal: '50%' }, { steal: '100%' }, { freeze: true }, { errors: '30%' }, { leak: '40MiB/s' }, { hog: '60MiB' }, { latency: '20ms' }, { loss: '20%' }, { blackhole: true }, { cut: true });
const onLink = fc.constantFrom<Keys>({ latency: '15ms' }, { loss: '30%' }, { blackhole: true }, { cut: true });
const faults = ({ holdings }: Scope): fc.Arbitrary<Json> =>
  fc.dictionary(
    fc.constantFrom('one', 'two', 'three'),
    together(
      fc.oneof(
        { weight: 4, arbitrary: together(key('target', fc.constantFrom('lb', 'lb.1', 'api', 'api.1', 'db', 'db.1', 'side', 'side.1')), onService) },
        { weight: 3, arbitrary: together(key('target', fc.constantFrom<Json>(['lb', 'api'], ['api', 'db'], ['api', 'side'], ['db', 'side'], ['first', 'lb'])), onLink) },
        ...(holdings ? [{ weight: 1, arbitrary: together(key('target', fc.constantFrom('mail', 'mail.1', 'postman', 'postman.1')), onService) }, { weight: 1, arbitrary: together(key('target', fc.constant<Json>(['api', 'mail'])), onLink) }] : []),
      ),
      key('at', time(0, 2500)),
      fc.oneof({ weight: 3, arbitrary: key('for', time(1, 1200)) }, { weight: 1, arbitrary: none }),
    ),
    { maxKeys: 3 },
  );

/** A proxy in every pod of `api`, which passes on what comes, or works first. */
const proxy = (scope: Scope): fc.Arbitrary<Keys> =>
  together(anywhere(scope, true, fc.constant<Keys>({ beside: 'api' })), key('api', link(scope)).map((to): Keys => ({ to })), maybe('handlers', spreadTime(0.1, 3).map((cpu): Json => ({ any: [{ cpu }, { call: 'api' }] }))));

/** The same with that proxy between balancer and `api`. */
const withProxy = (file: Keys, own: Keys): Keys => {
  const { lb, api, ...others } = file['services'] as Named;
  const { api: asked, ...rest } = lb['to'] as Named;
  const counted = (autoscale: Keys): Keys => (autoscale['metric'] === 'cpu' ? { ...autoscale, with: ['proxy'] } : autoscale);
  const toProxy = 'health' in asked ? { ...asked, health: without(asked['health'] as Keys, 'request', true) } : asked;
  const targets: Readonly<Record<string, Json>> = { '["lb","api"]': ['lb', 'proxy'], '["db","side"]': ['proxy', 'api'], '"lb"': 'proxy', '"lb.1"': 'proxy.1' };
  return {
    ...file,
    services: { lb: { ...lb, to: { ...rest, proxy: toProxy } }, proxy: own, api: 'autoscale' in api ? { ...api, autoscale: counted(api['autoscale'] as Keys) } : api, ...others },
    ...('faults' in file ? { faults: mapped(file['faults'], (fault) => ({ ...fault, target: targets[JSON.stringify(fault['target'])] ?? fault['target'] })) } : {}),
  };
};

/** A small system with everything that is in scope, as a scenario file's JSON. */
export const anySystem = (scope: Scope): fc.Arbitrary<Keys> => {
  const files = fc.record({
    faultreel: fc.constant(1),
    title: fc.constant('anything'),
    duration: fc.constant('3s'),
    tick: fc.constant('1s'),
    seed: fc.integer({ min: 0, max: 1e6 }),
    machines: fc.constant<Json>({ box: { cpus: 1.97312877, memory: '1GiB' } }),
    hosts: (scope.faults ? fc.integer({ min: 200, max: 1500 }) : fc.constant(100_000)).map((mib): Json => ({ shared: { cpus: 2.11743391, memory: `${mib}MiB` } })),
    services: services(scope),
    traffic: traffic(scope),
    ...(scope.faults ? { faults: faults(scope) } : {}),
  }) as fc.Arbitrary<Keys>;
  const sidecars = scope.fleet ? fc.option(proxy(scope), { freq: 2 }) : fc.constant(null);
  const lines = scope.holdings && scope.faults ? seldom(lineAtLock(scope)) : fc.constant(null);
  const ebbs = scope.fleet ? seldom(ebb) : fc.constant(null);
  return fc.tuple(files, sidecars, lines, ebbs).map(([file, sidecar, line, falling]) => {
    const lined = line ? withLine(file, line) : file;
    const ebbing = falling ? withEbb(lined, falling) : lined;
    return sidecar ? withProxy(ebbing, sidecar) : ebbing;
  });
};

/** Once in five. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
