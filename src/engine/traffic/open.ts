import { ln } from '../kernel/elementary.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { block, encipher, pick, siteOf, uniform } from '../kernel/keyed-draws.js';
import { toNs, type SourcePlan } from '../plan/plan.js';
import { RateProfile } from './rate-profile.js';

/** Draw sites of a source beside its own. */
const arrivalSite = siteOf('arrival');
const mixSite = siteOf('mix');

/**
 * Requests that come whether or not earlier ones have ended. Poisson: expected arrivals grow by one exponential draw from each request to the next;
 * even: by one, the first at 0. Times come from the inverse of the rate's integral, so a ramp is exact.
 */
export class OpenSource {
  private readonly kind: number;
  private readonly profile: RateProfile;
  private readonly isEven: boolean;
  private readonly totalWeight: number;
  private requestNumber = 0;
  private expected = 0;
  private key0 = 0;
  private key1 = 0;

  constructor(
    private readonly queue: EventQueue,
    private readonly plan: SourcePlan,
    private readonly seed: number,
    stopNs: number,
    /** Offers a request: program, key. */
    private readonly offer: (program: number, key0: number, key1: number) => void,
  ) {
    const { model } = plan;
    if (model.source.kind !== 'open') throw new TypeError(`${plan.name} is not an open traffic`);
    this.isEven = model.source.arrivals === 'even';
    this.totalWeight = plan.weights.reduce((sum, weight) => sum + weight, 0);
    this.profile = new RateProfile(model.source.rate, toNs(model.startMs), Math.min(stopNs, toNs(model.stopMs)));
    this.kind = queue.register(() => this.arrive());
    this.scheduleNext();
  }

  private scheduleNext(): void {
    encipher(this.seed, 0, this.plan.site, this.requestNumber);
    this.key0 = block[0];
    this.key1 = block[1];
    if (this.isEven) this.expected += this.requestNumber === 0 ? 0 : 1;
    else this.expected += -ln(uniform(this.key0, this.key1, arrivalSite, 0));
    const atNs = this.profile.timeOf(this.expected);
    if (atNs !== Infinity) this.queue.at(Math.max(this.queue.now, Math.round(atNs)), this.kind, 0);
  }

  private arrive(): void {
    this.requestNumber++;
    this.offer(this.program(), this.key0, this.key1);
    this.scheduleNext();
  }

  private program(): number {
    const { programs, weights } = this.plan;
    if (programs.length === 1) return programs[0];
    let left = pick(1e9, this.key0, this.key1, mixSite, 0) * (this.totalWeight / 1e9);
    let i = 0;
    while (i < programs.length - 1 && left >= weights[i]) left -= weights[i++];
    return programs[i];
  }
}
