import { inSlots, measuredCases, ms, openLoad, sojourns } from './station.js';
import type { Stretch } from '../support/batches.js';

const shared = (cores: number, meanS: number, cv: number, lambda: number): string =>
  `services: { svc: { cpus: ${cores}, handlers: { job: [{ cpu: { assumed: ${ms(meanS)}, cv: ${cv} } }] } } }\n${openLoad(lambda)}`;
const busy = (on: Stretch): number => on.mean(on.run.ticks.services['svc'].instances[0].cpuCores.mean);

/** Jobs that share cores, none of which takes more than one. */
export const sharing = [
  ...measuredCases('mg1ps', ({ lambda, meanService, serviceCv }) => ({
    system: shared(1, meanService, serviceCv, lambda),
    perS: lambda,
    figures: { rho: busy, P0: (on) => 1 - busy(on), L: inSlots, W: sojourns.W, slowdown: (on) => sojourns.W(on) / meanService },
  })),
  ...measuredCases('mgcps', ({ lambda, meanDemand, c, serviceCv }) => ({
    system: shared(c, meanDemand, serviceCv, lambda),
    perS: lambda,
    figures: { rho: (on) => busy(on) / c, L: inSlots, W: sojourns.W },
  })),
];
