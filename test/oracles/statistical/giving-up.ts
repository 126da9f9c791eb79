import type { Stretch } from '../support/batches.js';
import { goodPerS, goodShare, inLine, inSlots, measuredCases, openLoad, refusedShare, sojourns, station, wait } from './station.js';

const callerWaits = (timeoutS: number, more = ''): string => `{ svc: { timeout: ${timeoutS * 1000}ms${more} } }`;

/** Who waits too long goes. */
export const givingUp = [
  ...measuredCases('mmcD', ({ lambda, mu, c, tau }) => ({
    system: `${station(c, wait(1 / mu), `queue: { patience: ${tau * 1000}ms },`)}\n${openLoad(lambda)}`,
    perS: lambda,
    // The line of the thirty seconds fills for a minute and a half.
    warmUpS: tau * 20,
    figures: {
      P_timeout: refusedShare,
      X: goodPerS,
      rho: (on: Stretch) => inSlots(on) / c,
      Wq_served: (on: Stretch) => sojourns.W(on) - 1 / mu,
      // Little's law in the line, for all.
      Wq_all: (on: Stretch) => (inLine(on) * on.seconds) / on.sum(on.run.ticks.services['svc'].instances[0].arrived),
    },
  })),
  ...measuredCases('abort', ({ lambda, mu, tau }) => ({
    system: `${station(1, wait(1 / mu))}\n${openLoad(lambda, { to: callerWaits(tau, ', cancel: true') })}`,
    perS: lambda,
    figures: { P_success: goodShare, goodput: goodPerS, rho: inSlots },
  })),
  ...measuredCases('zombie', ({ lambda, mu, tau }) => ({
    system: `${station(1, wait(1 / mu))}\n${openLoad(lambda, { to: callerWaits(tau) })}`,
    perS: lambda,
    figures: { P_success: goodShare, goodput: goodPerS, rho: inSlots },
  })),
];
