import { inLine, inside, inSlots, measuredCases, openLoad, sojourns, station, wait } from './station.js';

/** Poisson arrivals at one or several exponential servers with one line. */
export const exponential = [
  ...measuredCases('mm1', ({ lambda, mu }) => ({
    system: `${station(1, wait(1 / mu))}\n${openLoad(lambda)}`,
    perS: lambda,
    figures: { rho: inSlots, L: inside, Lq: inLine, ...sojourns },
  })),
  ...measuredCases('mmc', ({ lambda, mu, c }) => ({
    system: `${station(c, wait(1 / mu))}\n${openLoad(lambda)}`,
    perS: lambda,
    figures: { rho: (on) => inSlots(on) / c, L: inside, Lq: inLine, ...sojourns },
  })),
];
