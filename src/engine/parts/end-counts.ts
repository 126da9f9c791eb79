/** Places of the counters of one side in a flat array: outcomes 0 to 3, then attempts sent. */
const sentAt = 4;
const stride = 5;

/** What was counted at one end of a link, by instance: attempts sent, and their ends by outcome. A recorder takes the difference of each tick. */
export class EndCounts {
  private readonly counts: Float64Array;
  /** The same at the beginning of the tick. */
  private readonly before: Float64Array;

  constructor(instances: number) {
    this.counts = new Float64Array(instances * stride);
    this.before = new Float64Array(instances * stride);
  }
  sent(instance: number): void {
    this.counts[instance * stride + sentAt]++;
  }
  ended(instance: number, outcome: number): void {
    this.counts[instance * stride + outcome]++;
  }
  /** Of all instances. */
  get allSent(): number {
    return this.sum(sentAt);
  }
  allEnded(outcome: number): number {
    return this.sum(outcome);
  }
  tickEnded(instance: number, outcome: number): number {
    return this.inTick(instance * stride + outcome);
  }
  tickSent(instance: number): number {
    return this.inTick(instance * stride + sentAt);
  }
  nextTick(): void {
    this.before.set(this.counts);
  }
  private inTick(at: number): number {
    return this.counts[at] - this.before[at];
  }
  private sum(first: number): number {
    let sum = 0;
    for (let at = first; at < this.counts.length; at += stride) sum += this.counts[at];
    return sum;
  }
}
