/**
 * Student's t by its distribution function: I(x; ν/2, ½) by the continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8),
 * inverted by halving. Two-sided: P(|T| ≤ t) = level with so many degrees of freedom.
 */
export const studentT = (level: number, freedom: number): number => {
  let [low, high] = [0, 1000];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (within(middle, freedom) < level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** P(|T| ≤ t). */
const within = (t: number, freedom: number): number => 1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * continuedFraction(x, a, b)) / a : 1 - (front * continuedFraction(1 - x, b, a)) / b;
};

/** By Lentz's rule. */
const continuedFraction = (x: number, a: number, b: number): number => {
  const kept = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let all = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    all *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    all *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return all;
};

/** Stirling's series, moved up to where it is exact enough. */
const logGamma = (x: number): number => {
  if (x < 20) return logGamma(x + 1) - Math.log(x);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
};
