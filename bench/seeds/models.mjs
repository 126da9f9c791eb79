// Queues whose truth is known: c servers, exponential times between arrivals and of service.

/**
 * Why these sizes. An interval of the median is held against a mean, so two biases have to be small against its half width, which is about 0.8 standard
 * deviations of one run. Start-up: a queue that begins empty forgets it in 1 / (mu (1 - sqrt(rho))^2), some 0.3 s here; 5 s are not judged. Skewness: the mean over
 * a run is skew like 1 / sqrt(requests / correlated ones), and its median lies a sixth of that below its mean; 10,000 requests a run leave a tenth of a deviation, as the table shows, which costs half a point of coverage.
 * More would gain nothing else and cost minutes. All models see the same arrivals, so their lines are not independent of each other.
 */
export const warmUpS = 5;
export const judgedS = 100;

/** The probability that an arrival has to wait (Erlang C). */
const waits = (c, load) => {
  let blocked = 1;
  for (let k = 1; k <= c; k++) blocked = (load * blocked) / (k + load * blocked);
  return blocked / (1 - (load / c) * (1 - blocked));
};

/** The probability of staying longer than t seconds: service, and for those who wait a wait that is exponential as well. */
const staysLonger = ({ lambda, mu, c }, t) => {
  const wait = waits(c, lambda / mu);
  const drain = c * mu - lambda;
  return (1 - wait) * Math.exp(-mu * t) + (wait * (mu * Math.exp(-drain * t) - drain * Math.exp(-mu * t))) / (mu - drain);
};

const percentileS = (model, share) => {
  let [low, high] = [0, 100 / model.mu];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (staysLonger(model, middle) > 1 - share) low = middle;
    else high = middle;
  }
  return high;
};

export const models = [
  { name: 'M/M/1, 50 %', lambda: 100, mu: 200, c: 1 },
  { name: 'M/M/2, 60 %', lambda: 100, mu: 100 / 1.2, c: 2 },
  { name: 'M/M/4, 70 %', lambda: 100, mu: 100 / 2.8, c: 4 },
];

/** Figures with their truth, in the units of the tool. */
export const truthsOf = (model) => {
  const { lambda, mu, c } = model;
  return [
    { figure: 'mean latency', of: 'load', metric: 'mean', truth: 1000 * (1 / mu + waits(c, lambda / mu) / (c * mu - lambda)) },
    { figure: 'p95', of: 'load', metric: 'p95', truth: 1000 * percentileS(model, 0.95) },
    { figure: 'busy servers', of: 'station', metric: 'slots', truth: lambda / mu },
    { figure: 'rate', of: 'load', metric: 'rate', truth: lambda },
  ];
};

export const scenarioOf = ({ name, lambda, mu, c }) => `
faultreel: 1
title: "${name}"
duration: ${warmUpS + judgedS}s
tick: 1s
services:
  station: { slots: ${c}, handlers: { job: [{ wait: { assumed: ${1000 / mu}ms, cv: 1, why: a model } }] } }
traffic:
  load: { to: station, send: job, open: { rate: ${lambda}/s, arrivals: poisson } }
phases: { judged: [${warmUpS}s, ${warmUpS + judgedS}s] }
`;
