import { casesOf } from '../catalogue.js';
import type { Figure } from '../support/family.js';
import type { Stretch } from '../support/batches.js';
import { goodPerS, inside, measuredCases, ms, sized, sojourns } from './station.js';

const compute = (seconds: number): string => `{ cpu: { assumed: ${ms(seconds)}, cv: 1 } }`;
const busy = (on: Stretch, service = 'svc'): number => on.mean(on.run.ticks.services[service].instances[0].cpuCores.mean);
const users = (n: number, thinkS: number): string => `closed: { users: ${n}, think: { assumed: ${ms(thinkS)}, cv: 1 } }`;

/** Users who think and ask, at one station. The names of their sources are no longer `open`: each waits for its answer. */
export const closedUsers = measuredCases('closed', ({ N, Z, S, c }, id) => ({
  system: `services: { svc: { slots: ${c}, cpus: ${c}, handlers: { job: [${compute(S)}] } } }\ntraffic: { load: { to: svc, send: job, ${users(N, Z)} } }`,
  perS: casesOf('closed').find((one) => one.id === id)!.expected['X'],
  figures: { X: goodPerS, R: sojourns.W, U: (on) => busy(on) / c, L_server: inside, T_p95: sojourns.T_p95, T_p99: sojourns.T_p99 },
}));

interface Network {
  readonly N: number;
  readonly Z: number;
  readonly demands: readonly number[];
}
interface Solved {
  readonly X: number;
  readonly R: number;
  readonly R_i: readonly number[];
  readonly U_i: readonly number[];
  readonly Q_i: readonly number[];
}
/** Users whose journey passes several stations. */
export const closedNetworks = casesOf<Network, Solved>('mva').map(({ id, tolerance, given: { N, Z, demands }, expected }) => sized({
  id,
  tolerance,
  perS: expected.X,
  system: `services: { ${demands.map((demand, i) => `s${i + 1}: { slots: 1, cpus: 1, handlers: { work: [${compute(demand)}] } }`).join(', ')} }
traffic: { load: { ${users(N, Z)}, steps: [${demands.map((_, i) => `{ call: s${i + 1}.work }`).join(', ')}] } }`,
  figures: [
    { name: 'X', expected: expected.X, read: goodPerS },
    { name: 'R', expected: expected.R, read: sojourns.W },
    ...demands.flatMap((_, i): Figure[] => [
      { name: `R_${i + 1}`, expected: expected.R_i[i], read: (on) => on.link(`load.s${i + 1}`).mean / 1000 },
      { name: `U_${i + 1}`, expected: expected.U_i[i], read: (on) => busy(on, `s${i + 1}`) },
      { name: `Q_${i + 1}`, expected: expected.Q_i[i], read: (on) => inside(on, `s${i + 1}`) },
    ]),
  ],
}));
