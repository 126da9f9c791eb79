/**
 * How likely it is that numbers whose true mean is 0 have a mean as far from 0 as these: Student's test of one sample, both sides.
 * The distribution is that of Abramowitz & Stegun 26.7.3 and 26.7.4, exact for whole degrees of freedom.
 */
export const chanceOfMean = (values: readonly number[]): number => {
  const n = values.length;
  if (n < 2) return 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / (n - 1);
  if (mean === 0) return 1;
  return variance === 0 ? 0 : 1 - withinT(Math.abs(mean) / Math.sqrt(variance / n), n - 1);
};

/** Share of Student's distribution between −t and t. */
const withinT = (t: number, degrees: number): number => {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k < degrees; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
};

/** How likely at least so uneven turns are where one way is as likely as the other: the exact sign test, both sides. */
export const chanceOfTurns = (one: number, other: number): number => {
  const turns = one + other;
  let chance = 1;
  for (let k = 0; k < turns; k++) chance /= 2;
  let sum = 0;
  for (let k = 0; k <= Math.min(one, other); k++) {
    sum += chance;
    chance *= (turns - k) / (k + 1);
  }
  return Math.min(1, 2 * sum);
};
