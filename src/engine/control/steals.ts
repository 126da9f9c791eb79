import type { Instance } from '../parts/instance.js';

/** Shares of CPU that faults take away: of several on one container the largest counts (rule 42). */
export class Steals {
  private readonly active = new Map<Instance, number[]>();

  begin(hit: readonly Instance[], share: number): void {
    for (const instance of hit) this.set(instance, [...this.of(instance), share]);
  }

  end(hit: readonly Instance[], share: number): void {
    for (const instance of hit) this.set(instance, this.of(instance).toSpliced(this.of(instance).indexOf(share), 1));
  }

  private of(instance: Instance): number[] {
    return this.active.get(instance) ?? [];
  }

  private set(instance: Instance, shares: number[]): void {
    this.active.set(instance, shares);
    instance.container.setStolen(Math.max(0, ...shares));
  }
}
