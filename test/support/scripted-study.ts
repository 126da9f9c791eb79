import { Histogram } from '../../src/engine/record/histogram.js';
import type { Column, ClaimResult, Input, InstanceTotals, LatencyBuckets, Level, LevelColumns, LoggedEvent, PictureService, Run, Study, Ticks, TrafficTotals, Verdict } from '../../src/study/types.js';
import { script, type ScriptedInstance, type ScriptedTick } from './spike-script.js';

/**
 * A small study of the order API, made by bookkeeping instead of simulation: two minutes in which everything that the stage draws happens once.
 * Its figures add up (offered = good + refused + failed + in flight, in every tick and in total); they say nothing about a real system.
 */
export const scriptedStudy = (): Study => {
  const runs = { 'as-it-is': scriptedRun('as-it-is', true), 'dedicated-health-path': scriptedRun('dedicated-health-path', false) };
  return {
    schema: 'faultreel-study/1',
    tool: { name: 'faultreel', version: '0.1.0' },
    scenario: {
      name: 'scripted-spike',
      title: { en: 'Order API: an event triples the traffic', ko: '주문 API: 이벤트로 트래픽이 세 배가 될 때' },
      sha256: '5c4b3a29'.repeat(8),
      seed: 1017,
      durationMs: tickCount * 1000,
      tickMs: 1000,
      limits: [{ en: 'Nobody has load-tested this system. Every figure is what the assumptions imply, no more.', ko: '이 시스템은 부하 시험을 하지 않았습니다. 모든 수치는 가정에서 나온 결과일 뿐입니다.' }],
      text: 'faultreel: 1\n',
      set: [],
      rehearsal: {
        pacing: { quiet: 8, incident: 2 },
        stops: [
          { name: 'first-ejection', at: { kind: 'ejected', subject: 'order-api' }, ask: { en: 'Both machines are at 100 % CPU and one has just left the balancer. What do you check first?', ko: '두 대 모두 CPU 100 %이고 방금 한 대가 LB에서 빠졌습니다. 무엇부터 확인하시겠습니까?' }, holdMs: 6000 },
          { name: 'first-oom', at: { kind: 'oom', subject: 'order-api' }, ask: { en: 'One machine was OOM-killed. Is the balancer still sending to it?', ko: '한 대가 OOM으로 죽었습니다. LB는 아직 그쪽으로 보내고 있을까요?' }, holdMs: 6000 },
        ],
      },
    },
    inputs,
    runs,
    spread: null,
    sensitivity: null,
    sweeps: [],
    verdicts: Object.values(runs).flatMap(verdictsOf),
    claims: claimsOf(runs['as-it-is'], runs['dedicated-health-path']),
    firstToBreak: runs['as-it-is'].firstToBreak,
  };
};

const tickCount = 120;
const instancesMax = 6;
const gibibyte = 2 ** 30;
const phases = { before: [5, 20], surge: [22, 40], event: [22, 80], after: [100, 120] } as const;

const scriptedRun = (variant: string, ejects: boolean): Run => {
  const { ticks, events } = script({ tickCount, instancesMax, ejects });
  const totals = trafficTotals(ticks);
  return {
    variant,
    overrides: ejects ? [] : [{ path: 'services.alb.to.order-api.health.path', value: 'dedicated' }],
    events: totals.offered * 9,
    requests: totals.offered,
    durationMs: tickCount * 1000,
    system: picture(ejects ? 'shared' : 'dedicated'),
    traffic: { orders: totals },
    phases: Object.fromEntries(Object.entries(phases).map(([name, [from, to]]) => [name, { fromMs: from * 1000, toMs: to * 1000, traffic: { orders: trafficTotals(ticks, from, to) }, links: phaseLinks(trafficTotals(ticks, from, to)), locks: {} }])),
    services: {
      alb: { instances: [quietInstance(totals)], cpuCores: none, slots: none, queue: none, memoryBytes: none, ooms: 0, launches: 0 },
      'order-api': {
        instances: Array.from({ length: instancesMax }, (_, i) => instanceTotals(ticks, i)),
        ...level4(ticks),
        ooms: events.filter((event) => event.kind === 'oom').length,
        launches: events.filter((event) => event.kind === 'booted').length,
      },
      'orders-db': { instances: [quietInstance(totals)], cpuCores: none, slots: { mean: 2.4, max: 5 }, queue: none, memoryBytes: none, ooms: 0, launches: 0 },
    },
    links: {
      'orders.alb': linkTotals(totals, 0),
      'alb.order-api': { ...linkTotals(totals, events.filter((event) => event.kind === 'ejected').length), probes: { sent: 96, good: 88, bad: 8 } },
      'order-api.orders-db': { sent: totals.good, good: totals.good, declined: 0, refused: {}, failed: {}, inFlight: 0, probes: { sent: 0, good: 0, bad: 0 }, ejections: 0, retries: 0, latencyMs: latency(totals.good, 8), pool: { opened: 18, inUse: { mean: 0.9, max: 3 }, waiting: none, waitMs: latency(totals.good, 0) } },
    },
    hosts: {},
    locks: {},
    warnings: [],
    eventLog: events,
    ticks: columns(ticks),
    cost: { services: { 'order-api': { billedS: 415, extraS: 175, machine: 'c6i.large', amount: 0.0098 } }, amount: 0.0098, currency: 'USD', unknown: [], phases: {}, survival: { fromMs: 25_000, extraS: 175, amount: 0.0041 } },
    firstToBreak: { objective: 'availability', phase: 'event', tMs: 23_000, resource: { service: 'order-api', instance: 1, what: 'cpu', sinceMs: 22_000 }, evidence: { offeredPerS: 750, goodPerS: 444, level: 2, limit: 2 } },
  };
};

// Totals: sums and means of the script's ticks.

const trafficTotals = (all: readonly ScriptedTick[], from = 0, to = all.length): TrafficTotals => {
  const ticks = all.slice(from, to);
  const [offered, good, refused, failed] = (['offered', 'good', 'refused', 'failed'] as const).map((key) => sum(ticks, (tick) => tick[key])) as [number, number, number, number];
  return {
    offered,
    good,
    declined: {},
    refused: refused > 0 ? { 'order-api: queue full': refused } : {},
    failed: failed > 0 ? { 'order-api: killed': failed } : {},
    inFlight: offered - good - refused - failed,
    dropped: 0,
    deliveries: null,
    goodPerS: good / ticks.length,
    latencyMs: latency(good, mean(ticks.map((tick) => tick.p50))),
    validLatencyMs: latency(good + refused + failed, mean(ticks.map((tick) => tick.p50))),
    badLatencyMs: refused + failed > 0 ? latency(refused + failed, 4) : null,
    latencyBuckets: { good: spreadAround(good, mean(ticks.map((tick) => tick.p50))), bad: spreadAround(refused + failed, 4) },
  };
};
const latency = (count: number, p50: number) => ({ count, p50, p90: p50 * 1.5, p95: p50 * 1.7, p99: p50 * 2.1, 'p99.9': p50 * 2.6, mean: p50 * 1.1, max: p50 * 3 });
/** So many latencies, most of them near the middle, a few at twice of it. */
const spreadAround = (count: number, middleMs: number): LatencyBuckets => {
  const histogram = new Histogram();
  for (let i = 0; i < count; i++) histogram.add(middleMs * 1e6 * [0.7, 0.9, 0.95, 1, 1, 1.05, 1.1, 1.3, 1.6, 2.1][i % 10]);
  return histogram.coarse();
};
const linkTotals = (totals: TrafficTotals, ejections: number) => ({ sent: totals.offered, good: totals.good, declined: 0, refused: totals.refused, failed: totals.failed, inFlight: totals.inFlight, probes: { sent: 0, good: 0, bad: 0 }, ejections, retries: 0, latencyMs: totals.latencyMs, pool: null });
const phaseLinks = (totals: TrafficTotals): Run['phases'][string]['links'] => ({
  'orders.alb': { latencyMs: totals.latencyMs, poolWaitMs: null },
  'alb.order-api': { latencyMs: totals.latencyMs, poolWaitMs: null },
  'order-api.orders-db': { latencyMs: latency(totals.good, 8), poolWaitMs: latency(totals.good, 0) },
});

const instanceTotals = (ticks: readonly ScriptedTick[], index: number): InstanceTotals => {
  const own = ticks.map((tick) => tick.instances[index]);
  return {
    number: index + 1,
    arrived: sum(own, (x) => x.arrived),
    good: sum(own, (x) => x.good),
    declined: 0,
    refused: sum(own, (x) => x.refused),
    failed: sum(own, (x) => x.failed),
    cpuCores: levelOf(own.map((x) => x.cpuCores)),
    slots: levelOf(own.map((x) => x.running)),
    queue: levelOf(own.map((x) => x.queued)),
    memoryBytes: levelOf(own.map((x) => x.memoryBytes)),
    ooms: own.filter((x) => x.lost > 0).length,
    connections: none,
    throttled: 0,
    billedS: own.filter((x) => x.state !== 0).length,
    billedMs: stretches(own.map((x) => x.state !== 0)),
  };
};
/** Stretches of seconds in which it holds, from and to, ms. */
const stretches = (flags: readonly boolean[]): [number, number][] => {
  const starts = flags.flatMap((flag, second) => (flag && !flags[second - 1] ? [second] : []));
  const ends = flags.flatMap((flag, second) => (flag && !flags[second + 1] ? [second + 1] : []));
  return starts.map((start, i) => [start * 1000, ends[i] * 1000]);
};
const level4 = (ticks: readonly ScriptedTick[]) => {
  const over = (pick: (x: ScriptedInstance) => number): Level => levelOf(ticks.map((tick) => sum(tick.instances, pick)));
  return { cpuCores: over((x) => x.cpuCores), slots: over((x) => x.running), queue: over((x) => x.queued), memoryBytes: over((x) => x.memoryBytes) };
};
const quietInstance = (totals: TrafficTotals): InstanceTotals => ({ number: 1, arrived: totals.offered, good: totals.good, declined: 0, refused: 0, failed: 0, cpuCores: none, slots: none, queue: none, memoryBytes: none, ooms: 0, connections: none, throttled: 0, billedS: 0, billedMs: [] });
const none: Level = { mean: 0, max: 0 };
const levelOf = (values: readonly number[]): Level => ({ mean: mean(values), max: Math.max(...values) });
const sum = <T>(items: readonly T[], pick: (item: T) => number): number => items.reduce((total, item) => total + pick(item), 0);
const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;

// Columns.

const columns = (ticks: readonly ScriptedTick[]): Ticks => {
  const column = (pick: (tick: ScriptedTick) => number): Column => ticks.map(pick);
  const levels = (pick: (tick: ScriptedTick) => number): LevelColumns => ({ mean: column(pick), max: column(pick), end: column(pick) });
  const trailing = (pick: (tick: ScriptedTick) => number): Column => ticks.map((_, i) => mean(ticks.slice(Math.max(0, i - 9), i + 1).map(pick)));
  const flow = { good: column((t) => t.good), declined: 0, refused: column((t) => t.refused), failed: column((t) => t.failed) };
  const quiet: LevelColumns = { mean: 0, max: 0, end: 0 };
  const calm = { retries: 0, opened: 0, breaker: 0 };
  const still = { state: 2, saturated: 0, cpuCores: quiet, memoryBytes: quiet, queue: quiet, connections: 0, throttled: 0, frozen: 0, warmUpLeftMs: 0, bootLeftMs: 0, downLeftMs: 0 };
  const per = (index: number) => {
    const of = (pick: (x: ScriptedInstance) => number): Column => column((tick) => pick(tick.instances[index]));
    const levelsOf = (pick: (x: ScriptedInstance) => number): LevelColumns => levels((tick) => pick(tick.instances[index]));
    return { of, levelsOf, outcomes: { good: of((x) => x.good), declined: 0, refused: of((x) => x.refused), failed: of((x) => x.failed) } };
  };
  const numbers = Array.from({ length: instancesMax }, (_, i) => per(i));
  return {
    count: ticks.length,
    traffic: {
      orders: { ...flow, offered: column((t) => t.offered), inFlight: column((t) => t.inFlight), dropped: 0, present: null, deliveries: null, p50: column((t) => t.p50), p95: column((t) => t.p95), p99: column((t) => t.p95 * 1.2), trailing: { p50: trailing((t) => t.p50), p95: trailing((t) => t.p95), p99: trailing((t) => t.p95 * 1.2) } },
    },
    services: {
      alb: { desired: 1, instances: [{ ...still, ...flow, arrived: column((t) => t.offered), slots: quiet }] },
      'order-api': {
        desired: column((tick) => tick.desired),
        instances: numbers.map(({ of, levelsOf, outcomes }) => ({
          ...outcomes,
          state: of((x) => x.state),
          saturated: of((x) => x.saturated),
          arrived: of((x) => x.arrived),
          slots: levelsOf((x) => x.running),
          queue: levelsOf((x) => x.queued),
          cpuCores: levelsOf((x) => x.cpuCores),
          memoryBytes: levelsOf((x) => x.memoryBytes),
          connections: 0,
          throttled: 0,
          frozen: 0,
          warmUpLeftMs: of((x) => x.warmUpLeftMs),
          bootLeftMs: of((x) => x.bootLeftMs),
          downLeftMs: of((x) => x.downLeftMs),
        })),
      },
      'orders-db': { desired: 1, instances: [{ ...still, good: flow.good, declined: 0, refused: 0, failed: 0, arrived: column((t) => t.good), slots: levels((t) => Math.round(t.good * 0.008)) }] },
    },
    links: {
      'orders.alb': { targets: [{ ...flow, sent: column((t) => t.offered), belief: 1, probesTowards: 0 }], callers: [{ ...flow, sent: column((t) => t.offered), poolInUse: null, poolWaiting: null }], failingOpen: 0, ...calm },
      'alb.order-api': {
        targets: numbers.map(({ of, outcomes }) => ({ ...outcomes, sent: of((x) => x.arrived), belief: of((x) => x.belief), probesTowards: of((x) => x.probesTowards) })),
        callers: [{ ...flow, sent: column((t) => t.offered), poolInUse: null, poolWaiting: null }],
        failingOpen: 0,
        ...calm,
      },
      'order-api.orders-db': {
        targets: [{ good: flow.good, declined: 0, refused: 0, failed: 0, sent: flow.good, belief: 1, probesTowards: 0 }],
        callers: numbers.map(({ of, levelsOf, outcomes }) => ({ good: outcomes.good, declined: 0, refused: 0, failed: 0, sent: of((x) => x.good), poolInUse: levelsOf((x) => Math.round(x.good * 0.008)), poolWaiting: quiet })),
        failingOpen: 0,
        ...calm,
      },
    },
    hosts: {},
    locks: {},
  };
};

// Structure, judgements, inputs.

const picture = (path: 'shared' | 'dedicated'): Run['system'] => {
  const plain: PictureService = { name: '', title: { en: '', ko: '' }, kind: 'service', machine: null, host: null, beside: null, slotsHeld: 'request', rateLimit: null, consumes: null, locks: [], stock: {}, cpus: null, slots: null, queueLimit: null, memoryLimitBytes: null, instancesAtStart: 1, instancesMax: 1, warmUp: { forMs: 0, factor: 1 }, recovery: { by: 'restart', afterMs: 0 }, autoscale: null };
  const named = (name: string) => ({ name, title: { en: name, ko: name } });
  const link = { kind: 'call', policy: 'round-robin', health: null, failOpen: 0, timeoutMs: null, deadlineMs: null, retries: 0, outlier: null, breaker: null, slowStartMs: 0, pool: null } as const;
  return {
    hosts: [],
    services: [
      { ...plain, ...named('alb'), kind: 'balancer' },
      {
        ...plain, ...named('order-api'), machine: { name: 'c6i.large', cpus: 2, memoryBytes: 4 * gibibyte }, cpus: 2, slots: 40, queueLimit: 200, memoryLimitBytes: 3.5 * gibibyte, instancesAtStart: 2, instancesMax,
        warmUp: { forMs: 10_000, factor: 2 }, recovery: { by: 'restart', afterMs: 8000 },
        autoscale: { min: 2, max: instancesMax, metric: 'cpu', target: 0.6, everyMs: 15_000, bootMs: 20_000, bootBasis: 'assumed' },
      },
      { ...plain, ...named('orders-db'), kind: 'store', slots: 40 },
    ],
    links: [
      { ...link, caller: 'orders', callerKind: 'traffic', callee: 'alb', timeoutMs: 10_000 },
      { ...link, caller: 'alb', callerKind: 'service', callee: 'order-api', policy: 'least-outstanding', health: { path, everyMs: 5000, firstMs: 1000, timeoutMs: 2000, unhealthyAfter: 2, healthyAfter: 3 }, failOpen: 1 },
      { ...link, caller: 'order-api', callerKind: 'service', callee: 'orders-db', timeoutMs: 5000, pool: { max: 20, pending: null, waitMs: 3000, reuse: null, handshakeMs: 0 } },
    ],
    traffic: [{ ...named('orders'), kind: 'open', isJourney: false, from: null, limit: null, scripted: [[0, 250], [20, 250], [22, 750], [80, 750], [82, 250], [120, 250]].map(([s, value]) => ({ atMs: s * 1000, value: value, basis: 'assumed' as const })) }],
    objectives: [
      { name: 'availability', of: 'orders', metric: 'good', condition: '>= 99.9%', op: '>=', low: 0.999, high: null, unit: 'share', over: 'good', in: ['before', 'event', 'after'], isEach: false, vs: null, breaks: ['event'] },
      { name: 'latency', of: 'orders', metric: 'p95', condition: '<= 800ms', op: '<=', low: null, high: 800, unit: 'ms', over: 'good', in: ['event'], isEach: false, vs: null, breaks: ['event'] },
    ],
  };
};

const verdictsOf = (run: Run): Verdict[] => {
  const share = (phase: string): number => {
    const { offered, good, inFlight } = run.phases[phase].traffic['orders'];
    return good / (offered - inFlight);
  };
  const common = { variant: run.variant, of: 'orders', vs: null, blind: false, basis: 'counted', sure: 'untested', tested: null, seeds: null, restsOn: ['values.order-cpu', 'values.event-rate', 'values.boot'] } as const;
  const p95 = run.phases['event'].traffic['orders'].latencyMs!.p95;
  return [
    ...['before', 'event', 'after'].map((phase): Verdict => ({ ...common, objective: 'availability', phase, metric: 'good', target: '>= 99.9%', unit: 'share', actual: share(phase), met: share(phase) >= 0.999, expected: phase !== 'event' })),
    { ...common, objective: 'latency', phase: 'event', metric: 'p95', target: '<= 800ms', unit: 'ms', actual: p95, met: p95 <= 800, expected: false },
  ];
};

const claimsOf = (shared: Run, dedicated: Run): ClaimResult[] => {
  const ejections = (run: Run): number => run.eventLog.filter((event) => event.kind === 'ejected' && event.tMs < phases.surge[1] * 1000).length;
  const first = (kind: LoggedEvent['kind']) => ({ event: `${kind} order-api`, tMs: shared.eventLog.find((event) => event.kind === kind)?.tMs ?? null });
  const text = (en: string) => ({ en, ko: en });
  return [
    { claim: 'cascade', variant: 'as-it-is', phase: 'surge', says: text('On the shared path a full queue refuses the probes'), from: null, target: '>= 1', unit: 'count', vs: null, actual: ejections(shared), held: ejections(shared) >= 1, expected: true, seeds: null },
    { claim: 'no-cascade', variant: 'dedicated-health-path', phase: 'surge', says: text('On its own path the probe is answered'), from: null, target: '= 0', unit: 'count', vs: null, actual: ejections(dedicated), held: ejections(dedicated) === 0, expected: true, seeds: null },
    { claim: 'order-of-events', variant: 'as-it-is', phase: null, says: null, from: null, target: 'in this order', unit: null, vs: null, actual: null, order: [first('saturated'), first('ejected'), first('oom'), first('booted')], held: false, expected: true, seeds: null },
  ];
};

const inputs: readonly Input[] = [
  { path: 'values.normal-rate', value: 250, unit: '/s', basis: 'assumed', setting: false, why: 'told by the team', range: [200, 300] },
  { path: 'values.event-rate', value: 750, unit: '/s', basis: 'assumed', setting: false, why: 'told by the team: three times normal', range: [500, 900] },
  { path: 'values.order-cpu', value: 9, unit: 'ms', basis: 'assumed', setting: false, why: 'not profiled', range: [7, 12] },
  { path: 'values.boot', value: 20_000, unit: 'ms', basis: 'assumed', setting: false, why: 'told by the team', range: [15_000, 40_000] },
  { path: 'machines.c6i.large.cpus', value: 2, unit: 'cores', basis: 'spec', setting: true, from: 'AWS instance types page' },
  { path: 'machines.c6i.large.memory', value: 4 * gibibyte, unit: 'B', basis: 'spec', setting: true, from: 'AWS instance types page' },
  { path: 'machines.c6i.large.price', value: 0.085, unit: 'money/h', basis: 'spec', setting: false, from: 'AWS price list', currency: 'USD' },
  { path: 'services.order-api.slots', value: 40, unit: 'count', basis: 'chosen', setting: true },
  { path: 'services.order-api.queue.limit', value: 200, unit: 'count', basis: 'chosen', setting: true },
  { path: 'services.order-api.memory.limit', value: 3.5 * gibibyte, unit: 'B', basis: 'chosen', setting: true },
  { path: 'services.orders-db.slots', value: 40, unit: 'count', basis: 'chosen', setting: true },
  { path: 'services.orders-db.handlers.insert.0', value: 8, unit: 'ms', basis: 'assumed', setting: false, why: 'not traced' },
  { path: 'services.alb.to.order-api.latency', value: 0, unit: 'ms', basis: 'default', setting: false, range: [0, 2] },
  { path: 'services.alb.to.order-api.timeout', value: null, unit: 'ms', basis: 'default', setting: true },
];
