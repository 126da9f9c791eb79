import fc from 'fast-check';
import { anySteps, drawn, type Json, type Keys, maybe, ms, percent, retries, together } from './any-steps.js';

/** Length of every run, s. */
export const durationS = 12;

const policy = fc.constantFrom('round-robin', 'random', 'two-choices', 'least-outstanding', 'hash');
const unnamedHealth = fc.record({ path: fc.constantFrom('shared', 'dedicated'), every: ms(300, 2000), timeout: ms(20, 1500), unhealthyAfter: fc.integer({ min: 1, max: 3 }), healthyAfter: fc.integer({ min: 1, max: 3 }) });
const health = together(unnamedHealth, maybe('request', fc.constant('ping')));
const pool = together(
  fc.record({ max: fc.integer({ min: 1, max: 6 }), wait: ms(1, 500) }),
  maybe('pending', fc.integer({ min: 0, max: 5 })),
  maybe('reuse', fc.integer({ min: 1, max: 5 })),
  maybe('handshake', together(maybe('time', drawn(0, 20)), maybe('callerCpu', drawn(0, 4)), maybe('calleeCpu', drawn(0, 4)))),
);
/** A link of any kind, `to` a service with a handler `ping`. */
const link = together(
  fc.record({ policy }),
  maybe('latency', drawn(0, 20)),
  maybe('timeout', ms(1, 800)),
  maybe('deadline', ms(1, 900)),
  maybe('retries', retries),
  maybe('pool', pool),
  maybe('cancel', fc.boolean()),
  maybe('failOpen', fc.constantFrom<Json>(1, 2, '50%')),
  maybe('slowStart', ms(0, 3000)),
  maybe('outlier', fc.record({ errors: fc.integer({ min: 1, max: 4 }), every: ms(500, 2000), eject: ms(100, 3000), maxEjected: percent(10, 100) })),
  maybe('breaker', fc.record({ errors: percent(1, 100), window: ms(100, 4000), minimum: fc.integer({ min: 1, max: 10 }), open: ms(0, 2000), probes: fc.integer({ min: 1, max: 3 }) })),
);
const checkedLink = together(link, maybe('health', health));

const memory = together(
  fc.record({ base: fc.constant('50MiB'), limit: fc.integer({ min: 80, max: 400 }).map((n) => `${n}MiB`) }),
  maybe('perRequest', fc.integer({ min: 0, max: 20 }).map((n) => `${n}MiB`)),
  maybe('perConnection', fc.integer({ min: 0, max: 30 }).map((n) => `${n}MiB`)),
  maybe('leakPerRequest', fc.integer({ min: 0, max: 400 }).map((n) => `${n}KiB`)),
  maybe('leakPerSecond', fc.integer({ min: 0, max: 60 }).map((n) => `${n}MiB`)),
);
const recovery = together(
  fc.record({ by: fc.constantFrom('none', 'restart', 'reboot', 'replace'), after: fc.constantFrom('0s', '300ms', '3s') }),
  maybe('backoff', fc.constantFrom('none', 'kubernetes')),
);
const autoscale = fc.constantFrom<[string, Json]>(['cpu', '40%'], ['cpu', '5%'], ['slots', '50%'], ['queue', 2]).chain(([metric, target]) =>
  together(
    fc.record({ min: fc.constant(1), max: fc.integer({ min: 3, max: 5 }), metric: fc.constant(metric), target: fc.constant(target), rule: fc.constantFrom('hpa', 'ec2'), every: ms(1000, 3000), window: ms(500, 4000), boot: ms(0, 3000), inWindow: ms(0, 4000), outCooldown: ms(0, 3000), drain: ms(0, 1500) }),
    metric === 'cpu' ? maybe('with', fc.constant<Json>(['proxy'])) : fc.constant<Keys>({}),
  )).map((own): Keys => ({ autoscale: own, cpuRequest: 1, slots: 8 }));
const rateLimit = fc.record({ rate: fc.integer({ min: 1, max: 150 }).map((n) => `${n}/s`), burst: fc.integer({ min: 1, max: 20 }), delay: fc.boolean(), scope: fc.constantFrom('instance', 'service') });

/** What any service may have. */
const anywhere = together(
  maybe('slots', fc.integer({ min: 1, max: 12 })),
  maybe('slotsHeld', fc.constantFrom('request', 'cpu')),
  maybe('queue', together(maybe('limit', fc.integer({ min: 0, max: 15 })), maybe('patience', ms(0, 400)))),
  maybe('cpus', fc.constantFrom(0.5, 1, 1.5)),
  maybe('throttle', fc.constantFrom('smooth', 'cfs')),
  maybe('memory', memory),
  maybe('recovery', recovery),
  maybe('warmUp', fc.record({ for: ms(100, 4000), factor: fc.constantFrom('1.5x', '3x') })),
  maybe('rateLimit', rateLimit),
);
const placed = fc.constantFrom<Keys>({}, { machine: 'box' }, { host: 'shared' });
const instances = fc.integer({ min: 1, max: 3 }).map((count): Keys => ({ instances: count }));
const stock: Json = { seat: 2 };
const ping = fc.constantFrom<Json>([{ wait: '1ms' }], [{ cpu: '1ms' }], [{ chance: '20%', fail: 'sick' }]);

const services = fc.record({
  lb: together(anywhere, placed, instances, together(link, maybe('health', unnamedHealth)).map((proxy): Keys => ({ to: { proxy } }))),
  /** In every pod of `api`; passes everything on to it, or works first. */
  proxy: together(anywhere, fc.constant<Keys>({ beside: 'api' }), checkedLink.map((api): Keys => ({ to: { api } })), maybe('handlers', drawn(0, 3).map((cpu): Json => ({ ping: [{ wait: '1ms' }], any: [{ cpu }, { call: 'api' }] })))),
  api: together(
    anywhere, placed, instances,
    fc.record({ db: checkedLink, side: checkedLink, mail: link }).map((to): Keys => ({ to, stock })),
    fc.record({
      order: anySteps({ calls: ['db.query', 'db.write', 'side.look'], publishes: ['mail.letter'], pushes: ['chat'], transactions: ['db', 'side'], hasStocks: true }),
      say: anySteps({ calls: ['side.look'], publishes: ['mail.letter'], pushes: ['chat'], transactions: ['db'], hasStocks: true }, 1),
      ping,
    }).map((handlers): Keys => ({ handlers })),
    fc.oneof(fc.constant<Keys>({}), autoscale),
  ),
  db: together(anywhere, placed, instances, fc.record({
    query: anySteps({ calls: ['side.look'], publishes: [], pushes: [], transactions: ['side'], hasStocks: true }, 1),
    write: anySteps({ calls: [], publishes: ['mail.letter'], pushes: [], transactions: [], hasStocks: true }, 1),
    ping,
  }).map((handlers): Keys => ({ handlers, stock }))),
  side: together(anywhere, placed, instances, fc.record({ look: anySteps({ calls: [], publishes: [], pushes: [], transactions: [], hasStocks: true }, 1), ping }).map((handlers): Keys => ({ handlers, stock }))),
  mail: together(anywhere, placed, instances),
  postman: together(anywhere, placed, instances, anySteps({ calls: ['side.look'], publishes: [], pushes: ['chat'], transactions: ['side'], hasStocks: true }, 2).map((letter): Keys => ({ consumes: 'mail', handlers: { letter }, stock }))),
});

const rate = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((n): Json => `${n}/s`),
  fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 80 })).map(([a, b]): Json => [['0s', `${a}/s`], ['5s', `${b}/s`], ['8s', '20/s']]),
  fc.record({ stairs: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 3 }).map((steps) => steps.map((n) => `${n}/s`)), each: fc.constant('2s'), gap: fc.constantFrom('0s', '500ms'), warmUp: fc.constantFrom('0s', '1s') }),
);
const users = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map((n): Json => n),
  fc.tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 15 })).map(([a, b]): Json => [['0s', a], ['5s', b], ['8s', 3]]),
);
const asks = fc.oneof<fc.Arbitrary<Keys>[]>(
  fc.record({ rate, arrivals: fc.constantFrom('even', 'poisson') }).map((open) => ({ open })),
  fc.record({ users, think: drawn(5, 400) }).map((closed) => ({ closed })),
  fc.record({ sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }), every: ms(300, 3000), rounds: fc.integer({ min: 1, max: 3 }) }).map((bursts) => ({ bursts })),
);
const keys = fc.constantFrom<Json>(1, 5, 1000, { count: 50, hot: 2, share: '60%' });
const anyTraffic = together(maybe('keys', keys), maybe('limit', fc.integer({ min: 1, max: 40 })), maybe('start', ms(0, 3000)));
const sends = together(anyTraffic, asks, link.map((lb): Keys => ({ to: { lb } })), fc.constantFrom<Keys>({ send: 'order' }, { send: { order: 3, say: 1 } }));
const journey = together(anyTraffic, asks, fc.record({ lb: link, side: link }).map((to): Keys => ({ to })), anySteps({ calls: ['lb.order', 'lb.say', 'side.look'], publishes: ['mail.letter'], pushes: [], transactions: ['side'], hasStocks: false }, 2).map((steps): Keys => ({ steps })));
const chat = together(
  anyTraffic, link.map((lb): Keys => ({ to: { lb }, send: 'say' })),
  together(fc.record({ connect: fc.integer({ min: 1, max: 20 }).map((n) => `${n}/s`), hold: drawn(50, 4000), every: drawn(100, 2000) }), maybe('max', fc.integer({ min: 1, max: 20 })), maybe('opening', fc.constant('say'))).map((sockets): Keys => ({ sockets })),
);
const cron = together(anyTraffic, asks, link.map((side): Keys => ({ to: { side }, send: 'look' })), fc.constantFrom<Keys>({ from: 'db' }, { from: 'api' }, { from: 'proxy' }));

const onAnything = fc.constantFrom<Keys>(
  { crash: true }, { slow: '3x' }, { steal: '50%' }, { steal: '100%' }, { freeze: true }, { freeze: true }, { errors: '30%' }, { leak: '30MiB/s' }, { hog: '200MiB' }, { latency: '50ms' }, { loss: '30%' }, { blackhole: true }, { cut: true },
);
const onLink = fc.constantFrom<Keys>({ latency: '40ms' }, { loss: '40%' }, { blackhole: true }, { cut: true });
const deployment = together(
  fc.record({ how: fc.constantFrom('rolling', 'blue-green'), boot: ms(0, 1500), batch: fc.integer({ min: 1, max: 2 }), failing: fc.integer({ min: 0, max: 1 }) }),
).map((deploy): Keys => ({ deploy }));
const fault = fc.oneof(
  together(fc.constantFrom('lb', 'proxy', 'proxy.1', 'api', 'api.1', 'db', 'db.1', 'side', 'mail', 'postman', 'postman.1').map((target): Keys => ({ target })), onAnything),
  together(fc.constantFrom<Json>(['lb', 'proxy'], ['proxy', 'api'], ['api', 'db'], ['api', 'side'], ['api', 'mail'], ['first', 'lb']).map((target): Keys => ({ target })), onLink),
  together(fc.constantFrom('api', 'db', 'lb', 'postman').map((target): Keys => ({ target })), deployment),
).chain((what) => ('deploy' in what ? ms(0, 6000).map((at): Keys => ({ ...what, at })) : fc.record({ at: ms(0, 5000), for: ms(1, 3000) }).map((when): Keys => ({ ...what, ...when }))));

/** A system out of everything that the language has, with everything done to it, as a scenario file's JSON. */
export const anyScenario: fc.Arbitrary<Keys> = fc.record({
  faultreel: fc.constant(1),
  title: fc.constant('anything'),
  duration: fc.constant(`${durationS}s`),
  tick: fc.constantFrom('1s', '500ms', '3s'),
  seed: fc.integer({ min: 0, max: 1e6 }),
  machines: fc.constant<Json>({ box: { cpus: 2, memory: '1GiB' } }),
  hosts: fc.integer({ min: 400, max: 2000 }).map((memory): Json => ({ shared: { cpus: 3, memory: `${memory}MiB` } })),
  services,
  traffic: together(sends.map((first): Keys => ({ first })), chat.map((own): Keys => ({ chat: own })), maybe('journeys', journey), maybe('cron', cron), maybe('second', sends)),
  phases: fc.constant<Json>({ all: ['0s', '12s'], early: ['0s', '4500ms'], late: ['4500ms', '12s'], overlapping: ['3s', '6s'] }),
  faults: fc.dictionary(fc.constantFrom('one', 'two', 'three', 'four', 'five'), fault, { maxKeys: 5 }),
}).map((file): Keys => file);

/** The same, but nobody asks any more from the sixth second on, and it goes on for long enough that whatever is under way comes to its end. Faults are over before. */
export const goingQuiet = (file: Keys): Keys => ({
  ...file,
  duration: '600s',
  tick: '3s',
  traffic: Object.fromEntries(Object.entries(file['traffic'] as Readonly<Record<string, Keys>>).map(([name, traffic]) => [name, { ...traffic, stop: '6s' }])),
});
