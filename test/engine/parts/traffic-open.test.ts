import { describe, expect, it } from 'vitest';
import { alone, counted, times } from './traffic-alone.js';

describe('open traffic', () => {
  it('does not send a dropped request again', () => {
    const run = alone('open: { rate: 10/s, arrivals: even }', { durationMs: 1000, takesMs: 250, accepts: (inFlight) => inFlight < 2 });
    expect(times(run)).toEqual([0, 100, 300, 400, 600, 700, 900]);
    expect(run.dropped.map(({ atMs }) => atMs)).toEqual([200, 500, 800]);
  });
  it('from an instance that is down sends nothing, and its clock goes on', () => {
    const rate = 'open: { rate: 4/s, arrivals: even }';
    expect(times(alone(rate, { durationMs: 2000, isAlive: (ms) => ms < 300 || ms > 1100 }))).toEqual([0, 250, 1250, 1500, 1750]);
    const poisson = 'open: { rate: 100/s }';
    const alive = alone(poisson);
    const down = alone(poisson, { isAlive: (ms) => ms < 2000 || ms >= 4000 });
    expect(down.sent).toEqual(alive.sent.filter(({ atMs }) => atMs < 2000 || atMs >= 4000));
  });
  it('ends at `stop`, whatever the run does', () => {
    expect(times(alone('start: 100ms, stop: 500ms, open: { rate: 10/s, arrivals: even }'))).toEqual([100, 200, 300, 400]);
  });
  it('in each instance has draws of its own, under the same even times', () => {
    const [a, b] = [0, 1].map((ordinal) => alone('open: { rate: 10/s, arrivals: even }', { ordinal }));
    expect(times(a)).toEqual(times(b));
    expect(new Set([...a.sent, ...b.sent].map(({ key }) => key)).size).toBe(200);
    const [c, d] = [0, 1].map((ordinal) => times(alone('open: { rate: 10/s }', { ordinal })));
    expect(c).not.toEqual(d);
  });
  it('wants no word of the end, and has nobody present', () => {
    const { sent, source } = alone('open: { rate: 10/s }');
    expect(new Set(sent.map(({ tag, socket, row }) => `${tag} ${socket} ${row}`))).toEqual(new Set(['-1 -1 -1']));
    expect(source.present).toBeNull();
  });
});

describe('a mix', () => {
  it('is drawn by weight from the key of the request', () => {
    const mix = (weights: string) => alone(`send: ${weights}, open: { rate: 1000/s, arrivals: even }`);
    const run = mix('{ read: 6, write: 3, list: 1 }');
    const counts = run.programs.map((program) => run.sent.filter((sent) => sent.program === program).length);
    // Binomial(10,000): three standard deviations are 147, 138 and 90.
    expect(Math.abs(counts[0] - 6000)).toBeLessThan(147);
    expect(Math.abs(counts[1] - 3000)).toBeLessThan(138);
    expect(Math.abs(counts[2] - 1000)).toBeLessThan(90);
    // Only proportions matter.
    expect(mix('{ read: 60, write: 30, list: 10 }').sent).toEqual(run.sent);
  });
  it('never sends what has no weight', () => {
    const run = alone('send: { read: 1, write: 0 }, open: { rate: 1000/s }');
    expect(new Set(run.sent.map(({ program }) => program))).toEqual(new Set([run.programs[0]]));
  });
});

describe('bursts', () => {
  const burst = 'bursts: { sizes: [2, 3], every: 400ms, rounds: 2 }';
  it('come all at one instant, the sizes in turn, as many rounds as said', () => {
    expect(times(alone(burst))).toEqual([0, 0, 400, 400, 400, 800, 800, 1200, 1200, 1200]);
  });
  it('begin with the traffic, and none is at its stop', () => {
    expect(times(alone(`start: 1s, stop: 1800ms, ${burst}`))).toEqual([1000, 1000, 1400, 1400, 1400]);
  });
  it('go through their sizes once when nothing is said', () => {
    expect(times(alone('bursts: { sizes: [1, 1, 1], every: 3s }', { durationMs: 20_000 }))).toEqual([0, 3000, 6000]);
  });
  it('pass an instance that is down', () => {
    expect(times(alone(burst, { isAlive: (ms) => ms !== 400 }))).toEqual([0, 0, 800, 800, 1200, 1200, 1200]);
  });
  it('are not sent again when dropped', () => {
    const run = alone('bursts: { sizes: [10], every: 1s, rounds: 2 }', { takesMs: 100, accepts: (inFlight) => inFlight < 4 });
    expect(times(run)).toEqual([0, 0, 0, 0, 1000, 1000, 1000, 1000]);
    expect(run.dropped).toHaveLength(12);
  });
  it('of another size leave the draws of the others as they were', () => {
    const small = alone('keys: 100, bursts: { sizes: [2, 3], every: 1s }');
    const large = alone('keys: 100, bursts: { sizes: [50, 3], every: 1s }');
    expect(large.sent.filter(({ atMs }) => atMs === 1000)).toEqual(small.sent.filter(({ atMs }) => atMs === 1000));
    expect(large.sent.slice(0, 2)).toEqual(small.sent.slice(0, 2));
    expect(new Set(large.sent.map(({ key }) => key)).size).toBe(53);
  });
});

describe('keys', () => {
  const rowsOf = (keys: string, options = {}): number[] => alone(`keys: ${keys}, open: { rate: 2000/s, arrivals: even }`, options).sent.map(({ row }) => row);
  it('are drawn uniformly from 0 to n − 1', () => {
    const counts = counted(rowsOf('10'), 1, 10);
    // Chi-square with 9 degrees of freedom: 0.1 % above 27.9.
    expect(counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(27.9);
  });
  it('hot ones take their share between them, the others the rest', () => {
    const counts = counted(rowsOf('{ count: 50, hot: 2, share: 60% }'), 1, 50);
    // 20,000 requests: three standard deviations of the hot share are 208, of one hot key 195, of a cold one 39 around 166.7.
    expect(Math.abs(counts[0] + counts[1] - 12_000)).toBeLessThan(208);
    for (const count of counts.slice(0, 2)) expect(Math.abs(count - 6000)).toBeLessThan(195);
    // Of 48 cold keys one is further off than three standard deviations now and then, never than five.
    for (const count of counts.slice(2)) expect(Math.abs(count - 8000 / 48)).toBeLessThan(65);
  });
  it('that are all hot are drawn uniformly, whatever their share', () => {
    // 20,000 requests: four standard deviations are 245.
    for (const count of counted(rowsOf('{ count: 4, hot: 4, share: 50% }'), 1, 4)) expect(Math.abs(count - 5000)).toBeLessThan(245);
  });
  it.each([
    ['everything for the hot', '{ count: 3, hot: 1, share: 100% }', [0]],
    ['nothing for the hot', '{ count: 3, hot: 1, share: 0% }', [1, 2]],
  ])('%s', (_, keys, rows) => {
    expect([...new Set(rowsOf(keys))].sort()).toEqual(rows);
  });
  it('rule 47: are the same numbers for every traffic, whatever it is called and wherever it runs', () => {
    for (const options of [{}, { seed: 7 }, { ordinal: 3 }]) expect(new Set(rowsOf('5', options))).toEqual(new Set([0, 1, 2, 3, 4]));
  });
  it('left out: every request its own', () => {
    expect(alone('open: { rate: 10/s }').sent.every(({ row }) => row === -1)).toBe(true);
  });
  it('per burst: fresh ones, and the requests go over them in turn', () => {
    const run = alone('keys: { per: burst, count: 2 }, bursts: { sizes: [3, 4], every: 1s }');
    expect(run.sent.map(({ row }) => row)).toEqual([1000, 1001, 1000, 1002, 1003, 1002, 1003]);
  });
  it('per burst, one alone: all its requests meet there', () => {
    expect(alone('keys: { per: burst }, bursts: { sizes: [50, 50], every: 1s }').sent.map(({ row }) => row)).toEqual([...Array<number>(50).fill(1000), ...Array<number>(50).fill(1001)]);
  });
  it('of closed users are drawn a request, not a user', () => {
    const run = alone('keys: 1000, closed: { users: 1, think: 100ms }');
    expect(new Set(run.sent.map(({ row }) => row)).size).toBeGreaterThan(80);
  });
});
