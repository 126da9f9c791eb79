import { goodPerS, goodShare, inLine, inside, inSlots, measuredCases, openLoad, refusedShare, sojourns, station, wait } from './station.js';

/** A line with so much room and no more. */
export const bounded = [
  ...measuredCases('mmck', ({ lambda, mu, c, K }) => ({
    system: `${station(c, wait(1 / mu), `queue: { limit: ${K - c} },`)}\n${openLoad(lambda)}`,
    perS: lambda,
    figures: { P_block: refusedShare, X: goodPerS, rho: (on) => inSlots(on) / c, L: inside, ...(K > c ? { Lq: inLine } : {}), W: sojourns.W },
  })),
];

/** The same with callers who give up after a second. */
export const boundedAndGivenUp = measuredCases('zombieK', ({ lambda, mu, K, tau }, id) => ({
  system: `${station(1, wait(1 / mu), `queue: { limit: ${K - 1} },`)}\n${openLoad(lambda, { to: `{ svc: { timeout: ${tau}s } }` })}`,
  perS: lambda,
  figures: {
    P_block: refusedShare,
    throughput: (on) => on.sum(on.run.ticks.services['svc'].instances[0].good) / on.seconds,
    rho: inSlots,
    // With room for 200 nobody at all is served in time; a test of its own says so.
    ...(id === 'mm1k-zombie-K200' ? {} : { P_success: goodShare, goodput: goodPerS }),
  },
}));
