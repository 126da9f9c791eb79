import { block, encipher, uniform } from '../../src/engine/kernel/keyed-draws.js';
import { samplerOf } from '../../src/engine/kernel/sampler.js';
import type { Drawn } from '../../src/scenario/model.js';

/** Key of all draws of a request, of one of its calls, or of a branch (rule 54). */
export interface Key {
  readonly a: number;
  readonly b: number;
}

/** The key of something below another: of a call below its caller, by the site of its step and how often that has run. */
export const keyUnder = ({ a, b }: Key, site: number, occurrence: number): Key => {
  encipher(a, b, site | 0, occurrence);
  return { a: block[0], b: block[1] };
};

/** From 0 to 1. */
export const drawn = ({ a, b }: Key, site: number, occurrence: number): number => uniform(a, b, site, occurrence);

/** A whole number from 0 to n − 1. */
export const pickOf = (n: number, key: Key, site: number, occurrence: number): number => Math.floor(drawn(key, site, occurrence) * n);

/** Position of one of some weights. The draw is one of a thousand million steps. */
export const pickByWeight = (weights: readonly number[], key: Key, site: number, occurrence: number): number => {
  let left = pickOf(1e9, key, site, occurrence) * (weights.reduce((sum, weight) => sum + weight, 0) / 1e9);
  let i = 0;
  while (i < weights.length - 1 && left >= weights[i]) left -= weights[i++];
  return i;
};

/** One draw of a duration, ns, not rounded. */
export const drawnNs = (time: Drawn, site: string, { a, b }: Key, occurrence: number): number => samplerOf(time, site, 1e6).draw(a, b, occurrence);

/** Whole ns of ms; Infinity stays. */
export const nsOf = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms * 1e6) : ms);

export type How = 'good' | 'declined' | 'refused' | 'failed';

/** How something ended, and why: `orders-db: queue full`. */
export interface End {
  readonly how: How;
  readonly why: string;
}

export const good: End = { how: 'good', why: '' };
export const failed = (place: string, reason: string): End => ({ how: 'failed', why: `${place}: ${reason}` });
export const refused = (place: string, reason: string): End => ({ how: 'refused', why: `${place}: ${reason}` });
export const isBad = ({ how }: End): boolean => how === 'refused' || how === 'failed';

/** Takes one out of a list, if it is there. */
export const without = <T>(list: T[], one: T): void => {
  const place = list.indexOf(one);
  if (place >= 0) list.splice(place, 1);
};
