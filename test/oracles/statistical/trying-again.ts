import type { Stretch } from '../support/batches.js';
import { goodPerS, measuredCases, openLoad, refusedShare, sum, wait } from './station.js';

const attempts = (on: Stretch): number => on.sum(on.run.ticks.links['load.svc'].callers[0].sent);
const lostShare = (on: Stretch): number => sum([...Object.values(on.traffic().failed), ...Object.values(on.traffic().refused)]) / on.traffic().offered;

/** Attempts that fail whatever is done: they take no time, so those of a tick are all of it. */
export const tryingAgain = measuredCases('retries', ({ p, maxRetries }) => ({
  system: `services: { svc: { handlers: { job: [{ fail: broken, chance: ${p * 100}% }] } } }\n${openLoad(1000, { to: `{ svc: { retries: { max: ${maxRetries} } } }` })}`,
  perS: 1000,
  figures: { amplification: (on) => attempts(on) / on.sum(on.run.ticks.traffic['load'].offered), P_finalFailure: lostShare },
}));

/** A bucket that is never full lets exactly its rate through; pauses long against it make attempts independent. */
export const fluid = measuredCases('retryFluid', ({ lambda, capacity, maxRetries }) => ({
  system: `services: { svc: { rateLimit: { rate: ${capacity}/s, burst: 20 }, handlers: { job: [${wait(0.000001, 0)}] } } }
${openLoad(lambda, { to: `{ svc: { retries: { max: ${maxRetries}, backoff: 5s, factor: 1x, jitter: full } } }` })}`,
  perS: lambda,
  warmUpS: 60,
  tailS: 20,
  figures: {
    attemptRate: (on) => attempts(on) / on.seconds,
    amplification: (on) => attempts(on) / on.sum(on.run.ticks.traffic['load'].offered),
    p_attemptFailure: (on) => 1 - on.sum(on.run.ticks.links['load.svc'].callers[0].good) / attempts(on),
    goodput: goodPerS,
    P_finalFailure: lostShare,
  },
}));

/** nginx's `burst` b with nodelay is a bucket of b + 1 tokens. */
export const buckets = measuredCases('leakyBucket', ({ lambda, rate, burst }) => ({
  system: `services: { svc: { rateLimit: { rate: ${rate}/s, burst: ${burst + 1} }, handlers: { job: [] } } }\n${openLoad(lambda)}`,
  perS: lambda,
  figures: { P_reject: refusedShare, admittedRate: goodPerS },
}));
