import { describe, expect, it } from 'vitest';
import { outcome } from '../../../src/engine/kernel/calls.js';
import { alone, counted, times, type Alone } from './traffic-alone.js';

const opened = ({ sockets }: Alone): number[] => sockets.filter(([, what]) => what.startsWith('open')).map(([atMs]) => atMs);
const closed = ({ sockets }: Alone): [number, string][] => sockets.filter(([, what]) => what.startsWith('close'));

describe('sockets connect', () => {
  it('evenly, the first at the start of the traffic', () => {
    expect(opened(alone('start: 1s, sockets: { connect: 4/s, hold: 60s, every: 60s }', { durationMs: 2200 }))).toEqual([1000, 1250, 1500, 1750, 2000]);
  });
  it('while fewer than `max` are open, and again when one has gone', () => {
    const run = alone('sockets: { connect: 10/s, hold: 1050ms, max: 3, every: 60s }', { durationMs: 2000 });
    expect(opened(run)).toEqual([0, 100, 200, 1100, 1200, 1300]);
    expect(Math.max(...run.present)).toBe(3);
  });
  it('never at a rate of 0', () => {
    expect(alone('sockets: { connect: 0/s, hold: 1s, every: 1s }').sockets).toEqual([]);
  });
  it('not while the instance that they come from is down', () => {
    expect(opened(alone('sockets: { connect: 4/s, hold: 60s, every: 60s }', { durationMs: 1500, isAlive: (ms) => ms < 300 || ms > 1100 }))).toEqual([0, 250, 1250]);
  });
});

describe('a socket', () => {
  it('sends one interval after it is open, and then again and again, until it hangs up', () => {
    const run = alone('sockets: { connect: 10/s, hold: 2500ms, max: 1, every: 1s }', { durationMs: 2600, takesMs: 300 });
    expect(run.sent.map(({ atMs, socket }) => [atMs, socket])).toEqual([[1000, 0], [2000, 0]]);
    expect(closed(run)).toEqual([[2500, 'close 0']]);
  });
  it('does not wait for answers', () => {
    const run = alone('sockets: { connect: 1/s, hold: 60s, max: 1, every: 500ms }', { durationMs: 2100, takesMs: Infinity });
    expect(times(run)).toEqual([500, 1000, 1500, 2000]);
  });
  it('lives and sends at drawn times, anew each time', () => {
    const run = alone('sockets: { connect: 100/s, hold: { assumed: 2s, cv: 1 }, every: { assumed: 100ms, cv: 1 } }', { durationMs: 60_000 });
    const intervals = run.sent.filter(({ socket }) => socket === 0).map(({ atMs }, i, all) => atMs - (all[i - 1]?.atMs ?? 0));
    expect(new Set(intervals).size).toBe(intervals.length);
    // M/G/∞ with even arrivals: 200 open in the mean; 200 × 10/s messages.
    const settled = run.present.slice(200);
    expect(Math.abs(settled.reduce((sum, count) => sum + count, 0) / settled.length - 200)).toBeLessThan(10);
    expect(Math.abs(run.sent.filter(({ atMs }) => atMs >= 20_000).length / 40 / 2000 - 1)).toBeLessThan(0.05);
  });
  it('sends requests by weight', () => {
    const run = alone('send: { say: 3, look: 1 }, sockets: { connect: 1/s, hold: 60s, max: 1, every: 2ms }', { takesMs: 1 });
    const counts = run.programs.map((program) => run.sent.filter((sent) => sent.program === program).length);
    // Binomial(4999, 3/4): three standard deviations are 92.
    expect(Math.abs(counts[0] - 3750)).toBeLessThan(92);
    expect(counts[0] + counts[1]).toBe(run.sent.length);
  });
  it('says nothing while its own instance is down', () => {
    const run = alone('sockets: { connect: 1/s, hold: 60s, max: 1, every: 500ms }', { durationMs: 2600, isAlive: (ms) => ms < 700 || ms > 1700 });
    expect(times(run)).toEqual([500, 2000, 2500]);
  });
});

describe('an opening', () => {
  const one = 'sockets: { connect: 1/s, hold: 60s, max: 1, opening: subscribe, every: 500ms }';
  it('comes first, over the socket, and the first message one interval after its end', () => {
    const run = alone(one, { durationMs: 1600, takesMs: 200 });
    expect(run.sent.map(({ atMs, program, socket }) => [atMs, program, socket])).toEqual([[0, run.opening, 0], [700, run.programs[0], 0], [1200, run.programs[0], 0]]);
  });
  it.each([['failed', outcome.failed], ['refused', outcome.refused], ['declined', outcome.declined]] as const)('that ends %s closes the socket, and the next one tries', (_, end) => {
    const run = alone(one, { durationMs: 3000, takesMs: 200, ends: ({ atMs }) => (atMs === 0 ? end : outcome.good) });
    expect(run.sockets).toEqual([[0, 'open 0 row -1'], [200, 'close 0'], [1000, 'open 1 row -1']]);
    expect(run.sent.filter(({ socket }) => socket === 0)).toHaveLength(1);
  });
  it('that is dropped closes it at once', () => {
    const run = alone(one, { durationMs: 900, accepts: () => false });
    expect(run.sockets).toEqual([[0, 'open 0 row -1'], [0, 'close 0']]);
    expect(run.present.at(-1)).toBe(0);
  });
  it('that ends after its socket has gone concerns nobody', () => {
    const run = alone('sockets: { connect: 1/s, hold: 300ms, opening: subscribe, every: 100ms }', { durationMs: 2900, takesMs: 1200, ends: () => outcome.failed });
    expect(run.sockets.map(([, what]) => what)).toEqual(['open 0 row -1', 'close 0', 'open 1 row -1', 'close 1', 'open 2 row -1', 'close 2']);
    expect(run.sent.every(({ program }) => program === run.opening)).toBe(true);
  });
  it('alone decides: a message that ends badly closes nothing', () => {
    const run = alone(one, { durationMs: 5000, ends: ({ atMs }) => (atMs === 0 ? outcome.good : outcome.failed) });
    expect(run.sent).toHaveLength(10);
    expect(closed(run)).toEqual([]);
  });
});

describe('a broken socket', () => {
  it('is gone: it sends no more, is not hung up, and its place is taken by who comes next', () => {
    const run = alone('sockets: { connect: 2/s, hold: 1400ms, max: 1, every: 300ms }', { durationMs: 2400, at: [[700, ({ source }) => source.socketBroken(0)]] });
    expect(run.sockets).toEqual([[0, 'open 0 row -1'], [1000, 'open 1 row -1']]);
    expect(run.sent.map(({ atMs, socket }) => [atMs, socket])).toEqual([[300, 0], [600, 0], [1300, 1], [1600, 1], [1900, 1], [2200, 1]]);
    expect(run.present.slice(5, 11)).toEqual([1, 1, 0, 0, 0, 1]);
  });
  it('that nobody knows is none of this traffic’s', () => {
    const run = alone('sockets: { connect: 1/s, hold: 60s, max: 1, every: 1s }', { durationMs: 2000, at: [[500, ({ source }) => source.socketBroken(99)]] });
    expect(run.present.at(-1)).toBe(1);
  });
});

describe('at `stop`', () => {
  it('all hang up and none comes', () => {
    const run = alone('stop: 1s, sockets: { connect: 4/s, hold: 60s, every: 300ms }', { durationMs: 3000 });
    expect(opened(run)).toEqual([0, 250, 500, 750]);
    expect(closed(run)).toEqual([0, 1, 2, 3].map((socket) => [1000, `close ${socket}`]));
    expect(Math.max(...times(run))).toBeLessThan(1000);
  });
});

describe('rooms', () => {
  it('a socket is in one for life: opening and messages are about it', () => {
    const run = alone('keys: 300, sockets: { connect: 20/s, hold: 60s, opening: subscribe, every: 1s }', { durationMs: 5000 });
    const rooms = run.sockets.map(([, what]) => Number(what.split(' ')[3]));
    expect(run.sent.length).toBeGreaterThan(200);
    for (const { socket, row } of run.sent) expect(row).toBe(rooms[socket]);
    expect(new Set(rooms).size).toBeGreaterThan(60);
  });
  it('fill evenly', () => {
    const rooms = alone('keys: 4, sockets: { connect: 400/s, hold: 60s, every: 60s }').sockets.map(([, what]) => Number(what.split(' ')[3]));
    // Binomial(4000, 1/4): four standard deviations are 110.
    for (const count of counted(rooms, 1, 4)) expect(Math.abs(count - 1000)).toBeLessThan(110);
  });
});

describe('keyed draws of sockets', () => {
  it('another `max` leaves those that connect at the same time as they were', () => {
    const few = alone('keys: 100, sockets: { connect: 10/s, hold: { assumed: 1s, cv: 1 }, max: 3, every: { assumed: 200ms, cv: 1 } }');
    const many = alone('keys: 100, sockets: { connect: 10/s, hold: { assumed: 1s, cv: 1 }, every: { assumed: 200ms, cv: 1 } }');
    const keys = new Set(many.sent.map(({ key, atMs, row }) => `${key} ${atMs} ${row}`));
    expect(few.sent.length).toBeLessThan(many.sent.length);
    for (const { key, atMs, row } of few.sent) expect(keys).toContain(`${key} ${atMs} ${row}`);
    expect(keys.size).toBe(many.sent.length);
  });
});
