import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { CallerLink } from './link.js';
import { drawn, pickOf, type Key } from './words.js';

/** Which of the targets that may be called now is called next. */
export type Balancer = (rotation: readonly number[], key: Key, row: number) => number;

/** One caller instance's choice of targets (rules 27 to 30), begun afresh. */
export const makeBalancer = (link: CallerLink): Balancer => {
  const { shared } = link;
  const site = siteOf(shared.link.path);
  switch (shared.link.policy) {
    case 'round-robin':
      return roundRobin(link);
    case 'random':
      return (rotation, key) => {
        if (rotation.length === 1) return rotation[0];
        return shared.isLevel ? rotation[pickOf(rotation.length, key, site, 0)] : byWeight(rotation, link, drawn(key, site, 0));
      };
    case 'two-choices':
      return twoChoices(link, site);
    case 'least-outstanding':
      return (rotation, key) => {
        // While weights differ the call itself counts, too.
        const loadOf = (target: number): number => (shared.isLevel ? link.outstanding[target] : (link.outstanding[target] + 1) / shared.weightOf(target));
        const least = Math.min(...rotation.map(loadOf));
        const ties = rotation.filter((target) => loadOf(target) === least);
        return ties[ties.length === 1 ? 0 : pickOf(ties.length, key, site, 0)];
      };
    case 'hash':
      return (rotation, key, row) => byRow(rotation, siteOf(link.callee), row >= 0 ? [row | 0, Math.trunc(row / 2 ** 32) | 0] : [key.a, key.b]);
  }
};

/** The next number above the last one. While weights differ: whoever is due first, and is due again 1 ÷ weight later (earliest deadline first). */
const roundRobin = (link: CallerLink): Balancer => {
  const { shared } = link;
  let last = -1;
  let dueAt = new Map<number, number>();
  let madeAfter = -1;
  const inTurn = (rotation: readonly number[]): number[] => [...rotation.filter((target) => target > last), ...rotation.filter((target) => target <= last)];
  return (rotation) => {
    const order = inTurn(rotation);
    if (shared.isLevel) return (last = order[0]);
    if (madeAfter !== link.changes) dueAt = new Map(rotation.map((target) => [target, 1 / shared.weightOf(target)]));
    madeAfter = link.changes;
    last = order.reduce((first, target) => (dueAt.get(target)! < dueAt.get(first)! ? target : first));
    dueAt.set(last, dueAt.get(last)! + 1 / shared.weightOf(last));
    return last;
  };
};

/** Two different ones at random, and of them the one with less outstanding (rule 29). */
const twoChoices = (link: CallerLink, site: number): Balancer => (rotation, key) => {
  if (rotation.length === 1) return rotation[0];
  const { shared, outstanding } = link;
  const place = pickOf(rotation.length, key, site, 0);
  const a = shared.isLevel ? rotation[place] : byWeight(rotation, link, drawn(key, site, 0));
  const others = rotation.filter((target) => target !== a);
  // The second is so many places after the first, around the circle.
  const b = shared.isLevel ? rotation[(place + 1 + pickOf(rotation.length - 1, key, site, 1)) % rotation.length] : byWeight(others, link, drawn(key, site, 1));
  if (outstanding[a] === outstanding[b]) return pickOf(2, key, site, 2) === 0 ? a : b;
  return outstanding[a] < outstanding[b] ? a : b;
};

const byWeight = (targets: readonly number[], { shared }: CallerLink, u: number): number => {
  let left = u * targets.reduce((sum, target) => sum + shared.weightOf(target), 0);
  return targets.find((target) => (left -= shared.weightOf(target)) < 0) ?? targets.at(-1)!;
};

/** Rendezvous: each target has a score for the row, and the highest wins. */
const byRow = (targets: readonly number[], callee: number, [low, high]: readonly [number, number]): number => {
  const name = mixed(mixed(callee ^ low) ^ high);
  const scoreOf = (target: number): number => mixed(mixed(name ^ Math.imul(target + 1, 0x9e3779b1)) + name) >>> 0;
  return targets.reduce((best, target) => (scoreOf(target) > scoreOf(best) ? target : best));
};

/** The finalizer of MurmurHash3. */
const mixed = (word: number): number => {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
};
