import type { Traffic } from '../../scenario/model.js';
import { ln } from '../kernel/elementary.js';
import { block, encipher, siteOf, uniform } from '../kernel/keyed-draws.js';
import { toNs } from '../plan/plan.js';
import { type RowOf, rowsOf } from './keys.js';
import { Mix } from './mix.js';
import { RateProfile } from './rate-profile.js';
import { type Source, type SourceContext, stopOf } from './source.js';
import { zero } from '../kernel/zero.js';

const arrivalSite = siteOf('arrival');

/**
 * Requests that come whether or not earlier ones have ended. Poisson: expected arrivals grow by one exponential draw from each request to the next;
 * even: by one, the first at 0 (rule 44; so does k6's constant-arrival-rate). Times come from the inverse of the rate's integral, so a ramp is exact.
 * The n-th request's key is that of (seed, instance, traffic, n). One that is dropped does not come again.
 */
export class OpenSource implements Source {
  readonly present = null;
  private readonly kind: number;
  private readonly profile: RateProfile;
  private readonly isEven: boolean;
  private readonly mix: Mix;
  private readonly rowOf: RowOf;
  private requestNumber = 0;
  private expected = zero;
  private key0 = 0;
  private key1 = 0;

  constructor(private readonly context: SourceContext, { rate, arrivals }: Extract<Traffic['source'], { kind: 'open' }>) {
    const { plan, queue } = context;
    this.isEven = arrivals === 'even';
    this.mix = new Mix(plan);
    this.rowOf = rowsOf(plan.model.keys, () => context.freshRow());
    this.profile = new RateProfile(rate, toNs(plan.model.startMs), stopOf(context));
    this.kind = queue.register(() => this.arrive());
    this.scheduleNext();
  }

  ended(): void {}
  socketBroken(): void {}

  private scheduleNext(): void {
    const { queue, plan, seed, ordinal } = this.context;
    encipher(seed, ordinal, plan.site, this.requestNumber);
    this.key0 = block[0];
    this.key1 = block[1];
    if (this.isEven) this.expected += this.requestNumber === 0 ? 0 : 1;
    else this.expected += -ln(uniform(this.key0, this.key1, arrivalSite, 0));
    const atNs = this.profile.timeOf(this.expected);
    if (atNs !== Infinity) queue.at(Math.max(queue.now, Math.round(atNs)), this.kind, 0);
  }

  private arrive(): void {
    const { context, key0, key1 } = this;
    this.requestNumber++;
    if (context.isAlive()) context.offer(this.mix.program(key0, key1), key0, key1, this.rowOf(key0, key1, 0), -1, -1);
    this.scheduleNext();
  }
}
