import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimulatedRun } from '../../../src/study/types.js';
import { anyScenario } from '../../support/any-scenario.js';
import type { Keys } from '../../support/any-steps.js';
import { simulated, total } from '../../support/simulated.js';

/** Length of each run, s: most of the faults begin and end in it, and a thousand take a minute of processor time. */
const durationS = 6;
const perSeed = 250;

/** The same in less time: steps of rates and users come earlier, and stairs and deployments fit in. */
const shortly = (file: Keys): string =>
  JSON.stringify({ ...file, duration: `${durationS}s`, phases: { early: ['0s', '2500ms'], late: ['2500ms', `${durationS}s`] } })
    .replaceAll('"each":"2s","gap":"500ms"', '"each":"500ms","gap":"200ms"')
    .replaceAll('"each":"2s"', '"each":"500ms"')
    .replaceAll('["5s",', '["2s",')
    .replaceAll('["8s",', '["4s",')
    .replaceAll('"at":"6000ms"', '"at":"5s"');

const ended = (good: number, ...others: readonly (number | Readonly<Record<string, number>>)[]): number => good + total(others.map((other) => (typeof other === 'number' ? other : total(Object.values(other)))));

/** Where more or less ended than began, as seen from outside: everything is a whole number. */
const unbalanced = ({ traffic, links, services, phases, requests }: SimulatedRun): string[] => {
  const wrong: string[] = [];
  const equal = (what: string, left: number, right: number): void => void (left === right && Number.isSafeInteger(left) && left >= 0 ? 0 : wrong.push(`${what}: ${left} and ${right}`));
  for (const [name, { offered, good, declined, refused, failed, inFlight }] of Object.entries(traffic)) {
    equal(`traffic ${name}`, offered, ended(good, declined, refused, failed) + inFlight);
    equal(`traffic ${name} of all phases`, offered, phases['early'].traffic[name].offered + phases['late'].traffic[name].offered);
  }
  equal('requests', requests, total(Object.values(traffic).map(({ offered }) => offered)));
  for (const [name, { sent, good, declined, refused, failed, inFlight }] of Object.entries(links)) equal(`link ${name}`, sent, ended(good, declined, refused, failed) + inFlight);
  for (const [name, { instances }] of Object.entries(services)) {
    // Who is still inside is no column of an instance; the law that the run holds counts them.
    for (const [i, { arrived, good, declined, refused, failed }] of instances.entries()) if (arrived < ended(good, declined, refused, failed)) wrong.push(`${name}.${i + 1}: ${arrived} arrived, more ended`);
  }
  return wrong;
};

/** What the scenarios came to, added up: a thousand in which nothing happens would keep any law. */
const seen = { runs: 0, requests: 0, good: 0, bad: 0, inFlight: 0, retries: 0, ooms: 0, withFaults: 0 };
const count = (run: SimulatedRun, file: Keys): void => {
  const traffic = Object.values(run.traffic);
  seen.runs++;
  seen.requests += run.requests;
  seen.good += total(traffic.map(({ good }) => good));
  seen.bad += total(traffic.map(({ declined, refused, failed }) => ended(0, declined, refused, failed)));
  seen.inFlight += total(traffic.map(({ inFlight }) => inFlight));
  seen.retries += total(Object.values(run.links).map(({ retries }) => retries));
  seen.ooms += total(Object.values(run.services).map(({ ooms }) => ooms));
  if (Object.keys(file['faults'] as Keys).length > 0) seen.withFaults++;
};

// Little's law and the utilisation law to 1e-9, and conservation inside every instance, pool, queue and lock, are held by the run itself, which throws otherwise (violated-laws.test.ts shows that it does, law by law).
describe('a thousand scenarios out of everything that the language has', () => {
  it.each([1, 2, 3, 4])('keep every law, and balance from outside, of seed %i', { timeout: 300_000 }, (seed) => {
    fc.assert(
      fc.property(anyScenario, (file) => {
        const run = simulated(shortly(file));
        expect(unbalanced(run)).toEqual([]);
        count(run, file);
      }),
      { numRuns: perSeed, seed: 20_261_200 + seed },
    );
  });

  it('in which much happened', () => {
    expect(seen.runs).toBeGreaterThanOrEqual(4 * perSeed);
    expect(seen.requests).toBeGreaterThan(500_000);
    for (const what of ['good', 'bad', 'inFlight', 'retries', 'ooms'] as const) expect(seen[what], what).toBeGreaterThan(seen.runs);
    expect(seen.withFaults).toBeGreaterThan(seen.runs / 2);
  });
});
