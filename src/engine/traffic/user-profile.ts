import type { Profile } from '../../scenario/model.js';
import { pointsOf, type ProfilePoint } from './profile-points.js';

/** From `atNs` on there are so many users. */
export interface UserChange {
  readonly atNs: number;
  readonly users: number;
}

/**
 * A number of users over time, as its changes in order; the last is to 0 at `stopNs`. On a ramp user n comes where the line reaches n and goes where it
 * comes back to n − 1, as k6's ramping-vus has it (`lib/executor/ramping_vus.go`, getRawExecutionSteps).
 */
export function* userChanges(profile: Profile, startNs: number, stopNs: number): Generator<UserChange, void> {
  let users = 0;
  let reached = Number.NaN;
  for (const { fromNs, toNs, from, to } of linesOf(pointsOf(profile, startNs, stopNs), startNs, stopNs)) {
    if (from !== reached && Math.floor(from) !== users) yield { atNs: fromNs, users: (users = Math.floor(from)) };
    reached = to;
    const reachedNs = (value: number): number => Math.round(fromNs + ((value - from) / (to - from)) * (toNs - fromNs));
    for (let n = Math.floor(from) + 1; n <= to; n++) yield { atNs: reachedNs(n), users: (users = n) };
    for (let n = Math.ceil(from) - 1; n >= to; n--) if (n < users) yield { atNs: reachedNs(n), users: (users = n) };
  }
  if (users > 0) yield { atNs: stopNs, users: 0 };
}

/** The most users that there ever are. */
export const mostUsers = (profile: Profile): number => {
  const values = profile.kind === 'constant' ? [profile.value] : profile.kind === 'stairs' ? profile.steps : profile.points.map(({ value }) => value);
  return Math.max(...values.map(({ value }) => Math.floor(value)));
};

interface Line {
  readonly fromNs: number;
  readonly toNs: number;
  readonly from: number;
  readonly to: number;
}

/** The straight lines between the corners, cut to the traffic's time. */
const linesOf = (points: readonly ProfilePoint[], startNs: number, stopNs: number): readonly Line[] =>
  points.slice(1).flatMap((b, i) => {
    const a = points[i];
    const fromNs = Math.max(a.atNs, startNs);
    const toNs = Math.min(b.atNs, stopNs);
    const valueAt = (ns: number): number => (ns === b.atNs ? b.value : a.value + ((b.value - a.value) * (ns - a.atNs)) / (b.atNs - a.atNs));
    return toNs > fromNs ? [{ fromNs, toNs, from: valueAt(fromNs), to: valueAt(toNs) }] : [];
  });
