import type { System } from '../scenario/model.js';
import type { Cost, SimulatedRun } from '../study/types.js';

/** Billed instance-seconds × the machine's price (rule 41). A price that nobody gave makes the sum unknown, never 0. */
export const costOf = (run: SimulatedRun, system: System): Cost => {
  const services: Record<string, Cost['services'][string]> = {};
  const currencies = new Set<string>();
  for (const { name, place, instances } of system.services) {
    if (place.on !== 'machine') continue;
    const { price } = place.machine;
    if (price?.currency) currencies.add(price.currency);
    const billedS = run.services[name].instances.reduce((sum, instance) => sum + instance.billedS, 0);
    services[name] = {
      billedS,
      extraS: billedS - (instances.value * system.durationMs) / 1000,
      machine: place.machine.name,
      amount: price ? round((billedS / 3600) * price.value) : null,
    };
  }
  const unknown = Object.entries(services).filter(([, { amount }]) => amount === null).map(([name]) => name);
  const amounts = Object.values(services).map(({ amount }) => amount ?? 0);
  const isKnown = amounts.length > 0 && unknown.length === 0 && currencies.size <= 1;
  return {
    services,
    amount: isKnown ? round(amounts.reduce((sum, amount) => sum + amount, 0)) : null,
    currency: currencies.size === 1 ? [...currencies][0] : null,
    unknown,
  };
};

const round = (amount: number): number => Number(amount.toPrecision(6));
