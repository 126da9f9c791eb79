import { describe, expect, it } from 'vitest';
import { costOf } from '../../src/analysis/cost.js';
import type { System } from '../../src/scenario/model.js';
import type { SimulatedRun } from '../../src/study/types.js';

const machine = (name: string, perHour?: number, currency = 'USD') => ({ name, ...(perHour === undefined ? {} : { price: { value: perHour, currency } }) });
type Span = readonly [number, number];
interface Case {
  readonly services?: Readonly<Record<string, { readonly machine: ReturnType<typeof machine> | null; readonly atStart: number; readonly spans: readonly Span[] }>>;
  readonly hosts?: Readonly<Record<string, ReturnType<typeof machine>>>;
  readonly phases?: Readonly<Record<string, Span>>;
}

/** Spans and phases in seconds; the run lasts 100 s. */
const cost = ({ services = {}, hosts = {}, phases = {} }: Case) => {
  const ms = ([from, to]: Span): [number, number] => [from * 1000, to * 1000];
  const run = {
    durationMs: 100_000,
    services: Object.fromEntries(Object.entries(services).map(([name, { spans }]) => [name, { instances: spans.map((span) => ({ billedMs: [ms(span)] })) }])),
    phases: Object.fromEntries(Object.entries(phases).map(([name, [from, to]]) => [name, { fromMs: from * 1000, toMs: to * 1000 }])),
  };
  const system = {
    services: Object.entries(services).map(([name, { machine: own, atStart }]) => ({ name, instances: { value: atStart }, place: own ? { on: 'machine', machine: own } : { on: 'nothing' } })),
    hosts: Object.entries(hosts).map(([name, own]) => ({ name, machine: own })),
  };
  return costOf(run as unknown as SimulatedRun, system as unknown as System);
};

describe('cost', () => {
  const app = { machine: machine('small', 36), atStart: 1, spans: [[0, 100], [40, 70]] as const };

  it('is split at the edges of phases, which may overlap, and adds up in the whole run', () => {
    const { phases, services, amount } = cost({ services: { app }, phases: { calm: [0, 50], rush: [50, 100], late: [60, 100] } });
    expect(services['app']).toEqual({ billedS: 130, extraS: 30, amount: 1.3, machine: 'small' });
    expect(amount).toBe(1.3);
    expect(phases['calm']).toEqual({ services: { app: { billedS: 60, extraS: 10, amount: 0.6 } }, amount: 0.6 });
    expect(phases['rush']).toEqual({ services: { app: { billedS: 70, extraS: 20, amount: 0.7 } }, amount: 0.7 });
    expect(phases['late']).toEqual({ services: { app: { billedS: 50, extraS: 10, amount: 0.5 } }, amount: 0.5 });
  });

  it('of surviving is what was billed beyond the start, from the first launch on', () =>
    expect(cost({ services: { app, db: { machine: machine('big', 72), atStart: 1, spans: [[0, 100]] } } }).survival).toEqual({ fromMs: 40_000, extraS: 30, amount: 0.3 }));

  it('of surviving is not paid back by instances that were missing before or after', () =>
    expect(cost({ services: { app: { ...app, spans: [[0, 20], [60, 100], [60, 70]] } } }).survival).toEqual({ fromMs: 60_000, extraS: 10, amount: 0.1 }));

  it('of surviving is nothing where nothing was launched', () => expect(cost({ services: { app: { ...app, spans: [[0, 100]] } } }).survival).toBeNull());

  it('is unknown, never 0, where a price is missing; the rest is known', () => {
    const { amount, services, unknown, phases, survival } = cost({ services: { app, own: { machine: machine('own'), atStart: 1, spans: [[0, 100], [50, 100]] } }, phases: { rush: [50, 100] } });
    expect([amount, services['own'].amount, services['app'].amount, unknown, phases['rush'].amount, survival]).toEqual([null, null, 1.3, ['own'], null, { fromMs: 40_000, extraS: 80, amount: null }]);
  });

  it('of a host that services share is billed once, throughout', () =>
    expect(cost({ hosts: { box: machine('small', 36) }, services: { a: { machine: null, atStart: 2, spans: [] }, b: { machine: null, atStart: 1, spans: [] } }, phases: { half: [0, 50] } })).toMatchObject({ services: { box: { billedS: 100, extraS: 0, amount: 1 } }, amount: 1, phases: { half: { amount: 0.5 } }, survival: null }));

  it('is unknown where no machine is named at all', () => expect(cost({ services: { a: { machine: null, atStart: 1, spans: [] } }, phases: { half: [0, 50] } })).toEqual({ services: {}, amount: null, currency: null, unknown: [], phases: { half: { services: {}, amount: null } }, survival: null }));
});
