import { inLine, inside, inSlots, measuredCases, openLoad, sojourns, station, wait } from './station.js';

const figures = { rho: inSlots, L: inside, Lq: inLine, ...sojourns };

/** One server, where arrivals or service are not exponential. */
export const general = [
  ...measuredCases('md1', ({ lambda, D }) => ({ system: `${station(1, wait(D, 0))}\n${openLoad(lambda)}`, perS: lambda, figures })),
  ...measuredCases('dm1', ({ lambda, mu }) => ({ system: `${station(1, wait(1 / mu))}\n${openLoad(lambda, { arrivals: 'even' })}`, perS: lambda, figures })),
  ...measuredCases('mg1', ({ lambda, meanService, cv }) => ({
    system: `${station(1, wait(meanService, cv))}\n${openLoad(lambda)}`,
    perS: lambda,
    figures,
  })),
];
