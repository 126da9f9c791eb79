import type { Profile, Traffic, Value } from '../scenario/model.js';
import type { PictureTraffic } from '../study/types.js';

type Points = PictureTraffic['scripted'];

/** The load that a traffic asks for, as corners between which it runs in straight lines: a rate (open, sockets), users, or a spike for each burst. */
export const scriptedLoad = ({ source, startMs, stopMs }: Traffic, durationMs: number): Points => {
  const endMs = Math.min(stopMs, durationMs);
  switch (source.kind) {
    case 'open':
      return ofProfile(source.rate, startMs, endMs, durationMs);
    case 'closed':
      return ofProfile(source.users, startMs, endMs, durationMs);
    case 'sockets':
      return withNothingAround(level(source.connect, startMs, endMs), durationMs);
    case 'bursts':
      return bursts(source, startMs, endMs);
  }
};

const ofProfile = (profile: Profile, startMs: number, endMs: number, durationMs: number): Points => {
  if (profile.kind === 'constant') return withNothingAround(level(profile.value, startMs, endMs), durationMs);
  if (profile.kind === 'ramp') return profile.points.map(({ atMs, value }) => point(atMs, value));
  let atMs = startMs;
  const steps = profile.steps.map((step, index) => {
    const fromMs = atMs;
    const toMs = fromMs + profile.each.value + (index === 0 ? profile.warmUp.value : 0);
    atMs = toMs + profile.gap.value;
    return level(step, fromMs, toMs);
  });
  return withNothingAround(steps.flatMap((step, index) => (index > 0 && profile.gap.value > 0 ? [zero(steps[index - 1][1]), zero(step[0]), ...step] : step)), durationMs);
};

const bursts = ({ sizes, every, rounds }: Extract<Traffic['source'], { kind: 'bursts' }>, startMs: number, endMs: number): Points =>
  Array.from({ length: sizes.length * rounds.value }, (_, burst) => point(startMs + burst * every.value, sizes[burst % sizes.length]))
    .filter(({ atMs }) => atMs < endMs)
    .flatMap((top) => [zero(top), top, zero(top)]);

const point = (atMs: number, { value, basis }: Value): Points[number] => ({ atMs, value, basis });
const zero = (at: Points[number]): Points[number] => ({ ...at, value: 0 });
const level = (value: Value, fromMs: number, toMs: number): [Points[number], Points[number]] => [point(fromMs, value), point(toMs, value)];

/** Before the first corner and after the last there is nothing. */
const withNothingAround = (points: Points, durationMs: number): Points => [
  ...(points[0].atMs > 0 ? [zero({ ...points[0], atMs: 0 }), zero(points[0])] : []),
  ...points,
  ...(points.at(-1)!.atMs < durationMs ? [zero(points.at(-1)!), zero({ ...points.at(-1)!, atMs: durationMs })] : []),
];
