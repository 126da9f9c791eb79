import type { LatencyBuckets, LatencySummary } from '../../study/types.js';
import { zero } from '../kernel/zero.js';

// 128 buckets an octave: a bucket's mean is within 0.8 % of everything in it.
const bucketsPerOctaveLog2 = 7;
// What the study keeps: 16 of them together, eight an octave, so that every edge is an edge of these.
const finePerCoarseLog2 = 4;
const octaves = 50; // up to 2^50 ns, thirteen days
const bucketCount = (octaves << bucketsPerOctaveLog2) + 1;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
const highWord = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Latencies in ns: counts exact, mean and maximum exact, percentiles by nearest rank within 0.8 %. */
export class Histogram {
  count = 0;
  sumNs = zero;
  maxNs = zero;
  private readonly buckets = new Uint32Array(bucketCount);
  /** Sum of what is in each bucket, ns: a bucket is read as its mean, so that a latency that all have is exact. */
  private readonly sums = new Float64Array(bucketCount);
  private low = bucketCount;
  private high = -1;

  add(latencyNs: number): void {
    this.addTo(bucketOf(latencyNs), latencyNs);
  }

  /** The same, where the bucket is known. */
  addTo(bucket: number, latencyNs: number): void {
    this.buckets[bucket]++;
    this.sums[bucket] += latencyNs;
    this.count++;
    this.sumNs += latencyNs;
    if (latencyNs > this.maxNs) this.maxNs = latencyNs;
    if (bucket < this.low) this.low = bucket;
    if (bucket > this.high) this.high = bucket;
  }

  /** Adds everything of another histogram. */
  merge(other: Histogram): void {
    this.count += other.count;
    this.sumNs += other.sumNs;
    if (other.maxNs > this.maxNs) this.maxNs = other.maxNs;
    if (other.low < this.low) this.low = other.low;
    if (other.high > this.high) this.high = other.high;
    for (let i = other.low; i <= other.high; i++) {
      this.buckets[i] += other.buckets[i];
      this.sums[i] += other.sums[i];
    }
  }

  /** Takes away what was merged before; mean and maximum are no longer those of what is left. */
  subtract(other: Histogram): void {
    this.count -= other.count;
    for (let i = other.low; i <= other.high; i++) {
      this.buckets[i] -= other.buckets[i];
      this.sums[i] -= other.sums[i];
    }
  }

  clear(): void {
    this.buckets.fill(0, this.low, this.high + 1);
    this.sums.fill(0, this.low, this.high + 1);
    this.count = 0;
    this.sumNs = 0;
    this.maxNs = 0;
    this.low = bucketCount;
    this.high = -1;
  }

  /** The ⌈share × count⌉-th smallest latency, ns; null without samples. */
  percentileNs(share: number): number | null {
    if (this.count === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.count - 1e-9));
    let seen = 0;
    for (let i = this.low; i <= this.high; i++) {
      seen += this.buckets[i];
      if (seen >= rank) return this.sums[i] / this.buckets[i];
    }
    return this.maxNs;
  }

  /** Exact counts in coarse buckets, empty ones left out. */
  coarse(): LatencyBuckets {
    const [fromMs, toMs, counts]: [number[], number[], number[]] = [[], [], []];
    for (let i = this.low; i <= this.high; ) {
      const [first, next] = i === 0 ? [0, 1] : [coarseStart(i), Math.min(bucketCount, coarseStart(i) + (1 << finePerCoarseLog2))];
      let count = 0;
      for (; i < next && i <= this.high; i++) count += this.buckets[i];
      if (count === 0) continue;
      fromMs.push(edgeNs(first) / 1e6);
      toMs.push(edgeNs(next) / 1e6);
      counts.push(count);
    }
    return { fromMs, toMs, counts };
  }

  /** Null without samples: an unknown percentile is never 0. */
  summary(): LatencySummary | null {
    if (this.count === 0) return null;
    const ms = (share: number): number => rounded(this.percentileNs(share)! / 1e6);
    return {
      count: this.count,
      p50: ms(0.5),
      p90: ms(0.9),
      p95: ms(0.95),
      p99: ms(0.99),
      'p99.9': ms(0.999),
      mean: rounded(this.sumNs / this.count / 1e6),
      max: rounded(this.maxNs / 1e6),
    };
  }
}

/** Six significant digits: beyond what a simulation can mean, short in the file. */
export const rounded = (value: number): number => Number(value.toPrecision(6));

/** Number of the bucket that a latency falls into. */
export const bucketOf = (latencyNs: number): number => {
  if (latencyNs < 1) return 0;
  float[0] = latencyNs;
  return Math.min(bucketCount - 1, (words[highWord] >>> (20 - bucketsPerOctaveLog2)) - (1023 << bucketsPerOctaveLog2) + 1);
};

/** Lower edge of a bucket; bucket 0 is all below 1 ns. */
const edgeNs = (bucket: number): number => {
  if (bucket === 0) return 0;
  const perOctave = 1 << bucketsPerOctaveLog2;
  let octaveNs = 1;
  for (let octave = (bucket - 1) >> bucketsPerOctaveLog2; octave > 0; octave--) octaveNs *= 2;
  return octaveNs * (1 + ((bucket - 1) % perOctave) / perOctave);
};

/** First fine bucket of the coarse one that holds it. */
const coarseStart = (bucket: number): number => (((bucket - 1) >> finePerCoarseLog2) << finePerCoarseLog2) + 1;
