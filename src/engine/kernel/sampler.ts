import type { Drawn, Spread } from '../../scenario/model.js';
import { exp, ln } from './elementary.js';
import { block, encipher, siteOf, uniform } from './keyed-draws.js';

/** Draws from one distribution. The mean of many draws is the value's mean; draws are not negative. */
export interface Sampler {
  /** What every draw is; NaN where they differ. */
  readonly always: number;
  /** One draw, in the unit of the mean. */
  draw(k0: number, k1: number, occurrence: number): number;
}

/** A sampler of a drawn value scaled by `scale` (1e6 makes nanoseconds of milliseconds), at the value's own site. */
export const samplerOf = (drawn: Drawn, sitePath: string, scale: number): Sampler => sampler(drawn.value * scale, drawn.spread, siteOf(sitePath));

export const sampler = (mean: number, spread: Spread, site: number): Sampler => {
  if (mean === 0) return new Constant(0);
  if (spread.kind === 'quantiles') return spread.points.every(([, value]) => value === 0) ? new Constant(mean) : new Quantiles(mean, spread.points, site);
  if (spread.cv === 0) return new Constant(mean);
  if (spread.kind === 'lognormal') return new Lognormal(mean, spread.cv, site);
  return spread.cv === 1 ? new Exponential(mean, site) : new Gamma(mean, spread.cv, site);
};

class Constant implements Sampler {
  constructor(readonly always: number) {}
  draw(): number {
    return this.always;
  }
}

class Exponential implements Sampler {
  readonly always = NaN;
  constructor(private readonly mean: number, private readonly site: number) {}
  draw(k0: number, k1: number, occurrence: number): number {
    return -ln(uniform(k0, k1, this.site, occurrence)) * this.mean;
  }
}

/**
 * Gamma by rejection (Marsaglia and Tsang, A simple method for generating gamma variables, 2000). Every try has a site of its own,
 * so how many tries a draw took shifts no other draw.
 */
class Gamma implements Sampler {
  readonly always = NaN;
  private readonly shape: number;
  private readonly scale: number;
  private readonly d: number;
  private readonly c: number;

  constructor(mean: number, cv: number, private readonly site: number) {
    this.shape = 1 / (cv * cv);
    this.scale = mean / this.shape;
    this.d = (this.shape < 1 ? this.shape + 1 : this.shape) - 1 / 3;
    this.c = 1 / Math.sqrt(9 * this.d);
  }

  draw(k0: number, k1: number, occurrence: number): number {
    for (let attempt = 0; ; attempt++) {
      const site = (this.site + Math.imul(attempt + 1, 0x9e3779b1)) | 0;
      const x = normal(k0, k1, site, occurrence);
      const v = 1 + this.c * x;
      if (v <= 0) continue;
      const cube = v * v * v;
      const u = uniform(k0, k1, site ^ 0x55555555, occurrence);
      if (ln(u) >= 0.5 * x * x + this.d * (1 - cube + ln(cube))) continue;
      return this.d * cube * this.scale * this.boost(k0, k1, occurrence);
    }
  }

  /** A shape below 1 is drawn from shape + 1 and shrunk. */
  private boost(k0: number, k1: number, occurrence: number): number {
    return this.shape >= 1 ? 1 : exp(ln(uniform(k0, k1, this.site ^ 0x33333333, occurrence)) / this.shape);
  }
}

class Lognormal implements Sampler {
  readonly always = NaN;
  private readonly mu: number;
  private readonly sigma: number;

  constructor(mean: number, cv: number, private readonly site: number) {
    const variance = ln(1 + cv * cv);
    this.mu = ln(mean) - variance / 2;
    this.sigma = Math.sqrt(variance);
  }
  draw(k0: number, k1: number, occurrence: number): number {
    return exp(this.mu + this.sigma * normal(k0, k1, this.site, occurrence));
  }
}

/**
 * Straight lines through the stated quantiles, from 0 at 0 % and level beyond the last one, scaled so that the mean is the stated mean.
 */
class Quantiles implements Sampler {
  readonly always = NaN;
  private readonly shares: readonly number[];
  private readonly values: readonly number[];

  constructor(mean: number, points: readonly (readonly [number, number])[], private readonly site: number) {
    const all = [[0, 0], ...points, [1, points.at(-1)![1]]] as const;
    const own = all.slice(1).reduce((sum, [share, value], i) => sum + ((share - all[i][0]) * (value + all[i][1])) / 2, 0);
    this.shares = all.map(([share]) => share);
    this.values = all.map(([, value]) => (value * mean) / own);
  }
  draw(k0: number, k1: number, occurrence: number): number {
    const u = uniform(k0, k1, this.site, occurrence);
    let i = 1;
    while (this.shares[i] < u) i++;
    const width = this.shares[i] - this.shares[i - 1];
    return this.values[i - 1] + ((this.values[i] - this.values[i - 1]) * (u - this.shares[i - 1])) / width;
  }
}

/** A standard normal draw by the polar method; tries have sites of their own. */
const normal = (k0: number, k1: number, site: number, occurrence: number): number => {
  for (let attempt = 0; ; attempt++) {
    encipher(k0, k1, (site + Math.imul(attempt + 1, 0x85ebca77)) | 0, occurrence);
    const a = ((block[0] >>> 0) + 0.5) / 2147483648 - 1;
    const b = ((block[1] >>> 0) + 0.5) / 2147483648 - 1;
    const s = a * a + b * b;
    if (s < 1 && s > 0) return a * Math.sqrt((-2 * ln(s)) / s);
  }
};
