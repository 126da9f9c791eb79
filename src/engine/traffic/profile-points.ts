import type { Profile } from '../../scenario/model.js';
import { toNs } from '../plan/plan.js';

/** A corner of a profile. Between two corners the value runs in a straight line; two corners of one instant are a jump. */
export interface ProfilePoint {
  readonly atNs: number;
  /** In the profile's own unit: a rate per second, or users. */
  readonly value: number;
}

/**
 * The corners of a profile up to `stopNs` at least. Stairs begin at `startNs`, as their phases do, and are 0 in their gaps and after the last step;
 * a ramp says its own times, and is level before its first and after its last point.
 */
export const pointsOf = (profile: Profile, startNs: number, stopNs: number): readonly ProfilePoint[] => {
  if (profile.kind === 'constant') return [{ atNs: 0, value: profile.value.value }, { atNs: stopNs, value: profile.value.value }];
  if (profile.kind === 'stairs') return stairPoints(profile, startNs, stopNs);
  const points = profile.points.map(({ atMs, value }) => ({ atNs: toNs(atMs), value: value.value }));
  const last = points.at(-1)!;
  return [{ atNs: 0, value: points[0].value }, ...points, { atNs: Math.max(stopNs, last.atNs), value: last.value }];
};

const stairPoints = ({ steps, each, gap, warmUp }: Extract<Profile, { kind: 'stairs' }>, startNs: number, stopNs: number): readonly ProfilePoint[] => {
  let atNs = startNs;
  const points = steps.flatMap(({ value }, index) => {
    const untilNs = atNs + toNs(each.value) + (index === 0 ? toNs(warmUp.value) : 0);
    const flat = [{ atNs, value }, { atNs: untilNs, value }];
    atNs = untilNs + toNs(gap.value);
    return gap.value > 0 ? [...flat, { atNs: untilNs, value: 0 }, { atNs, value: 0 }] : flat;
  });
  const last = points.at(-1)!;
  return stopNs > last.atNs ? [...points, { atNs: last.atNs, value: 0 }, { atNs: stopNs, value: 0 }] : points;
};
