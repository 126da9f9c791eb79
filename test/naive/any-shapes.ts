import fc from 'fast-check';
import { type Json, type Keys, maybe, together } from '../support/any-steps.js';
import { anySteps, drawnTime, retries, type Scope, time } from './any-steps.js';

export const none = fc.constant<Keys>({});
/** With so much chance in eight. */
export const sometimes = (eighths: number, keys: fc.Arbitrary<Keys>): fc.Arbitrary<Keys> => fc.oneof({ weight: 8 - eighths, arbitrary: none }, { weight: eighths, arbitrary: keys });
export const key = (name: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Keys> => values.map((value): Keys => ({ [name]: value }));

export type Named = Readonly<Record<string, Keys>>;
export const mapped = (of: Json | undefined, change: (own: Keys, name: string) => Keys): Keys => Object.fromEntries(Object.entries((of ?? {}) as Named).map(([name, own]) => [name, change(own, name)]));
export const without = (keys: Keys, name: string, isMeant: boolean): Keys => (isMeant ? Object.fromEntries(Object.entries(keys).filter(([own]) => own !== name)) : keys);

/** Many stand in line for one lock, each in a transaction over a connection of its own, when the process at the other end dies. */
export const lineAtLock = (scope: Scope): fc.Arbitrary<Keys> => {
  const lock = together(fc.record({ lock: fc.constantFrom('row', 'door'), wait: time(50, 1500) }), maybe('retries', retries), maybe('scope', fc.constantFrom('instance', 'service')));
  const inside = anySteps({ calls: ['db.put', 'side.look'], publishes: [], transactions: ['side'], hasStock: true }, scope, 1);
  const afterwards = fc.constantFrom<Json>([], [{ lock: 'door', wait: '80ms' }, { cpu: { assumed: '3ms', cv: 1 } }], [{ take: 'seat' }, { call: 'side.look' }]);
  const begun = fc.tuple(lock, drawnTime(5, 120), inside, fc.boolean()).map(([own, held, rest, isBranch]): Json => (isBranch ? [{ take: 'seat' }, { parallel: [[own, { wait: held }], [own], rest] }] : [own, { wait: held }, ...(rest as readonly Json[])]));
  return fc.record({
    order: fc.tuple(begun, afterwards).map(([steps, orElse]): Json => [{ transaction: 'db', steps, orElse }]),
    crash: fc.record({ target: fc.constantFrom('db', 'db.1'), crash: fc.constant(true), at: time(200, 2500) }),
    keys: fc.constantFrom(1, 1, 4),
  });
};

export const withLine = (file: Keys, { order, crash, keys }: Keys): Keys => {
  const services = file['services'] as Named;
  const traffic = file['traffic'] as Named;
  const api = without(without(services['api'], 'slots', !('autoscale' in services['api'])), 'queue', true);
  return {
    ...file,
    services: { ...services, api: { ...api, handlers: { ...(api['handlers'] as Keys), order } } },
    traffic: { ...traffic, first: { ...traffic['first'], keys } },
    faults: { ...(file['faults'] as Keys), four: crash },
  };
};

const anyAutoscale = { min: fc.constant(1), max: fc.constant(10), every: time(100, 140), window: time(100, 500), boot: time(0, 200), inWindow: time(0, 700), outCooldown: time(0, 300), drain: time(0, 300) };
const cpuRequest = 0.99123647;

/** A fleet whose load falls, so that its autoscaler takes instances away, one of which has been replaced meanwhile. */
const falling = fc.record({
  api: fc.record({
    instances: fc.integer({ min: 2, max: 9 }),
    autoscale: fc.record({ ...anyAutoscale, metric: fc.constantFrom('cpu', 'slots'), target: fc.integer({ min: 20, max: 300 }).map((tenths) => `${tenths / 10}%`), rule: fc.constantFrom('hpa', 'ec2') }),
    recovery: fc.record({ by: fc.constantFrom('replace', 'restart'), after: time(0, 300) }),
  }),
  order: drawnTime(2, 15).map((cpu): Json => [{ cpu }]),
  open: fc.record({
    rate: fc.tuple(fc.integer({ min: 40, max: 250 }), fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 60 })).map(([high, low, last]): Json => [['0s', `${high}/s`], ['700ms', `${high}/s`], ['900ms', `${low}/s`], ['4s', `${last}/s`]]),
    arrivals: fc.constantFrom('even', 'poisson'),
  }),
  faults: fc.record({ five: fc.record({ target: fc.constantFrom('api.1', 'api.2'), crash: fc.constant(true), at: time(200, 1800) }) }),
});

/** A fleet so large, and so steadily a little below its target, that the lower threshold decides whether one instance is too many. */
const nearTarget = fc.tuple(fc.integer({ min: 8, max: 10 }), fc.integer({ min: 100, max: 200 }), fc.integer({ min: 3, max: 8 }), fc.integer({ min: 76, max: 99 }), fc.record(anyAutoscale)).map(([instances, perS, ms, percent, own]): Keys => ({
  api: { instances, recovery: { by: 'none' }, autoscale: { ...own, metric: 'cpu', target: `${((perS * ms) / 1000 / instances / cpuRequest / percent) * 1e4}%`, rule: 'ec2' } },
  order: [{ cpu: { assumed: `${ms}ms`, cv: 0 } }],
  open: { rate: `${perS}/s`, arrivals: 'even' },
  faults: {},
}));

export const ebb: fc.Arbitrary<Keys> = fc.oneof(falling as fc.Arbitrary<Keys>, nearTarget);

export const withEbb = (file: Keys, { api, order, open, faults }: Keys): Keys => {
  const services = file['services'] as Named;
  const traffic = file['traffic'] as Named;
  const { to, keys } = traffic['first'];
  const { to: links, handlers, stock } = services['api'];
  return {
    ...file,
    duration: '5s',
    services: { ...services, lb: { to: services['lb']['to'] }, api: { to: links, handlers: { ...(handlers as Keys), order }, ...(stock === undefined ? {} : { stock }), cpuRequest, slots: 6, ...(api as Keys) } },
    traffic: { ...traffic, first: { to, send: 'order', ...(keys === undefined ? {} : { keys }), open } },
    faults: { ...(file['faults'] as Keys), ...(faults as Keys) },
  };
};
