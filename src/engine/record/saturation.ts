/** From this share of its limit on a resource counts as used up (rule 52). */
const nearlyAll = 0.95;
/** It must be so in this many of the last five ticks; it ends after three ticks without. */
const ticksNeeded = 3;
const window = 0b11111;
const lastThree = 0b111;

export type SaturatedResource = 'cpu' | 'slots' | 'pool' | 'memory' | 'lock';

/** How much of a resource was used in a tick. */
export interface Use {
  readonly what: SaturatedResource;
  readonly isFull: boolean;
  readonly level: number;
  readonly limit: number;
}

/** Begun in the tick that has just ended. */
export interface Begun extends Omit<Use, 'isFull'> {
  /** Tick in which the use began that made it so. */
  readonly sinceTick: number;
}

/** A use of which only the level counts: CPU, memory. */
export const useOf = (what: SaturatedResource, level: number, limit: number): Use => ({ what, isFull: isNearlyAll(level, limit), level, limit });

/** A use that is full only while somebody waits for more: slots, a pool. */
export const contendedUse = (what: SaturatedResource, level: number, limit: number, mostWaiting: number): Use => ({ what, isFull: isNearlyAll(level, limit) && mostWaiting > 0, level, limit });

const isNearlyAll = (level: number, limit: number): boolean => Number.isFinite(limit) && limit > 0 && level >= nearlyAll * limit;

/**
 * Tells when an instance, a host or a lock is saturated: CPU or memory at 95 % or more, slots or pool as full with somebody waiting, somebody waiting for the
 * lock in 95 % of the tick or more; in three ticks of five (rule 52).
 */
export class SaturationWatch {
  /** One bit a tick, the newest lowest. */
  private readonly histories = new Map<SaturatedResource, number>();
  private readonly active = new Set<SaturatedResource>();

  get isSaturated(): boolean {
    return this.active.size > 0;
  }

  /** Notes what was used in the tick that ends now; of several uses of one kind (pools) a full one counts. Returns what has become saturated in it. */
  endTick(tick: number, uses: readonly Use[]): readonly Begun[] {
    const begun: Begun[] = [];
    const kinds = new Set(uses.map(({ what }) => what));
    for (const what of kinds) {
      const own = uses.filter((use) => use.what === what);
      const { isFull, level, limit } = own.find((use) => use.isFull) ?? own[0];
      const history = (((this.histories.get(what) ?? 0) << 1) | (isFull ? 1 : 0)) & window;
      this.histories.set(what, history);
      const was = this.active.has(what);
      const is = was ? (history & lastThree) !== 0 : bitCount(history) >= ticksNeeded;
      if (is) this.active.add(what);
      else this.active.delete(what);
      if (is && !was) begun.push({ what, sinceTick: tick - oldestBit(history), level, limit });
    }
    return begun;
  }
}

const bitCount = (bits: number): number => {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
};

/** How many ticks ago the oldest remembered full tick was. */
const oldestBit = (bits: number): number => 31 - Math.clz32(bits);
