import type { Traffic } from '../../scenario/model.js';
import { pick, siteOf, uniform } from '../kernel/keyed-draws.js';

/** Which row a request is about. Rows are numbers from 0, the same for every traffic (rule 47); −1 is one that only this request has. */
export interface Rows {
  /** A new burst begins. */
  nextBurst(): void;
  /** Row of a request with this key, the `nth` of its burst (0 elsewhere). */
  rowOf(key0: number, key1: number, nth: number): number;
}

/** How a traffic's keys are drawn. `freshRow` gives a row that nobody has had. */
export const makeRows = (keys: Traffic['keys'], freshRow: () => number): Rows => {
  if (!keys) return new OwnRows();
  if (keys.kind === 'uniform') return new UniformRows(keys.count.value);
  if (keys.kind === 'hot') return new HotRows(keys.count.value, keys.hot.value, keys.share.value);
  return new BurstRows(keys.count.value, freshRow);
};

const rowSite = siteOf('row');

class OwnRows implements Rows {
  nextBurst(): void {}
  rowOf(): number {
    return -1;
  }
}

class UniformRows implements Rows {
  constructor(private readonly count: number) {}
  nextBurst(): void {}
  rowOf(key0: number, key1: number): number {
    return pick(this.count, key0, key1, rowSite, 0);
  }
}

/** The first `hot` rows take their share between them, the others the rest; with no others, all of it. */
class HotRows implements Rows {
  private readonly share: number;
  constructor(private readonly count: number, private readonly hot: number, share: number) {
    this.share = hot >= count ? 1 : share;
  }

  nextBurst(): void {}

  rowOf(key0: number, key1: number): number {
    const u = uniform(key0, key1, rowSite, 0);
    if (u < this.share) return part(u / this.share, this.hot);
    return this.hot + part((u - this.share) / (1 - this.share), this.count - this.hot);
  }
}

/** Each burst has rows of its own; its requests go over them in turn. */
class BurstRows implements Rows {
  private readonly rows: Float64Array;

  constructor(count: number, private readonly freshRow: () => number) {
    this.rows = new Float64Array(count);
  }

  nextBurst(): void {
    for (let i = 0; i < this.rows.length; i++) this.rows[i] = this.freshRow();
  }

  rowOf(_key0: number, _key1: number, nth: number): number {
    return this.rows[nth % this.rows.length];
  }
}

/** Which of `n` equal parts of 0 to 1 holds u; rounding may have made u 1. */
const part = (u: number, n: number): number => Math.min(n - 1, Math.floor(u * n));
