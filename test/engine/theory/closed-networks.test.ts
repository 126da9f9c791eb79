import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/**
 * Closed users whose journey passes several stations of one server each, exponential: a product-form network, solved by exact mean value analysis.
 * Z and demands in seconds; X per second; R, R_i in seconds; U_i shares; Q_i requests.
 */
const cases = [
  {
    id: 'mva-2st-N20', n: 20, z: 1, demands: [0.03, 0.05], x: 16.255167315110803, r: 0.23037798456912842,
    ri: [0.05497299836646969, 0.17540498620265874], ui: [0.48765501945332407, 0.8127583657555402], qi: [0.8935952862602777, 2.85123739862892],
  },
  {
    id: 'mva-2st-N60', n: 60, z: 1, demands: [0.03, 0.05], x: 19.99999975859106, r: 2.0000000362113415,
    ri: [0.07499997585882036, 1.925000060352521], ui: [0.5999999927577317, 0.999999987929553], qi: [1.4999994990707424, 38.500000742338194],
  },
  {
    id: 'mva-3st-N40', n: 40, z: 0.5, demands: [0.01, 0.02, 0.015], x: 49.344113531819566, r: 0.31063367313724227,
    ri: [0.01957239772904505, 0.23658660504827947, 0.05447467035991778], ui: [0.49344113531819567, 0.9868822706363913, 0.7401617029772934], qi: [0.9657826156319264, 11.674156299610058, 2.688004318848229],
  },
] as const;
const tolerance = 0.02;
const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

describe('closed users in a network of stations: exact mean value analysis', () => {
  it.each(cases)('$id', ({ n, z, demands, x, r, ri, ui, qi }) => {
    const tickS = Math.ceil(200_000 / x / 3000);
    const seconds = Math.round(200_000 / x / tickS) * tickS;
    const from = Math.round(seconds / 10);
    const run = simulated(scenario(`
      duration: ${seconds}s
      tick: ${tickS}s
      phases: { settled: [${from}s, ${seconds}s] }
      services:
        ${demands.map((demand, i) => `s${i + 1}: { slots: 1, cpus: 1, handlers: { work: [{ cpu: { assumed: ${demand * 1000}ms, cv: 1 } }] } }`).join('\n        ')}
      traffic:
        users:
          closed: { users: ${n}, think: { assumed: ${z * 1000}ms, cv: 1 } }
          steps: [${demands.map((_, i) => `{ call: s${i + 1}.work }`).join(', ')}]
    `));
    const { good, latencyMs } = run.phases.settled.traffic.users;
    expect(off(good / (seconds - from), x)).toBeLessThan(tolerance);
    expect(off(latencyMs!.mean / 1000, r)).toBeLessThan(tolerance);
    demands.forEach((_, i) => {
      const { cpuCores, slots, queue } = run.services[`s${i + 1}`];
      expect(off(cpuCores.mean, ui[i])).toBeLessThan(tolerance);
      expect(off(slots.mean + queue.mean, qi[i])).toBeLessThan(tolerance);
      expect(off(run.phases.settled.links[`users.s${i + 1}`].latencyMs!.mean / 1000, ri[i])).toBeLessThan(tolerance);
    });
  });
});
