import { describe, expect, it } from 'vitest';
import { exitCodes, FaultreelError } from '../../../src/errors.js';
import { outcome } from '../../../src/engine/kernel/calls.js';
import { alone, counted, times } from './traffic-alone.js';

/** Which users were there at the end of each 100 ms, at these tenths. */
const presentAt = (present: readonly number[], ...tenths: number[]): number[] => tenths.map((tenth) => present[tenth - 1]);
const usersOf = (sent: readonly { tag: number }[]): number[] => sent.map(({ tag }) => tag);

describe('a user sends, waits for the end, thinks, and sends again', () => {
  it('so one cycle is the response time and the think time', () => {
    const run = alone('closed: { users: 1, think: 300ms }', { takesMs: 200, durationMs: 2000 });
    expect(times(run)).toEqual([0, 500, 1000, 1500]);
  });
  it('whatever the end was', () => {
    const bad = [outcome.failed, outcome.refused, outcome.declined, outcome.good] as const;
    const run = alone('closed: { users: 1, think: 300ms }', { takesMs: 200, durationMs: 2000, ends: ({ atMs }) => bad[atMs / 500] });
    expect(times(run)).toEqual([0, 500, 1000, 1500]);
  });
  it('and one whose request never ends asks no more', () => {
    const run = alone('closed: { users: 2, think: 1s }', { takesMs: ({ tag }) => (tag === 0 ? Infinity : 1), durationMs: 4000 });
    expect(usersOf(run.sent)).toEqual([0, 1, 1, 1, 1]);
  });
  it('thinks a drawn time of the stated mean', () => {
    const run = alone('closed: { users: 50, think: { assumed: 100ms, cv: 1 } }', { durationMs: 20_000 });
    // 10,000 cycles in the mean, of exponential length: standard deviation 100.
    expect(Math.abs(run.sent.length - 10_000)).toBeLessThan(300);
    const gaps = run.sent.filter(({ tag }) => tag === 0).map(({ atMs }, i, all) => atMs - (all[i - 1]?.atMs ?? 0)).slice(1);
    expect(new Set(gaps).size).toBe(gaps.length);
  });
});

describe('rule 45: users join spread over one think time', () => {
  it('user i of n after i/n of it', () => {
    const run = alone('closed: { users: 4, think: 1s }', { durationMs: 1000, takesMs: 5000 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0], [250, 1], [500, 2], [750, 3]]);
    expect(presentAt(run.present, 1, 3, 6, 8)).toEqual([1, 2, 3, 4]);
  });
  it('counts from the start of the traffic', () => {
    expect(times(alone('start: 2s, closed: { users: 2, think: 1s }', { durationMs: 3000, takesMs: 5000 }))).toEqual([2000, 2500]);
  });
  it('takes the mean of a drawn think time', () => {
    expect(times(alone('closed: { users: 4, think: { assumed: 1s, cv: 1 } }', { durationMs: 1000, takesMs: 5000 }))).toEqual([0, 250, 500, 750]);
  });
  it('and without think time all at once', () => {
    expect(times(alone('closed: { users: 3, think: 0s }', { durationMs: 1000, takesMs: 5000 }))).toEqual([0, 0, 0]);
  });
  it('likewise those who come with a rise', () => {
    const run = alone('closed: { users: { stairs: [2, 6], each: 2s }, think: 1s }', { durationMs: 4000, takesMs: 10_000 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0], [500, 1], [2000, 2], [2250, 3], [2500, 4], [2750, 5]]);
  });
});

describe('rule 45: one who must go finishes the request, then leaves', () => {
  it('the last to come first', () => {
    const run = alone('closed: { users: [[0s, 4], [3s, 4], [3s, 2]], think: 100ms }', { durationMs: 6000, takesMs: 900 });
    // Requests of users 2 and 3 began in the third cycle, at 2,050 and 2,075 ms, and last to 2,950 and 2,975 ms.
    expect(new Set(usersOf(run.sent.filter(({ atMs }) => atMs >= 3000)))).toEqual(new Set([0, 1]));
    expect(presentAt(run.present, 30, 31)).toEqual([4, 2]);
  });
  it('and is there until the request has ended', () => {
    const run = alone('closed: { users: [[0s, 2], [1s, 2], [1s, 1]], think: 100ms }', { durationMs: 4000, takesMs: 1500 });
    expect(presentAt(run.present, 10, 11, 15, 16)).toEqual([2, 2, 2, 1]);
    expect(usersOf(run.sent)).toEqual([0, 1, 0, 0]);
  });
  it('one who thinks goes at once', () => {
    const run = alone('closed: { users: [[0s, 2], [1s, 2], [1s, 1]], think: 10s }', { durationMs: 8000, takesMs: 1 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0]]);
    expect(presentAt(run.present, 10, 11)).toEqual([1, 1]);
  });
  it('one who was still on the way does not come', () => {
    const run = alone('closed: { users: { stairs: [10, 1], each: 1s }, think: 4s }', { durationMs: 2000, takesMs: 5000 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0], [400, 1], [800, 2]]);
  });
  it('one who is called back before it has left, stays', () => {
    const run = alone('closed: { users: [[0s, 2], [1s, 2], [1s, 1], [2s, 1], [2s, 2]], think: 100ms }', { durationMs: 6000, takesMs: 2950 });
    // User 1 asked at 50 ms, was to go at 1 s and to stay from 2 s on: no second request beside its first.
    expect(run.sent.filter(({ tag }) => tag === 1).map(({ atMs }) => atMs)).toEqual([50, 3100]);
    expect(Math.max(...run.present)).toBe(2);
  });
  it('at `stop` all go', () => {
    const run = alone('stop: 2s, closed: { users: 3, think: 300ms }', { durationMs: 4000, takesMs: 200 });
    expect(Math.max(...times(run))).toBeLessThan(2000);
    expect(presentAt(run.present, 20, 23, 40)).toEqual([3, 0, 0]);
  });
});

describe('users over time', () => {
  const present = (users: string, durationMs: number, more = ''): number[] => alone(`${more} closed: { users: ${users}, think: 0.001ms }`, { durationMs, takesMs: 10 }).present;
  it('climb a ramp one by one: user n comes where the line reaches n', () => {
    expect(present('[[0s, 0], [2s, 10]]', 3000)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, ...Array<number>(10).fill(10)]);
  });
  it('and go down one by one: user n leaves where the line is back at n − 1', () => {
    expect(present('[[0s, 5], [1s, 0]]', 1200)).toEqual([5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0]);
  });
  it('a ramp says its own times: what is before `start` is over', () => {
    expect(present('[[0s, 0], [2s, 10]]', 2000, 'start: 1s,')).toEqual([...Array<number>(10).fill(0), 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]);
  });
  it('climb stairs, and nobody is there in a gap nor after the last step', () => {
    const expected = [...Array<number>(15).fill(2), ...Array<number>(5).fill(0), ...Array<number>(10).fill(4), ...Array<number>(5).fill(0), ...Array<number>(10).fill(3), ...Array<number>(15).fill(0)];
    // In the first tenth of a gap the last requests end.
    expect(present('{ stairs: [2, 4, 3], each: 1s, gap: 500ms, warmUp: 500ms }', 6000)).toEqual(expected);
  });
  it('climb stairs from the start of the traffic on, and leave with the last step, gap or not', () => {
    const expected = [...Array<number>(10).fill(0), ...Array<number>(5).fill(1), ...Array<number>(5).fill(2), ...Array<number>(10).fill(0)];
    expect(present('{ stairs: [1, 2], each: 500ms }', 3000, 'start: 1s,')).toEqual(expected);
  });
  it('send nothing at the very end of a step', () => {
    const run = alone('closed: { users: { stairs: [1, 1], each: 1s, gap: 1s }, think: 250ms }', { durationMs: 4000 });
    expect(times(run)).toEqual([0, 250, 500, 750, 2000, 2250, 2500, 2750]);
  });
  it('nor when the think time is longer than a step, and the end was known only later', () => {
    const run = alone('closed: { users: [[0s, 2], [1s, 1], [2s, 1], [2s, 0]], think: 2s }', { durationMs: 4000 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0]]);
  });
});

describe('a dropped request', () => {
  it('is followed by thinking, and another try', () => {
    const run = alone('closed: { users: 2, think: 1s }', { durationMs: 4000, takesMs: 1600, accepts: (inFlight) => inFlight < 1 });
    expect(run.sent.map(({ atMs, tag }) => [atMs, tag])).toEqual([[0, 0], [2500, 1]]);
    expect(run.dropped.map(({ atMs, tag }) => [atMs, tag])).toEqual([[500, 1], [1500, 1], [2600, 0], [3600, 0]]);
  });
});

describe('rule 46: a user who asks again in no time', () => {
  const error = (run: () => unknown): FaultreelError => {
    try {
      run();
    } catch (thrown) {
      return thrown as FaultreelError;
    }
    throw new Error('nothing was thrown');
  };
  it('is an error of the scenario after 1,000 turns at one instant', () => {
    let asked = 0;
    const thrown = error(() => alone('closed: { users: 1, think: 0s }', { accepts: () => ++asked > 0 }));
    expect(asked).toBe(1000);
    expect(thrown).toBeInstanceOf(FaultreelError);
    expect(thrown.exitCode).toBe(exitCodes.invalidScenario);
    expect(thrown.message).toBe('traffic.t: a user asks again in no time, 1,000 times at one instant; give a think time or a link latency');
  });
  it('also when every request is dropped', () => {
    expect(error(() => alone('closed: { users: 1, think: 0s }', { accepts: () => false })).message).toMatch(/asks again in no time/);
  });
  it('but 1,000 turns are none, nor 1,000 users', () => {
    let ended = 0;
    const run = alone('closed: { users: 1, think: 0s }', { durationMs: 100, takesMs: () => (++ended % 1000 === 0 ? 1 : 0) });
    expect(counted(times(run), 1, 100)).toEqual(Array<number>(100).fill(1000));
    expect(alone('closed: { users: 3000, think: 0s }', { durationMs: 100, takesMs: 200 }).sent).toHaveLength(3000);
  });
});

describe('keyed draws', () => {
  const keysOf = (run: { sent: readonly { tag: number; key: string }[] }, user: number): string[] => run.sent.filter(({ tag }) => tag === user).map(({ key }) => key);
  it('what happens to one user shifts no other one’s', () => {
    const calm = alone('closed: { users: 3, think: { assumed: 200ms, cv: 1 } }', { takesMs: 50 });
    const slow = alone('closed: { users: 3, think: { assumed: 200ms, cv: 1 } }', { takesMs: ({ tag }) => (tag === 1 ? 700 : 50) });
    expect(keysOf(slow, 1).length).toBeLessThan(keysOf(calm, 1).length);
    expect(keysOf(slow, 1)).toEqual(keysOf(calm, 1).slice(0, keysOf(slow, 1).length));
    for (const user of [0, 2]) expect(slow.sent.filter(({ tag }) => tag === user)).toEqual(calm.sent.filter(({ tag }) => tag === user));
  });
  it('no two requests, users, instances or seeds have the same', () => {
    const all = [{}, { ordinal: 1 }, { seed: 2 }].flatMap((options) => alone('closed: { users: 20, think: 100ms }', options).sent.map(({ key }) => key));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('users in an instance that is down', () => {
  it('send nothing, and go on when it is back', () => {
    const run = alone('closed: { users: 2, think: 500ms }', { durationMs: 4000, isAlive: (ms) => ms < 1000 || ms >= 2000 });
    expect(times(run)).toEqual([0, 250, 500, 750, 2000, 2250, 2500, 2750, 3000, 3250, 3500, 3750]);
  });
  it('without think time they look again ten times a second, and are no error', () => {
    const run = alone('closed: { users: 1, think: 0s }', { durationMs: 2000, takesMs: 400, isAlive: (ms) => ms < 1000 || ms >= 1450 });
    expect(times(run)).toEqual([0, 400, 800, 1500, 1900]);
  });
});
