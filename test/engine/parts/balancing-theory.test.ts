import { describe, expect, it } from 'vitest';
import { ln } from '../../../src/engine/kernel/elementary.js';
import { uniform } from '../../../src/engine/kernel/keyed-draws.js';
import { LinkRig } from './link-rig.js';

const within = (share: number, found: number, expected: number): void => {
  if (Math.abs(found / expected - 1) > share) expect.fail(`expected ${expected} ± ${share * 100} %, found ${found}`);
};

describe('policies against each other, utilisation 0.8', () => {
  it('two-choices by what is outstanding is far better than random, and joining the least loaded better still', () => {
    // Here what is outstanding must be known: calls that have ended by now are taken away before each choice.
    const mean = (policy: string): number => {
      const rig = new LinkRig(`policy: ${policy}`, { targets: 10 });
      const ends = Array.from({ length: 10 }, (): number[] => []);
      let now = 0;
      let sum = 0;
      for (let call = 0; call < 100_000; call++) {
        now -= ln(uniform(12, call, 1, 0)) / 800;
        ends.forEach((line, server) => {
          while (line.length > 0 && line[0] <= now) line.shift();
          rig.caller.outstanding[server] = line.length;
        });
        const line = ends[rig.choose()];
        line.push(Math.max(line.at(-1) ?? 0, now) - ln(uniform(12, call, 2, 0)) / 100);
        sum += line.at(-1)! - now;
      }
      return sum / 100_000;
    };
    const [random, two, least] = ['random', 'two-choices', 'least-outstanding'].map(mean);
    within(0.1, random, 0.05);
    // The supermarket model at 0.8 says 2.0 service times for endless servers; ten are a little worse.
    expect(two).toBeGreaterThan(0.019);
    expect(two).toBeLessThan(0.024);
    expect(least).toBeLessThan(two * 0.85);
  });
});
