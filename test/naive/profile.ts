import type { Profile } from '../../src/scenario/model.js';
import { nsOf } from './words.js';

/** A straight line from one value to another. */
interface Line {
  readonly fromNs: number;
  readonly toNs: number;
  readonly from: number;
  readonly to: number;
}

/** A profile as straight lines, cut to the traffic's time. Stairs begin at its start; a ramp says its own times and is level outside them. */
const linesOf = (profile: Profile, startNs: number, stopNs: number): Line[] => {
  const corners: (readonly [number, number])[] = [];
  if (profile.kind === 'constant') corners.push([0, profile.value.value], [stopNs, profile.value.value]);
  if (profile.kind === 'ramp') {
    const own = profile.points.map(({ atMs, value }) => [nsOf(atMs), value.value] as const);
    corners.push([0, own[0][1]], ...own, [Math.max(stopNs, own.at(-1)![0]), own.at(-1)![1]]);
  }
  if (profile.kind === 'stairs') {
    let atNs = startNs;
    profile.steps.forEach(({ value }, i) => {
      const endNs = atNs + nsOf(profile.each.value) + (i === 0 ? nsOf(profile.warmUp.value) : 0);
      corners.push([atNs, value], [endNs, value]);
      atNs = endNs + nsOf(profile.gap.value);
      if (profile.gap.value > 0) corners.push([endNs, 0], [atNs, 0]);
    });
    if (stopNs > corners.at(-1)![0]) corners.push([corners.at(-1)![0], 0], [stopNs, 0]);
  }
  return corners.slice(1).flatMap(([bNs, b], i) => {
    const [aNs, a] = corners[i];
    const fromNs = Math.max(aNs, startNs);
    const toNs = Math.min(bNs, stopNs);
    const valueAt = (ns: number): number => (ns === bNs ? b : a + ((b - a) * (ns - aNs)) / (bNs - aNs));
    return toNs > fromNs ? [{ fromNs, toNs, from: valueAt(fromNs), to: valueAt(toNs) }] : [];
  });
};

/** When so many arrivals are expected, ns: the inverse of the rate's integral (rule 44). What would fall on the end of a line comes with the next. */
export const arrivalAt = (rate: Profile, startNs: number, stopNs: number): ((expected: number) => number) => {
  const lines = linesOf(rate, startNs, stopNs).map((line) => ({ ...line, from: line.from / 1e9, to: line.to / 1e9 }));
  return (expected) => {
    let before = 0;
    for (const { fromNs, toNs, from, to } of lines) {
      const count = ((from + to) / 2) * (toNs - fromNs);
      if (count > 0 && expected < (before + count) * (1 - 1e-12)) {
        // from·t + slope·t²/2 = arrivals, by the form of the root that does not cancel.
        const arrivals = Math.max(0, expected - before);
        const slope = (to - from) / (toNs - fromNs);
        const root = Math.sqrt(Math.max(0, from * from + 2 * slope * arrivals));
        return fromNs + (from + root === 0 ? 0 : (2 * arrivals) / (from + root));
      }
      before += count;
    }
    return Infinity;
  };
};

/** When there are to be so many users. On a ramp user n comes where the line reaches n; the last change is to nobody, at the stop. */
export const userChanges = (users: Profile, startNs: number, stopNs: number): readonly { readonly atNs: number; readonly users: number }[] => {
  const changes: { readonly atNs: number; readonly users: number }[] = [];
  let now = 0;
  const become = (atNs: number, count: number): void => {
    now = count;
    changes.push({ atNs, users: count });
  };
  let reached = Number.NaN;
  for (const { fromNs, toNs, from, to } of linesOf(users, startNs, stopNs)) {
    if (from !== reached && Math.floor(from) !== now) become(fromNs, Math.floor(from));
    reached = to;
    const whenNs = (count: number): number => Math.round(fromNs + ((count - from) / (to - from)) * (toNs - fromNs));
    for (let n = Math.floor(from) + 1; n <= to; n++) become(whenNs(n), n);
    for (let n = Math.ceil(from) - 1; n >= to; n--) if (n < now) become(whenNs(n), n);
  }
  if (now > 0) become(stopNs, 0);
  return changes;
};
