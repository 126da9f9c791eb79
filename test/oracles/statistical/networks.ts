import { casesOf } from '../catalogue.js';
import type { Stretch } from '../support/batches.js';
import type { Figure } from '../support/family.js';
import { breakdowns } from './breakdowns.js';
import { inside, inSlots, measuredCases, ms, openLoad, sized, sojourns, station, sum, wait } from './station.js';

interface Tandem {
  readonly lambda: number;
  readonly mus: readonly number[];
}
interface TandemSolved {
  readonly W: number;
  readonly L: number;
  readonly T_p95: number;
  readonly T_p99: number;
  readonly W_i: readonly number[];
  readonly rho_i: readonly number[];
}
const tandem = casesOf<Tandem, TandemSolved>('tandem').map(({ id, tolerance, given: { lambda, mus }, expected }) => sized({
  id,
  tolerance,
  perS: lambda,
  system: `services: { ${mus.map((mu, i) => `s${i + 1}: { slots: 1, handlers: { job: [${wait(1 / mu)}] } }`).join(', ')} }
traffic: { load: { open: { rate: ${lambda}/s }, steps: [${mus.map((_, i) => `{ call: s${i + 1}.job }`).join(', ')}] } }`,
  figures: [
    { name: 'W', expected: expected.W, read: sojourns.W },
    { name: 'L', expected: expected.L, read: (on) => sum(mus.map((_, i) => inside(on, `s${i + 1}`))) },
    { name: 'T_p95', expected: expected.T_p95, read: sojourns.T_p95 },
    { name: 'T_p99', expected: expected.T_p99, read: sojourns.T_p99 },
    ...mus.flatMap((_, i): Figure[] => [
      { name: `W_${i + 1}`, expected: expected.W_i[i], read: (on) => on.link(`load.s${i + 1}`).mean / 1000 },
      { name: `rho_${i + 1}`, expected: expected.rho_i[i], read: (on) => inSlots(on, `s${i + 1}`) },
    ]),
  ],
}));

/** What goes round again is a call that is declined and made anew: at the end of the line. */
const feedback = measuredCases('feedback', ({ lambda, mu, p }) => ({
  system: `${station(1, `${wait(1 / mu)}, { decline: again, chance: ${p * 100}% }`)}
traffic: { load: { open: { rate: ${lambda}/s }, steps: [{ call: svc.job, retries: { max: 200, when: [again] } }] } }`,
  perS: lambda,
  figures: { lambda_eff: (on) => on.sum(on.run.ticks.services['svc'].instances[0].arrived) / on.seconds, rho: inSlots, L: inside, W: sojourns.W },
}));

const endless = measuredCases('mginf', ({ lambda, meanLife }) => ({
  system: `services: { svc: { handlers: { job: [${wait(meanLife)}] } } }\n${openLoad(lambda)}`,
  perS: lambda,
  warmUpS: 12 * meanLife,
  tailS: 25 * meanLife,
  figures: { L: inSlots },
}));

const parts = (k: number, steps: string): string => `{ parallel: [${Array.from({ length: k }, () => `[${steps}]`).join(', ')}] }`;

const maxima = measuredCases('forkjoinMax', ({ k, mu }, id) => ({
  system: `services: { svc: { handlers: { job: [${parts(k, wait(1 / mu))}] } } }\n${openLoad(mu)}`,
  perS: mu,
  figures: {
    mean: sojourns.W,
    p50: sojourns.T_p50,
    p95: sojourns.T_p95,
    // A hundred parts a request.
    ...(id === 'forkjoin-max-100' ? {} : { p99: sojourns.T_p99 }),
  },
}));

const forks = measuredCases('forkjoinQueue', ({ lambda, mu }) => ({
  system: `services: { a: { slots: 1, handlers: { job: [${wait(1 / mu)}] } }, b: { slots: 1, handlers: { job: [${wait(1 / mu)}] } } }
traffic: { load: { open: { rate: ${lambda}/s }, steps: [{ parallel: [[{ call: a.job }], [{ call: b.job }]] }] } }`,
  perS: lambda,
  figures: { W: sojourns.W, W_branch: (on) => (on.link('load.a').mean + on.link('load.b').mean) / 2000 },
}));

/** Share of the requests that took longer than this: edges of buckets are exact. */
const slowerThan = (thresholdMs: number) => (on: Stretch): number => {
  const { counts, fromMs } = on.traffic().latencyBuckets.good;
  return sum(counts.filter((_, i) => fromMs[i] > thresholdMs)) / sum(counts);
};
const tails = measuredCases('tailAtScale', ({ k, p }) => ({
  system: `services: { svc: { handlers: { job: [${wait(0.001, 0)}, ${parts(k, `{ wait: { assumed: 100ms, cv: 0 }, chance: ${p * 100}% }`)}] } } }\n${openLoad(1000)}`,
  perS: 1000,
  figures: { P_slow: slowerThan(50) },
}));

/** One loop that writes to all: a message keeps it for as long as all recipients take, and the last of them has it when that is over. */
const fanOut = measuredCases('fanOut', ({ lambda_messages, recipients, sendTime }) => ({
  system: `${station(1, `{ cpu: { assumed: ${ms(recipients * sendTime)}, cv: 0 } }`)}\n${openLoad(lambda_messages)}`,
  perS: lambda_messages,
  figures: { rho: inSlots, Wq: (on) => sojourns.W(on) - recipients * sendTime, lastRecipient: sojourns.W },
}));

export const networks = [...tandem, ...feedback, ...endless, ...fanOut, ...breakdowns];
export const forksAndTails = [...maxima, ...forks, ...tails];
