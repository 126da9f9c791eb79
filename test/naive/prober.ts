import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import { Attempt } from './attempt.js';
import type { SharedLink } from './link.js';
import type { World } from './world.js';
import { drawn, type End, keyUnder, nsOf } from './words.js';

/** The prober of one link: strictly periodic from a random phase on, one verdict for all caller instances (rules 31 to 37). */
export class Prober {
  private round = 0;

  constructor(world: World, private readonly shared: SharedLink, seed: number) {
    const { agenda } = world;
    const site = siteOf(shared.link.path);
    const health = shared.link.health!;
    const key = keyUnder({ a: seed, b: siteOf('probes') }, site, 0);
    const firstNs = Math.floor(drawn(key, site, 0) * nsOf(health.every.value));
    const probe = (): void => {
      this.round++;
      shared.beliefs.forEach((belief, target) => {
        if (belief === 'absent') return;
        const attempt = new Attempt(shared, null, null, shared.targets[target], health.request ?? null, keyUnder(key, target, this.round), -1, 'probe');
        attempt.target.coming++;
        world.wire.send(attempt, nsOf(health.timeout.value));
      });
      agenda.at(firstNs + this.round * nsOf(health.every.value), probe);
    };
    agenda.at(firstNs, probe);
  }

  /** So many bad ones in a row take a target out, so many good ones bring it back, a new one needs one. */
  ended(target: number, { how }: End): void {
    const { shared } = this;
    const { unhealthyAfter, healthyAfter } = shared.link.health!;
    const belief = shared.beliefs[target];
    if (belief === 'absent') return;
    const isGood = how === 'good';
    if (isGood && belief === 'in') for (const { outlier } of shared.copies) outlier?.probePassed(target);
    const isTowards = belief === 'in' ? !isGood : isGood;
    shared.towards[target] = isTowards ? shared.towards[target] + 1 : 0;
    const needed = { in: unhealthyAfter.value, out: healthyAfter.value, joining: 1 }[belief];
    if (shared.towards[target] >= needed) shared.believe(target, belief === 'in' ? 'out' : 'in');
  }
}
