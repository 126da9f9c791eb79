import type { Instance } from '../parts/instance.js';

/** From this share of its limit on a resource counts as used up (rule 52). */
const nearlyAll = 0.95;
/** It must be so in this many of the last five ticks; it ends after three ticks without. */
const ticksNeeded = 3;
const window = 0b11111;
const lastThree = 0b111;

export type SaturatedResource = 'cpu' | 'slots' | 'pool' | 'memory';

/** Means of one tick. */
export interface TickSums {
  readonly cpu: number;
  readonly slots: number;
  readonly queue: number;
  readonly memory: number;
}

/** What a connection pool of the instance had in the tick. */
export interface PoolSums {
  readonly inUse: number;
  readonly max: number;
  readonly waitedMax: number;
}

interface Watched {
  readonly what: SaturatedResource;
  /** One bit a tick, the newest lowest. */
  history: number;
  active: boolean;
}

/** Begun in the tick that has just ended. */
export interface Begun {
  readonly what: SaturatedResource;
  /** Tick in which the use began that made it so. */
  readonly sinceTick: number;
  readonly level: number;
  readonly limit: number;
}

/**
 * Tells when an instance is saturated: CPU at 95 % or more, slots or pool as full with somebody waiting, memory at 95 % or more, in three ticks of five.
 */
export class SaturationWatch {
  private readonly watched: readonly Watched[] = (['cpu', 'slots', 'pool', 'memory'] as const).map((what) => ({ what, history: 0, active: false }));
  private pools: readonly PoolSums[] = [];
  /** What has become saturated in the last tick. */
  begun: readonly Begun[] = [];

  constructor(private readonly instance: Instance) {}

  get isSaturated(): boolean {
    return this.watched.some(({ active }) => active);
  }

  /** Must be told before `endTick`. */
  tellPools(pools: readonly PoolSums[]): void {
    this.pools = pools;
  }

  endTick(tick: number, sums: TickSums): void {
    const begun: Begun[] = [];
    for (const watched of this.watched) {
      const use = this.use(watched.what, sums);
      watched.history = ((watched.history << 1) | (use.isFull ? 1 : 0)) & window;
      const wasActive = watched.active;
      watched.active = wasActive ? (watched.history & lastThree) !== 0 : bitCount(watched.history) >= ticksNeeded;
      if (watched.active && !wasActive) begun.push({ what: watched.what, sinceTick: tick - oldestBit(watched.history), level: use.level, limit: use.limit });
    }
    this.begun = begun;
  }

  private use(what: SaturatedResource, sums: TickSums): { isFull: boolean; level: number; limit: number } {
    const { instance } = this;
    switch (what) {
      case 'cpu':
        return { ...full(sums.cpu, instance.container.cores), level: sums.cpu, limit: instance.container.cores };
      case 'slots':
        return { isFull: full(sums.slots, instance.slotLimit).isFull && instance.queued.tickMax > 0, level: sums.slots, limit: instance.slotLimit };
      case 'memory':
        return { ...full(sums.memory, instance.memoryLimitBytes), level: sums.memory, limit: instance.memoryLimitBytes };
      case 'pool': {
        const pool = this.pools.find(({ inUse, max, waitedMax }) => full(inUse, max).isFull && waitedMax > 0);
        return { isFull: pool !== undefined, level: pool?.inUse ?? 0, limit: pool?.max ?? 0 };
      }
    }
  }
}

const full = (level: number, limit: number): { isFull: boolean } => ({ isFull: Number.isFinite(limit) && limit > 0 && level >= nearlyAll * limit });

const bitCount = (bits: number): number => {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
};

/** How many ticks ago the oldest remembered full tick was. */
const oldestBit = (bits: number): number => 31 - Math.clz32(bits);
