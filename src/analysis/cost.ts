import type { Machine, System } from '../scenario/model.js';
import type { Billed, Cost, SimulatedRun } from '../study/types.js';
import type { Window } from './window.js';

/** A service on machines of its own, or a host that services share: what it is billed by. */
interface Payer {
  readonly name: string;
  readonly machine: Machine;
  /** Billed time of every instance, ms. */
  readonly spans: readonly (readonly [number, number])[];
  readonly atStart: number;
}

/**
 * Billed time × the machine's price (rule 41), over the run, each phase, and what was launched beyond the start; a host that services share is billed once, throughout.
 * A price that nobody gave makes a sum unknown, never 0; a file has one currency.
 */
export const costOf = (run: SimulatedRun, system: System): Cost => {
  const payers = payersOf(run, system);
  const whole = { fromMs: 0, toMs: run.durationMs };
  const rows = billsOf(payers, whole);
  return {
    services: Object.fromEntries(payers.map(({ name, machine }) => [name, { ...rows[name], machine: machine.name }])),
    amount: sumOf(payers, rows),
    currency: payers.find(({ machine }) => machine.price)?.machine.price?.currency ?? null,
    unknown: payers.filter(({ machine }) => !machine.price).map(({ name }) => name),
    phases: Object.fromEntries(Object.entries(run.phases).map(([phase, window]) => {
      const services = billsOf(payers, window);
      return [phase, { services, amount: sumOf(payers, services) }];
    })),
    survival: survivalOf(payers, whole),
  };
};

/** Amount of one service, or host, in a stretch; null when its price is unknown or it is billed for nothing. */
export const amountIn = (run: SimulatedRun, system: System, name: string, window: Window): number | null => billsOf(payersOf(run, system), window)[name]?.amount ?? null;

const payersOf = (run: SimulatedRun, system: System): Payer[] => [
  ...system.services.flatMap(({ name, place, instances }) => (place.on === 'machine' ? [{ name, machine: place.machine, spans: run.services[name].instances.flatMap(({ billedMs }) => billedMs), atStart: instances.value }] : [])),
  ...system.hosts.flatMap(({ name, machine }) => (machine ? [{ name, machine, spans: [[0, run.durationMs] as const], atStart: 1 }] : [])),
];

const billsOf = (payers: readonly Payer[], window: Window): Record<string, Billed> =>
  Object.fromEntries(payers.map(({ name, machine, spans, atStart }) => {
    const billedS = seconds(spans.reduce((sum, span) => sum + within(span, window), 0));
    return [name, { billedS, extraS: seconds(beyond(spans, atStart, window)), amount: priced(machine, billedS) }];
  }));

/** Sum of what is billed: unknown when nothing is, or a price is missing. */
const sumOf = (payers: readonly Payer[], bills: Readonly<Record<string, Billed>>): number | null => {
  const amounts = payers.map(({ name }) => bills[name].amount);
  if (amounts.length === 0) return null;
  return amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : round(sum + amount)), 0);
};

const survivalOf = (payers: readonly Payer[], window: Window): Cost['survival'] => {
  const extras = payers.filter(({ spans, atStart }) => beyond(spans, atStart, window) > 0);
  if (extras.length === 0) return null;
  const bills = billsOf(extras, window);
  return {
    fromMs: Math.min(...extras.map(({ spans, atStart }) => stepsOf(spans, window).find(({ instances }) => instances > atStart)!.fromMs)),
    extraS: round(extras.reduce((sum, { name }) => sum + bills[name].extraS, 0)),
    amount: sumOf(extras, Object.fromEntries(extras.map(({ name, machine }) => [name, { ...bills[name], amount: priced(machine, bills[name].extraS) }]))),
  };
};

const within = ([from, to]: readonly [number, number], { fromMs, toMs }: Window): number => Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs));

/** Instance-milliseconds beyond those of the start, at any time in the window. */
const beyond = (spans: Payer['spans'], atStart: number, window: Window): number =>
  stepsOf(spans, window).reduce((sum, { fromMs, toMs, instances }) => sum + Math.max(0, instances - atStart) * (toMs - fromMs), 0);

/** How many instances were billed, from change to change. */
const stepsOf = (spans: Payer['spans'], { fromMs, toMs }: Window): { readonly fromMs: number; readonly toMs: number; readonly instances: number }[] => {
  const edges = [...new Set([fromMs, toMs, ...spans.flat().filter((ms) => ms > fromMs && ms < toMs)])].sort((a, b) => a - b);
  return edges.slice(1).map((to, i) => ({ fromMs: edges[i], toMs: to, instances: spans.filter(([from, until]) => from <= edges[i] && until >= to).length }));
};

const priced = ({ price }: Machine, billedS: number): number | null => (price ? round((billedS / 3600) * price.value) : null);

const seconds = (ms: number): number => round(ms / 1000);

/** Eight digits: what floating point adds is gone, nothing that a bill can show. */
const round = (value: number): number => Number(value.toPrecision(8));
