import { pick, siteOf, uniform } from '../kernel/keyed-draws.js';
import type { LinkPlan } from '../plan/plan.js';
import type { Rotation } from './rotation.js';
import type { SlowStart } from './slow-start.js';

/** Chooses among the targets of a link for one caller instance. Random choices come from the call's own key (rules 28 and 54). */
export interface Balancer {
  /** Target of the next call; the rotation has at least one. `row`: what the call is about, −1 = something that nobody else asks for. */
  choose(rotation: Rotation, key0: number, key1: number, row: number): number;
  /** The caller's process is gone; the next one begins afresh. */
  reset(): void;
}

/** `outstanding`: this caller instance's calls not yet ended, by target (rule 27). */
export const makeBalancer = ({ policy, site, model }: LinkPlan, outstanding: Int32Array, slowStart: SlowStart): Balancer => {
  switch (policy) {
    case 'random':
      return new RandomChoice(site, slowStart);
    case 'two-choices':
      return new TwoChoices(site, outstanding, slowStart);
    case 'least-outstanding':
      return new LeastOutstanding(site, outstanding, slowStart);
    case 'hash':
      return new RowHash(siteOf(model.callee));
    case 'round-robin':
      return new RoundRobin(outstanding.length, slowStart);
  }
};

/**
 * By instance number, the next above the last one, so newcomers wait their turn (rule 30). While weights differ: earliest deadline first, as Envoy does it
 * (load_balancers.rst, edf_scheduler.h): who is chosen is due again 1 ÷ weight later, and among those due at once it is the next in turn. With equal weights
 * this is the plain round robin.
 */
class RoundRobin implements Balancer {
  private last = -1;
  private readonly dueAt: Float64Array;
  /** The rotation's version that `dueAt` was made for; −1 = none. A slow start begins with a new one. */
  private madeFor = -1;

  constructor(targetCount: number, private readonly slowStart: SlowStart) {
    this.dueAt = new Float64Array(targetCount);
  }

  choose(rotation: Rotation): number {
    this.last = this.slowStart.allEqual ? rotation.targets[this.inTurn(rotation)] : this.mostDue(rotation);
    return this.last;
  }

  reset(): void {
    this.last = -1;
    this.madeFor = -1;
  }

  /** Position of the next above the last one. */
  private inTurn({ targets, count }: Rotation): number {
    let i = 0;
    while (i < count && targets[i] <= this.last) i++;
    return i === count ? 0 : i;
  }

  private mostDue(rotation: Rotation): number {
    const { targets, count, version } = rotation;
    if (this.madeFor !== version) this.schedule(rotation);
    const first = this.inTurn(rotation);
    let best = targets[first];
    for (let i = 1; i < count; i++) {
      const target = targets[(first + i) % count];
      if (this.dueAt[target] < this.dueAt[best]) best = target;
    }
    this.dueAt[best] += 1 / this.slowStart.weight(best);
    return best;
  }

  private schedule({ targets, count, version }: Rotation): void {
    for (let i = 0; i < count; i++) this.dueAt[targets[i]] = 1 / this.slowStart.weight(targets[i]);
    this.madeFor = version;
  }
}

class RandomChoice implements Balancer {
  constructor(private readonly site: number, private readonly slowStart: SlowStart) {}

  choose(rotation: Rotation, key0: number, key1: number): number {
    const { targets, count } = rotation;
    if (count === 1) return targets[0];
    if (this.slowStart.allEqual) return targets[pick(count, key0, key1, this.site, 0)];
    return targets[drawn(rotation, this.slowStart, -1, uniform(key0, key1, this.site, 0))];
  }

  reset(): void {}
}

/** Two different ones at random (rule 29), by weight, and of them the one with less outstanding. */
class TwoChoices implements Balancer {
  constructor(private readonly site: number, private readonly outstanding: Int32Array, private readonly slowStart: SlowStart) {}

  choose(rotation: Rotation, key0: number, key1: number): number {
    const { targets, count } = rotation;
    if (count === 1) return targets[0];
    const { site, slowStart, outstanding } = this;
    const isPlain = slowStart.allEqual;
    const first = isPlain ? pick(count, key0, key1, site, 0) : drawn(rotation, slowStart, -1, uniform(key0, key1, site, 0));
    const second = isPlain ? (first + 1 + pick(count - 1, key0, key1, site, 1)) % count : drawn(rotation, slowStart, first, uniform(key0, key1, site, 1));
    const a = targets[first];
    const b = targets[second];
    if (outstanding[a] === outstanding[b]) return pick(2, key0, key1, site, 2) === 0 ? a : b;
    return outstanding[a] < outstanding[b] ? a : b;
  }

  reset(): void {}
}

/** The least outstanding, ties at random (rule 28). While weights differ, the call itself counts too: the least (outstanding + 1) ÷ weight. */
class LeastOutstanding implements Balancer {
  constructor(private readonly site: number, private readonly outstanding: Int32Array, private readonly slowStart: SlowStart) {}

  choose({ targets, count }: Rotation, key0: number, key1: number): number {
    if (count === 1) return targets[0];
    const isPlain = this.slowStart.allEqual;
    let least = Infinity;
    let ties = 0;
    for (let i = 0; i < count; i++) {
      const load = this.load(targets[i], isPlain);
      if (load < least) {
        least = load;
        ties = 1;
      } else if (load === least) ties++;
    }
    let skip = ties === 1 ? 0 : pick(ties, key0, key1, this.site, 0);
    for (let i = 0; ; i++) if (this.load(targets[i], isPlain) === least && skip-- === 0) return targets[i];
  }

  reset(): void {}

  private load(target: number, isPlain: boolean): number {
    return isPlain ? this.outstanding[target] : (this.outstanding[target] + 1) / this.slowStart.weight(target);
  }
}

/**
 * The same row goes to the same target, whoever asks: rendezvous hashing (Thaler, Ravishankar: Using name-based mappings to increase hit rates; 1998). Each
 * target has a score for the row and the highest wins, so a target that leaves moves only its own rows. Weights do not count here, as in Envoy.
 */
class RowHash implements Balancer {
  constructor(private readonly seed: number) {}

  choose({ targets, count }: Rotation, key0: number, key1: number, row: number): number {
    const low = row >= 0 ? row | 0 : key0;
    const high = row >= 0 ? (row / 4_294_967_296) | 0 : key1;
    const name = mixed(mixed(this.seed ^ low) ^ high);
    let best = targets[0];
    let highest = -1;
    for (let i = 0; i < count; i++) {
      const score = mixed(mixed(name ^ Math.imul(targets[i] + 1, 0x9e3779b1)) + name) >>> 0;
      if (score > highest) {
        highest = score;
        best = targets[i];
      }
    }
    return best;
  }

  reset(): void {}
}

/** A word whose every bit hangs on every bit of `word`, one to one (the finalizer of MurmurHash3). */
const mixed = (word: number): number => {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
};

/** A position, each as likely as its weight, but `except`; `u` from (0, 1). */
const drawn = ({ targets, count }: Rotation, slowStart: SlowStart, except: number, u: number): number => {
  let sum = 0;
  for (let i = 0; i < count; i++) if (i !== except) sum += slowStart.weight(targets[i]);
  let left = u * sum;
  let last = -1;
  for (let i = 0; i < count; i++) {
    if (i === except) continue;
    last = i;
    left -= slowStart.weight(targets[i]);
    if (left < 0) return i;
  }
  return last;
};
