import { block, encipher, siteOf, uniform } from '../kernel/keyed-draws.js';
import { belief, type SharedLink } from './link.js';

/** Sends one probe; its end is told to the prober, once: good within the timeout, or not. */
export interface ProbeSender {
  sendProbe(link: SharedLink, target: number, key0: number, key1: number): void;
}

/**
 * The prober of one link (rules 31 to 37): strictly periodic from a random phase on, a late answer delays nothing; one verdict for all caller instances.
 * Counts as in the ALB guide (target-group-health-checks): `unhealthyAfter` bad ones in a row take a target out, `healthyAfter` good ones bring it back,
 * a new target needs one good one.
 */
export class Prober {
  /** Time of the first probe, ns. */
  readonly firstNs: number;
  private readonly kind: number;
  private round = 0;
  private readonly key0: number;
  private readonly key1: number;

  constructor(private readonly sender: ProbeSender, private readonly shared: SharedLink, seed: number) {
    const { plan, surroundings: { queue } } = shared;
    encipher(seed, siteOf('probes'), plan.site, 0);
    this.key0 = block[0];
    this.key1 = block[1];
    this.firstNs = Math.floor(uniform(this.key0, this.key1, plan.site, 0) * plan.health!.everyNs);
    this.kind = queue.register(() => this.probe());
    queue.at(this.firstNs, this.kind, 0);
  }

  private probe(): void {
    const { plan, beliefs, surroundings } = this.shared;
    this.round++;
    for (let target = 0; target < beliefs.length; target++) {
      if (beliefs[target] === belief.absent) continue;
      this.shared.totals.probes.sent++;
      encipher(this.key0, this.key1, target, this.round);
      this.sender.sendProbe(this.shared, target, block[0], block[1]);
    }
    surroundings.queue.at(this.firstNs + this.round * plan.health!.everyNs, this.kind, 0);
  }

  /** A probe has its end: good within the timeout, or not. */
  ended(target: number, good: boolean, reason: string): void {
    const { shared } = this;
    shared.totals.probes[good ? 'good' : 'bad']++;
    const believed = shared.beliefs[target];
    if (believed === belief.absent) return;
    this.review(target, believed, good, reason);
    for (const listener of shared.probeListeners) listener(target, good);
  }

  private review(target: number, believed: number, good: boolean, reason: string): void {
    const { shared } = this;
    if (good && believed === belief.in) shared.probePassed(target);
    const countsTowards = believed === belief.in ? !good : good;
    shared.towards[target] = countsTowards ? shared.towards[target] + 1 : 0;
    const { unhealthyAfter, healthyAfter } = shared.plan.health!;
    const needed = believed === belief.in ? unhealthyAfter : believed === belief.out ? healthyAfter : 1;
    if (shared.towards[target] < needed) return;
    if (believed === belief.in) this.eject(target, reason);
    else this.admit(target, believed === belief.joining, needed);
  }

  private eject(target: number, reason: string): void {
    const { shared, shared: { surroundings: { log, targetName } } } = this;
    const bad = shared.towards[target];
    shared.believe(target, belief.out);
    shared.totals.ejections++;
    log.add('ejected', targetName(target), reason, 'counted', { link: shared.plan.name, bad, inRotation: shared.availableCount });
  }

  private admit(target: number, isNew: boolean, good: number): void {
    const { shared, shared: { surroundings: { log, targetName } } } = this;
    shared.believe(target, belief.in);
    // One that is kept back is told to be ready when it is let in.
    if (shared.keptBack[target] === 1) return;
    log.add('ready', targetName(target), isNew ? 'first probe' : 'probes', 'counted', { link: shared.plan.name, good, inRotation: shared.availableCount });
  }
}
