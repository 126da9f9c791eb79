import { Level } from '../record/level.js';
import type { CpuPool } from './cpu-pool.js';
import type { Instance } from './instance.js';

/** What a host must know of an instance. */
export type Guest = Pick<Instance, 'memory' | 'serves'>;

/** One machine that instances of several services share: its cores, and its memory, of which the containers together may hold no more than there is (rule 14). */
export class Host<Kind extends Guest = Instance> {
  /** Resident memory of all its containers, bytes. */
  readonly memory = new Level();
  private readonly guests: Kind[] = [];

  constructor(
    readonly name: string,
    readonly pool: CpuPool,
    readonly memoryLimitBytes: number,
  ) {}

  /** An instance whose place is here; what it holds is told by `memoryChanged` from then on. */
  add(instance: Kind): void {
    this.guests.push(instance);
  }

  /** One of its containers holds so much more, or less, than before. */
  memoryChanged(deltaBytes: number, nowNs: number): void {
    this.memory.add(deltaBytes, nowNs);
  }

  get isOutOfMemory(): boolean {
    return this.memory.value > this.memoryLimitBytes;
  }

  /**
   * Whom the kernel would kill: of the processes that live, the one with the largest resident memory, the first that joined among equals; null when none
   * lives. A model of Linux's choice by badness without adjustments (proc(5), oom_score_adj).
   */
  largest(): Kind | null {
    let largest: Kind | null = null;
    for (const guest of this.guests) {
      if (guest.serves && (largest === null || guest.memory.value > largest.memory.value)) largest = guest;
    }
    return largest;
  }
}
