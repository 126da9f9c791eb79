import { describe, expect, it } from 'vitest';
import { casesOf } from './catalogue.js';

/** Expected figures of the catalogue against their formulas, worked out once more: a wrong digit in the data would be taken for a fault of the engine. */
const agrees = (family: string, work: (given: Readonly<Record<string, number>>) => Readonly<Record<string, number>>): void => {
  it.each(casesOf(family))(`${family}: $id`, ({ given, expected }) => {
    for (const [name, value] of Object.entries(work(given))) expect(Math.abs(value - expected[name]), name).toBeLessThanOrEqual(1e-9 * Math.abs(expected[name]));
  });
};

/** Shares of the time with 0, 1, … jobs, by ratio of each to the one before. */
const stationary = (ratios: readonly number[]): number[] => {
  const terms = [1];
  for (const ratio of ratios) terms.push(terms.at(-1)! * ratio);
  const all = terms.reduce((sum, term) => sum + term, 0);
  return terms.map((term) => term / all);
};
const mean = (shares: readonly number[], of: (n: number) => number): number => shares.reduce((sum, share, n) => sum + share * of(n), 0);

/** Erlang C by the recursion of Erlang B: the share that waits. */
const waits = (c: number, a: number): number => {
  let blocked = 1;
  for (let k = 1; k <= c; k++) blocked = (a * blocked) / (k + a * blocked);
  return (c * blocked) / (c - a * (1 - blocked));
};

/** Root of σ = law(σ) below 1, by repetition. */
const root = (law: (sigma: number) => number): number => {
  let sigma = 0.5;
  for (let i = 0; i < 10_000; i++) sigma = law(sigma);
  return sigma;
};
const exponentialTail = (sigma: number, mu: number): Record<string, number> => {
  const rate = mu * (1 - sigma);
  return { sigma, W: 1 / rate, T_p95: Math.log(20) / rate, T_p99: Math.log(100) / rate };
};

describe('the catalogue agrees with its formulas', () => {
  agrees('mm1', ({ lambda, mu }) => ({ W: 1 / (mu - lambda), L: lambda / (mu - lambda), T_p95: Math.log(20) / (mu - lambda), T_p99: Math.log(100) / (mu - lambda) }));
  agrees('mmc', ({ lambda, mu, c }) => {
    const Wq = waits(c, lambda / mu) / (c * mu - lambda);
    return { P_wait: waits(c, lambda / mu), W: Wq + 1 / mu, Lq: lambda * Wq };
  });
  agrees('mmck', ({ lambda, mu, c, K }) => {
    const shares = stationary(Array.from({ length: K }, (_, n) => lambda / (Math.min(n + 1, c) * mu)));
    const X = lambda * (1 - shares[K]);
    const L = mean(shares, (n) => n);
    return { P_block: shares[K], X, L, W: L / X };
  });
  agrees('md1', ({ lambda, D }) => ({ Wq: (lambda * D * D) / (2 * (1 - lambda * D)), W: (lambda * D * D) / (2 * (1 - lambda * D)) + D }));
  agrees('mg1', ({ lambda, meanService: S, cv }) => ({ Wq: (lambda * S * S * (1 + cv * cv)) / (2 * (1 - lambda * S)) }));
  agrees('dm1', ({ lambda, mu }) => exponentialTail(root((sigma) => Math.exp((-mu * (1 - sigma)) / lambda)), mu));
  agrees('roundRobin', ({ lambda_total: all, n, mu }) => exponentialTail(root((sigma) => (all / (all + mu * (1 - sigma))) ** n), mu));
  agrees('mg1ps', ({ lambda, meanService: S }) => ({ W: S / (1 - lambda * S), L: (lambda * S) / (1 - lambda * S) }));
  agrees('mgcps', ({ lambda, meanDemand: S, c }) => ({ W: S + waits(c, lambda * S) / (c / S - lambda) }));
  agrees('abort', ({ lambda, mu, tau }) => {
    const p0 = 1 / (1 + (mu === lambda ? lambda * tau : (lambda * (1 - Math.exp(-(mu - lambda) * tau))) / (mu - lambda)));
    return { P_success: 1 - p0 * Math.exp(-(mu - lambda) * tau) };
  });
  agrees('closed', ({ N, Z, S, c }) => {
    const shares = stationary(Array.from({ length: N }, (_, n) => ((N - n) / Z) * (S / Math.min(n + 1, c))));
    const X = mean(shares, (n) => Math.min(n, c)) / S;
    return { X, R: N / X - Z, L_server: mean(shares, (n) => n) };
  });
  agrees('feedback', ({ lambda, mu, p }) => ({ L: lambda / (1 - p) / (mu - lambda / (1 - p)), W: 1 / (1 - p) / (mu - lambda / (1 - p)) }));
  agrees('forkjoinMax', ({ k, mu }) => ({ mean: Array.from({ length: k }, (_, i) => 1 / (i + 1)).reduce((sum, part) => sum + part, 0) / mu, p95: -Math.log(1 - 0.95 ** (1 / k)) / mu }));
  agrees('forkjoinQueue', ({ lambda, mu }) => ({ W: (12 - lambda / mu) / 8 / (mu - lambda) }));
  agrees('tailAtScale', ({ k, p }) => ({ P_slow: 1 - (1 - p) ** k }));
  agrees('fanOut', ({ lambda_messages: lambda, recipients, sendTime }) => ({ lastRecipient: recipients * sendTime + (lambda * (recipients * sendTime) ** 2) / (2 * (1 - lambda * recipients * sendTime)) }));
  agrees('twoChoices', ({ rho }) => ({ W: Array.from({ length: 40 }, (_, i) => rho ** (2 ** (i + 1) - 2)).reduce((sum, term) => sum + term, 0) }));
  agrees('retries', ({ p, maxRetries: r }) => ({ amplification: Array.from({ length: r + 1 }, (_, i) => p ** i).reduce((sum, term) => sum + term, 0), P_finalFailure: p ** (r + 1) }));
  agrees('retryFluid', ({ lambda, capacity, maxRetries }) => ({ p_attemptFailure: (1 - capacity / lambda) ** (1 / (maxRetries + 1)), attemptRate: capacity / (1 - (1 - capacity / lambda) ** (1 / (maxRetries + 1))) }));
  agrees('breakdown', ({ lambda, mu, failRate: xi, repairRate: eta }) => ({ L: (lambda * (mu * xi + (xi + eta) ** 2)) / ((xi + eta) * (eta * mu - lambda * (xi + eta))) }));
});
