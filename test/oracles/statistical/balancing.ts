import type { Stretch } from '../support/batches.js';
import { inLine, inside, inSlots, measuredCases, openLoad, sojourns, sum, wait } from './station.js';

const fleet = (n: number, policy: string, serviceS: number, perS: number): string =>
  `services: { svc: { instances: ${n}, slots: 1, handlers: { job: [${wait(serviceS)}] } } }\n${openLoad(perS, { to: `{ svc: { policy: ${policy} } }` })}`;
const numbers = (on: Stretch): number[] => on.run.services['svc'].instances.map((_, i) => i);
const meanOf = (on: Stretch, what: (on: Stretch, service: string, i: number) => number): number => sum(numbers(on).map((i) => what(on, 'svc', i))) / numbers(on).length;
/** Mean sojourn at some of the servers by Little's law, s: nothing is timed by server. */
const sojournAt = (on: Stretch, those: readonly number[]): number =>
  (sum(those.map((i) => inside(on, 'svc', i))) * on.seconds) / sum(those.map((i) => on.sum(on.run.ticks.services['svc'].instances[i].arrived)));

/** Single servers with a line each, and who gets the next request. */
export const balancing = [
  ...measuredCases('roundRobin', ({ lambda_total, n, mu }) => ({
    system: fleet(n, 'round-robin', 1 / mu, lambda_total),
    perS: lambda_total,
    figures: { rho: (on) => meanOf(on, inSlots), Lq: (on) => meanOf(on, inLine), ...sojourns },
  })),
  ...measuredCases('random', ({ lambda_total, n, mu }) => ({
    system: fleet(n, 'random', 1 / mu, lambda_total),
    perS: lambda_total,
    figures: { rho: (on) => meanOf(on, inSlots), ...sojourns },
  })),
  ...measuredCases('roundRobinOneSlow', ({ lambda_total }) => ({
    system: `${fleet(10, 'round-robin', 0.01, lambda_total)}\nfaults: { worn: { at: 0s, target: svc.10, slow: ${10 / 7}x } }`,
    perS: lambda_total,
    figures: { ...sojourns, W_fast: (on) => sojournAt(on, [0, 1, 2, 3, 4, 5, 6, 7, 8]), W_slow: (on) => sojournAt(on, [9]) },
  })),
];

/** So many servers stand for endless ones; the language has no more. */
const many = 1000;

export const twoChoices = measuredCases('twoChoices', ({ rho }) => ({
  system: fleet(many, 'two-choices', 1, many * rho),
  perS: many * rho,
  warmUpS: 20 / (1 - rho),
  tailS: 60,
  figures: { W: sojourns.W },
}));
