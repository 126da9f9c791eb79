import type { Machine, System } from '../scenario/model.js';
import type { Cost, SimulatedRun } from '../study/types.js';
import type { Window } from './window.js';

type Row = Cost['services'][string];

/**
 * Billed time × the machine's price (rule 41), over the run or a stretch of it; a host that services share is billed throughout.
 * A price that nobody gave makes the sum unknown, never 0.
 */
export const costOf = (run: SimulatedRun, system: System, window: Window = { fromMs: 0, toMs: run.durationMs }): Cost => {
  const lengthS = (window.toMs - window.fromMs) / 1000;
  const machines: Machine[] = [];
  const row = (machine: Machine, billedS: number, atStart: number): Row => {
    machines.push(machine);
    return { billedS, extraS: Math.max(0, billedS - atStart * lengthS), machine: machine.name, amount: machine.price ? round((billedS / 3600) * machine.price.value) : null };
  };
  const ofServices = system.services.flatMap(({ name, place, instances }) => (place.on === 'machine' ? [[name, row(place.machine, billedSeconds(run, name, window), instances.value)] as const] : []));
  const ofHosts = system.hosts.flatMap(({ name, machine }) => (machine ? [[name, row(machine, lengthS, 1)] as const] : []));
  const services: Cost['services'] = Object.fromEntries([...ofServices, ...ofHosts]);
  const unknown = Object.entries(services).filter(([, { amount }]) => amount === null).map(([name]) => name);
  const currencies = new Set(machines.flatMap(({ price }) => price?.currency ?? []));
  const isKnown = machines.length > 0 && unknown.length === 0 && currencies.size <= 1;
  return {
    services,
    amount: isKnown ? round(Object.values(services).reduce((sum, { amount }) => sum + (amount ?? 0), 0)) : null,
    currency: currencies.size === 1 ? [...currencies][0] : null,
    unknown,
  };
};

const billedSeconds = (run: SimulatedRun, service: string, { fromMs, toMs }: Window): number => {
  const spans = run.services[service].instances.flatMap(({ billedMs }) => billedMs);
  return round(spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)), 0) / 1000);
};

/** Eight digits: what floating point adds is gone, nothing that a bill can show. */
const round = (value: number): number => Number(value.toPrecision(8));
