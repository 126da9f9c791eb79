/** Codes into the study's `beliefs`. A link itself believes the first four; `ejected` is how one that a caller has ejected is shown. */
export const belief = { absent: 0, in: 1, out: 2, joining: 3, ejected: 4 } as const;
export type BeliefCode = 0 | 1 | 2 | 3;

/**
 * Whether so few targets are available that calls go to all registered ones: fewer than a count, or a smaller share of the registered.
 * AWS calls it fail-open (ELB guide, target-group-health: `minimum_healthy_targets`), Envoy panic mode (panic_threshold.rst: percent available < threshold).
 * Nobody registered, or a minimum of 0: never.
 */
export const failsOpen = (available: number, registered: number, minimum: number, minimumIsShare: boolean): boolean =>
  registered > 0 && (minimumIsShare ? available / registered : available) < minimum;

/** Whom calls may go to, as one prober sees it, or as one caller does that has ejected some for itself. */
export class Rotation {
  /** Ascending; the first `count` of them hold. */
  readonly targets: Int32Array;
  count = 0;
  /** Targets that there are. */
  registered = 0;
  /** Targets that are believed healthy and not ejected. */
  available = 0;
  failingOpen = false;
  /** Grows with every review: who has made a plan for other targets must make it anew. */
  version = 0;

  constructor(targetCount: number, private readonly failOpen: { readonly failOpen: number; readonly failOpenIsShare: boolean }) {
    this.targets = new Int32Array(targetCount);
  }

  /** Sorts the targets anew. `ejected`: by target, 1 for one that is ejected. */
  review(beliefs: Uint8Array, ejected: Uint8Array | null): void {
    this.registered = 0;
    this.available = 0;
    for (let target = 0; target < beliefs.length; target++) {
      if (beliefs[target] !== belief.absent) this.registered++;
      if (isAvailable(beliefs, ejected, target)) this.available++;
    }
    this.failingOpen = failsOpen(this.available, this.registered, this.failOpen.failOpen, this.failOpen.failOpenIsShare);
    this.count = 0;
    for (let target = 0; target < beliefs.length; target++) {
      const isIn = this.failingOpen ? beliefs[target] !== belief.absent : isAvailable(beliefs, ejected, target);
      if (isIn) this.targets[this.count++] = target;
    }
    this.version++;
  }
}

const isAvailable = (beliefs: Uint8Array, ejected: Uint8Array | null, target: number): boolean => beliefs[target] === belief.in && (ejected === null || ejected[target] === 0);
