/**
 * A rate limit (rule 6): tokens come at `perS` up to `burst`, a request takes one. With `delay` a request that finds none is held until its token comes, as
 * long as at most `burst` are held; as nginx `limit_req` with and without `nodelay`, whose burst is what exceeds the one that passes at once
 * (ngx_http_limit_req_module).
 */
export class TokenBucket {
  private readonly nsPerToken: number;
  /** When the bucket would be full again, ns: the leaky-bucket form of the same count, which needs no timer. */
  private fullAtNs = -Infinity;

  constructor(perS: number, private readonly burst: number, private readonly delay: boolean) {
    this.nsPerToken = 1e9 / perS;
  }

  /** Asks for a token now: 0 = it may go on, a time = held for so long (ns), −1 = refused. */
  take(nowNs: number): number {
    const owedNs = Math.max(0, this.fullAtNs - nowNs);
    // Tokens missing from a full bucket, this one included.
    const missing = owedNs / this.nsPerToken + 1;
    if (!this.delay) {
      if (missing > this.burst + slack) return -1;
      this.fullAtNs = nowNs + owedNs + this.nsPerToken;
      return 0;
    }
    if (missing > this.burst + 1 + slack) return -1;
    this.fullAtNs = nowNs + owedNs + this.nsPerToken;
    return Math.round(owedNs);
  }

  /** A new process counts from a full bucket. */
  refill(): void {
    this.fullAtNs = -Infinity;
  }
}

/** Rounding of sums of token times. */
const slack = 1e-9;
