import { pointsOf } from '../engine/index.js';
import type { System, Traffic } from '../scenario/model.js';

/** How many requests one traffic sends in a run, as far as that is known before one. */
export interface ExpectedRequests {
  readonly traffic: string;
  /** Null where nobody can say beforehand. */
  readonly count: number | null;
  /** `expected`: rate by time; `most`: users who wait for answers send fewer the slower those are. */
  readonly is: 'expected' | 'most';
}

/** Rate by time, users by think time, sizes of bursts, open sockets by how often each sends. */
export const expectedRequests = (system: System): readonly ExpectedRequests[] =>
  system.traffic.map((traffic) => {
    const { count, is } = ofOneSource(traffic, system.durationMs);
    const sources = traffic.from === undefined ? 1 : (system.services.find(({ name }) => name === traffic.from)?.instances.value ?? 1);
    return { traffic: traffic.name, count: count === null ? null : Math.round(count * sources), is };
  });

const ofOneSource = ({ source, startMs, stopMs }: Traffic, durationMs: number): Pick<ExpectedRequests, 'count' | 'is'> => {
  const endMs = Math.min(durationMs, stopMs);
  const lengthMs = Math.max(0, endMs - startMs);
  switch (source.kind) {
    case 'open':
      return { count: integral(source.rate, startMs, endMs), is: 'expected' };
    case 'closed':
      return { count: source.think.value > 0 ? integral(source.users, startMs, endMs) * (1000 / source.think.value) : null, is: 'most' };
    case 'bursts': {
      const bursts = Math.min(source.sizes.length * source.rounds.value, Math.ceil(lengthMs / source.every.value));
      return { count: sum(Array.from({ length: bursts }, (_, nth) => source.sizes[nth % source.sizes.length].value)), is: 'expected' };
    }
    case 'sockets': {
      const most = Math.min(source.max.value, (source.connect.value * source.hold.value) / 1000);
      // They come one by one until so many are open.
      const fillMs = Math.min(lengthMs, (most / source.connect.value) * 1000);
      const opened = Math.min(most, (source.connect.value * fillMs) / 1000);
      const sent = (opened * (lengthMs - fillMs / 2)) / source.every.value;
      return { count: sent + (source.opening === undefined ? 0 : opened), is: 'expected' };
    }
  }
};

/** Value by seconds, between the two times. */
const integral = (profile: Parameters<typeof pointsOf>[0], fromMs: number, toMs: number): number => {
  const points = pointsOf(profile, fromMs * nsPerMs, toMs * nsPerMs);
  return sum(
    points.slice(1).map((b, i) => {
      const a = points[i];
      const [from, to] = [Math.max(a.atNs, fromMs * nsPerMs), Math.min(b.atNs, toMs * nsPerMs)];
      if (to <= from) return 0;
      const at = (ns: number): number => a.value + ((b.value - a.value) * (ns - a.atNs)) / (b.atNs - a.atNs);
      return ((at(from) + at(to)) / 2) * ((to - from) / (1000 * nsPerMs));
    }),
  );
};
const nsPerMs = 1_000_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
