/** Places of the counters of one side in a flat array: outcomes 0 to 3, then attempts sent. */
const sentAt = 4;
const stride = 5;

/** What was counted at one end of a link, by instance, in the running tick. */
export class EndCounts {
  readonly counts: Float64Array;
  constructor(instances: number) {
    this.counts = new Float64Array(instances * stride);
  }
  sent(instance: number): void {
    this.counts[instance * stride + sentAt]++;
  }
  ended(instance: number, outcome: number): void {
    this.counts[instance * stride + outcome]++;
  }
  read(instance: number, outcome: number): number {
    return this.counts[instance * stride + outcome];
  }
  readSent(instance: number): number {
    return this.counts[instance * stride + sentAt];
  }
}
