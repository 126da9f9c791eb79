import type { Instance } from '../parts/instance.js';
import { belief, type CallerLink, type SharedLink } from '../parts/link.js';

/** A link with the copies that its caller instances have. */
export interface LinkCopies {
  readonly shared: SharedLink;
  readonly callers: readonly CallerLink[];
}

/** Who is registered where: tells the links that call a service which of its instances there are. */
export class Registry {
  private readonly callersOf: readonly (readonly LinkCopies[])[];

  constructor(serviceCount: number, links: readonly LinkCopies[]) {
    this.callersOf = Array.from({ length: serviceCount }, (_, service) => links.filter(({ shared }) => shared.plan.callee === service));
  }

  /** There when the run begins, so believed healthy (rule 34). */
  presents(instance: Instance): void {
    for (const { shared } of this.linksTo(instance)) shared.believe(instance.ordinal, belief.in);
  }

  /** A new target: waits for its first good probe; a link without a health check takes it as it comes. */
  joins(instance: Instance): void {
    for (const { shared } of this.linksTo(instance)) shared.believe(instance.ordinal, shared.plan.health === null ? belief.in : belief.joining);
  }

  /** Gets no new calls; between a sidecar and its pod they go on. */
  leaves(instance: Instance): void {
    for (const { shared } of this.linksTo(instance)) shared.believe(instance.ordinal, belief.absent);
    this.keepBack(instance, false);
  }

  /** Registered and probed, but without traffic, until it is let go. */
  keepBack(instance: Instance, isKept: boolean): void {
    for (const { shared } of this.linksTo(instance)) shared.keepBack(instance.ordinal, isKept);
  }

  /** Its process is gone: idle connections of others to it close. */
  dropsConnections(instance: Instance): void {
    for (const { callers } of this.linksTo(instance)) for (const caller of callers) caller.pool?.dropTarget(instance.ordinal);
  }

  /** Links whose prober asks how it is. */
  probing(instance: Instance): readonly SharedLink[] {
    return this.linksTo(instance).map(({ shared }) => shared).filter(({ plan }) => plan.health !== null);
  }

  private linksTo(instance: Instance): readonly LinkCopies[] {
    return this.callersOf[instance.service.index];
  }
}
