import { uniform } from '../../../src/engine/kernel/keyed-draws.js';
import { measuredCases, ms, openLoad, sojourns, station } from './station.js';

const exponential = (share: number, mean: number): number => -Math.log(1 - share) * mean;

/**
 * Times at which a server fails and how long it is down, seconds, up to `untilS`. Up times are drawn; down times are a stratified sample, one of each of so many
 * equally likely stretches in a random order: the mean of the line hangs on the few longest, and they would need ten times as many runs. Runs are independent.
 */
const failures = (run: number, upS: number, downS: number, untilS: number): { readonly atS: number; readonly forS: number }[] => {
  const strata = Math.round(untilS / (upS + downS));
  const draw = (what: number, i: number): number => uniform(run, what, i, 0);
  const order = Array.from({ length: strata }, (_, i) => i).toSorted((a, b) => draw(1, a) - draw(1, b));
  const all: { atS: number; forS: number }[] = [];
  for (let i = 0, nowS = 0; ; i++) {
    const atS = nowS + exponential(draw(2, i), upS);
    if (atS >= untilS) return all;
    const forS = exponential(i < strata ? (order[i] + draw(3, i)) / strata : draw(3, i), downS);
    all.push({ atS, forS });
    nowS = atS + forS;
  }
};

/** A file may say 200 faults. */
const secondsOfRun = 1600;

/** A server that stops now and then and goes on where it stood. */
export const breakdowns = measuredCases('breakdown', ({ lambda, mu, failRate, repairRate }) => ({
  system: (run: number) => {
    const faults = failures(run, 1 / failRate, 1 / repairRate, secondsOfRun * 1.05).map(({ atS, forS }, i) => `f${i}: { at: ${Math.round(atS * 1e6)}us, for: ${Math.max(1, Math.round(forS * 1e6))}us, target: svc, freeze: true }`);
    return `${station(1, `{ cpu: { assumed: ${ms(1 / mu)}, cv: 1 } }`)}\nfaults: { ${faults.join(', ')} }\n${openLoad(lambda)}`;
  },
  perS: lambda,
  // What comes to a frozen process waits outside of its line, so nobody counts L there; λW is the same.
  figures: { W: sojourns.W },
}));
