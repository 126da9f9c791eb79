import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

describe('open against closed', () => {
  it('a server that takes twice as long loses nothing of an open load, and slows closed users down', () => {
    const runs = [10, 20].map((ms) => simulated(scenario(`
      duration: 200s
      services:
        station: { handlers: { work: [{ wait: { assumed: ${ms}ms, cv: 0 } }] } }
      traffic:
        open: { to: station, send: work, open: { rate: 50/s, arrivals: even } }
        users: { to: station, send: work, closed: { users: 5, think: 90ms } }
    `)));
    expect(runs.map((run) => run.traffic.open.offered)).toEqual([10_000, 10_000]);
    // 5 / (90 ms + 10 ms) and 5 / (90 ms + 20 ms), for 200 s less the joining.
    expect(runs.map((run) => Math.round(run.traffic.users.offered / 200))).toEqual([50, 45]);
    expect(total(cells(runs[0], runs[0].ticks.traffic.users.offered))).toBe(runs[0].traffic.users.offered);
  });
});
