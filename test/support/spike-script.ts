import type { LoggedEvent } from '../../src/study/types.js';

/** One instance at the end of a scripted tick; codes as in `instanceStates` and `beliefs`. */
export interface ScriptedInstance {
  state: number;
  belief: number;
  probesTowards: number;
  saturated: number;
  arrived: number;
  good: number;
  refused: number;
  failed: number;
  running: number;
  queued: number;
  lost: number;
  cpuCores: number;
  memoryBytes: number;
  warmUpLeftMs: number;
  bootLeftMs: number;
  downLeftMs: number;
}
export interface ScriptedTick {
  readonly offered: number;
  readonly good: number;
  readonly refused: number;
  readonly failed: number;
  readonly inFlight: number;
  readonly p50: number;
  readonly p95: number;
  readonly desired: number;
  readonly instances: readonly ScriptedInstance[];
}

/** Bookkeeping of whole requests, second by second; what happens when is written down here, how many it hits is added up. */
export const script = ({ tickCount, instancesMax, ejects }: { tickCount: number; instancesMax: number; ejects: boolean }): { ticks: ScriptedTick[]; events: LoggedEvent[] } => {
  const ticks: ScriptedTick[] = [];
  const events: LoggedEvent[] = [];
  let before = Array.from({ length: instancesMax }, (_, i) => fresh(i < 2 ? 2 : 0));
  let inFlight = 0;
  for (let t = 0; t < tickCount; t++) {
    const plan = before.map((_, i) => planAt(t, i, ejects));
    const instances = serve(t, before, plan);
    const total = (key: 'arrived' | 'good' | 'refused' | 'failed'): number => instances.reduce((sum, x) => sum + x[key], 0);
    const [offered, good, refused, failed] = [total('arrived'), total('good'), total('refused'), total('failed')];
    inFlight += offered - good - refused - failed;
    const waitMs = Math.max(...instances.map((x) => (x.good > 0 ? (x.queued / x.good) * 1000 : 0)));
    ticks.push({ offered, good, refused, failed, inFlight, p50: Math.round(68 + waitMs * 0.6), p95: Math.round(112 + waitMs), desired: desiredAt(t), instances });
    events.push(...eventsAt(t, ejects, instances));
    before = instances;
  }
  return { ticks, events };
};

const slots = 40;
const queueLimit = 200;
const perInstancePerS = 222;
const mebibyte = 2 ** 20;

interface Plan {
  readonly state: number;
  readonly belief: number;
  readonly probesTowards: number;
  readonly killed: boolean;
  readonly warmUpLeftS: number;
  readonly bootLeftS: number;
  readonly downLeftS: number;
}

/** What instance i + 1 is in second t, and what the balancer believes of it. */
const planAt = (t: number, i: number, ejects: boolean): Plan => {
  const plan = { state: 2, belief: 1, probesTowards: 0, killed: false, warmUpLeftS: 0, bootLeftS: 0, downLeftS: 0 };
  const off = { ...plan, state: 0, belief: 0 };
  if (i === 0 && ejects && t >= 31 && t < 46) return { ...plan, belief: 2, probesTowards: Math.floor((t - 31) / 5) };
  if (i === 1) {
    if (t === 58) return { ...plan, killed: true, state: 3, downLeftS: 8 };
    if (t > 58 && t < 66) return { ...plan, state: 3, belief: t < 64 ? 1 : 2, downLeftS: 66 - t };
    if (t >= 66 && t < 78) return { ...plan, belief: 2, probesTowards: Math.floor((t - 64) / 5), warmUpLeftS: Math.max(0, 76 - t) };
  }
  if (i === 2 || i === 3) {
    if (t < 30) return off;
    if (t < 50) return { ...off, state: 1, bootLeftS: 50 - t };
    if (t < 52) return { ...plan, belief: 3, warmUpLeftS: 60 - t };
    return { ...plan, warmUpLeftS: Math.max(0, 60 - t) };
  }
  if (i === 4) {
    if (t < 60) return off;
    if (t < 80) return { ...off, state: 1, bootLeftS: 80 - t };
    if (t < 82) return { ...plan, belief: 3, warmUpLeftS: 90 - t };
    if (t < 105) return { ...plan, warmUpLeftS: Math.max(0, 90 - t) };
    return t < 112 ? { ...plan, state: 4, belief: 2 } : off;
  }
  return i === 5 ? off : plan;
};

const offeredAt = (t: number): number => {
  const ripple = ((t * 37) % 23) - 11;
  const ramp = t < 20 ? 250 : t < 22 ? 250 + (t - 19) * 166 : t < 80 ? 750 : t < 82 ? 750 - (t - 79) * 166 : 250;
  return ramp + ripple;
};
const desiredAt = (t: number): number => (t < 30 ? 2 : t < 60 ? 4 : t < 105 ? 5 : 4);

/** Shares the arrivals out and lets each instance serve, queue, refuse or lose them. */
const serve = (t: number, before: readonly ScriptedInstance[], plans: readonly Plan[]): ScriptedInstance[] => {
  const offered = offeredAt(t);
  // A dead process refuses at once and so has nothing outstanding: it attracts most of the traffic until the balancer notices.
  const weights = plans.map(({ belief, state, killed }): number => (belief !== 1 ? 0 : state === 3 && !killed ? 12 : 1));
  const weightSum = weights.reduce((a, b) => a + b, 0);
  let left = offered;
  const last = weights.lastIndexOf(weights.filter((w) => w > 0).at(-1) ?? 0);
  return plans.map((plan, i) => {
    const arrived = i === last ? left : Math.floor((offered * weights[i]) / weightSum);
    left -= arrived;
    return serveOne(t, i, arrived, before[i], plan);
  });
};

const serveOne = (t: number, i: number, arrived: number, was: ScriptedInstance, plan: Plan): ScriptedInstance => {
  const next = { ...fresh(plan.state), belief: plan.belief, probesTowards: plan.probesTowards, arrived, warmUpLeftMs: plan.warmUpLeftS * 1000, bootLeftMs: plan.bootLeftS * 1000, downLeftMs: plan.downLeftS * 1000 };
  if (plan.state < 2) return next;
  if (plan.state === 3 && !plan.killed) return { ...next, failed: arrived };
  const capacity = Math.round(perInstancePerS / (1 + plan.warmUpLeftS / 10)) / (plan.killed ? 2 : 1);
  const waiting = was.running + was.queued + arrived;
  // About 68 ms of each second's arrivals are still under way at its end.
  const good = Math.floor(Math.min(capacity, Math.max(0, waiting - Math.round(arrived * 0.068))));
  const open = waiting - good;
  const kept = Math.min(open, slots + queueLimit);
  const refused = open - kept;
  const running = Math.min(kept, slots);
  const queued = kept - running;
  const leak = 12 * 1024 * perInstancePerS * t * (i < 2 ? 0.5 : 0.2);
  const memoryBytes = plan.killed ? 3.5 * 1024 * mebibyte : 1.1 * 1024 * mebibyte + kept * 6 * mebibyte + leak;
  const cpuCores = Math.min(2, (2 * good) / capacity);
  if (plan.killed) return { ...next, good, refused, failed: kept, lost: kept, cpuCores, memoryBytes: 0 };
  return { ...next, good, refused, running, queued, cpuCores, memoryBytes, saturated: cpuCores >= 1.9 && t > 23 && running === slots ? 1 : 0 };
};

const fresh = (state: number): ScriptedInstance => ({
  state, belief: state === 2 ? 1 : 0, probesTowards: 0, saturated: 0, arrived: 0, good: 0, refused: 0, failed: 0, running: 0, queued: 0, lost: 0, cpuCores: 0, memoryBytes: 0, warmUpLeftMs: 0, bootLeftMs: 0, downLeftMs: 0,
});

const eventsAt = (t: number, ejects: boolean, instances: readonly ScriptedInstance[]): LoggedEvent[] => {
  const event = (kind: LoggedEvent['kind'], subject: string, cause: string, basis: 'counted' | 'estimated', data: LoggedEvent['data']): LoggedEvent => ({ tMs: t * 1000 + 400, kind, subject, cause, basis, data });
  const link = 'alb.order-api';
  const lost = instances[1].lost;
  const all: Readonly<Record<number, readonly LoggedEvent[]>> = {
    24: [event('saturated', 'order-api.1', 'cpu', 'estimated', { level: 1.98, limit: 2 }), event('saturated', 'order-api.2', 'cpu', 'estimated', { level: 1.99, limit: 2 })],
    30: [event('scale-out', 'order-api', 'cpu', 'estimated', { from: 2, to: 4, metric: 1, target: 0.6, bootMs: 20_000 })],
    31: ejects ? [event('ejected', 'order-api.1', 'queue full', 'counted', { link, bad: 2, inRotation: 1 })] : [],
    46: ejects ? [event('ready', 'order-api.1', 'probes', 'counted', { link, good: 3, inRotation: 2 })] : [],
    50: [event('booted', 'order-api.3', 'scale-out', 'estimated', { bootMs: 20_000, warmUpMs: 10_000 }), event('booted', 'order-api.4', 'scale-out', 'estimated', { bootMs: 20_000, warmUpMs: 10_000 })],
    52: [event('ready', 'order-api.3', 'first probe', 'counted', { link, good: 1, inRotation: 3 }), event('ready', 'order-api.4', 'first probe', 'counted', { link, good: 1, inRotation: 4 })],
    58: [event('oom', 'order-api.2', 'memory limit', 'estimated', { lost, running: Math.min(lost, slots), queued: Math.max(0, lost - slots), memoryBytes: 3.5 * 1024 * mebibyte, limitBytes: 3.5 * 1024 * mebibyte, recoveryMs: 8000 })],
    60: [event('scale-out', 'order-api', 'cpu', 'estimated', { from: 4, to: 5, metric: 0.84, target: 0.6, bootMs: 20_000 })],
    64: [event('ejected', 'order-api.2', 'connection refused', 'counted', { link, bad: 2, inRotation: 3 })],
    66: [event('back', 'order-api.2', 'restart', 'estimated', { downMs: 8000, warmUpMs: 10_000 })],
    78: [event('ready', 'order-api.2', 'probes', 'counted', { link, good: 3, inRotation: 4 })],
    80: [event('booted', 'order-api.5', 'scale-out', 'estimated', { bootMs: 20_000, warmUpMs: 10_000 })],
    82: [event('ready', 'order-api.5', 'first probe', 'counted', { link, good: 1, inRotation: 5 })],
    105: [event('scale-in', 'order-api', 'cpu', 'estimated', { from: 5, to: 4, metric: 0.22, target: 0.6, drainMs: 30_000 })],
    112: [event('gone', 'order-api.5', 'scale-in', 'estimated', { lost: 0 })],
  };
  return [...(all[t] ?? [])];
};
