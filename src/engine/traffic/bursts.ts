import type { Traffic } from '../../scenario/model.js';
import { block, encipher } from '../kernel/keyed-draws.js';
import { toNs } from '../plan/plan.js';
import { type RowOf, rowsOf } from './keys.js';
import { Mix } from './mix.js';
import { type Source, type SourceContext, stopOf } from './source.js';

/**
 * Many requests at one instant, again and again: the first burst at the traffic's start, then one every `every`, the sizes in turn, `rounds` times through.
 * Nothing at its stop or later. The j-th request of burst b has the key of (burst's key, j), so that another size shifts nobody's draws.
 */
export class BurstSource implements Source {
  readonly present = null;
  private readonly kind: number;
  private readonly mix: Mix;
  private readonly rowOf: RowOf;
  private readonly sizes: readonly number[];
  private readonly count: number;
  private readonly everyNs: number;
  private burst = 0;

  constructor(private readonly context: SourceContext, { sizes, every, rounds }: Extract<Traffic['source'], { kind: 'bursts' }>) {
    const { plan, queue } = context;
    this.mix = new Mix(plan);
    this.rowOf = rowsOf(plan.model.keys, () => context.freshRow());
    this.sizes = sizes.map(({ value }) => value);
    this.count = sizes.length * rounds.value;
    this.everyNs = toNs(every.value);
    this.kind = queue.register(() => this.send());
    this.scheduleNext();
  }

  ended(): void {}
  socketBroken(): void {}

  private scheduleNext(): void {
    const { queue, plan } = this.context;
    const atNs = toNs(plan.model.startMs) + this.burst * this.everyNs;
    if (this.burst < this.count && atNs < stopOf(this.context)) queue.at(atNs, this.kind, 0);
  }

  private send(): void {
    const { context, mix, sizes, burst } = this;
    const { plan, seed, ordinal } = context;
    this.burst++;
    this.scheduleNext();
    if (!context.isAlive()) return;
    encipher(seed, ordinal, plan.site, burst);
    const burst0 = block[0];
    const burst1 = block[1];
    for (let nth = 0; nth < sizes[burst % sizes.length]; nth++) {
      encipher(burst0, burst1, plan.site, nth);
      const key0 = block[0];
      const key1 = block[1];
      context.offer(mix.program(key0, key1), key0, key1, this.rowOf(key0, key1, nth), -1, -1);
    }
  }
}
