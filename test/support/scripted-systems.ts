import type { Column, LevelColumns, LoggedEvent, Picture, PictureLink, PictureService, PictureTraffic, Run, Study, Ticks } from '../../src/study/types.js';

/** A value of every tick: the same in all, or by tick. */
export type ByTick = number | ((tick: number) => number);
type InstanceValues = Partial<Record<'state' | 'saturated' | 'arrived' | 'good' | 'refused' | 'failed' | 'slots' | 'queue' | 'cpuCores' | 'memoryBytes' | 'connections' | 'throttled' | 'frozen' | 'warmUpLeftMs' | 'bootLeftMs' | 'downLeftMs', ByTick>>;

export interface SystemService extends Partial<Omit<PictureService, 'name'>> {
  /** What each instance does; one quiet instance when left out. */
  readonly each?: readonly InstanceValues[];
}
export interface SystemLink extends Partial<Omit<PictureLink, 'caller' | 'callee' | 'callerKind'>> {
  readonly perS?: ByTick;
  /** What reaches a target, the rest being refused at the caller; all when left out. */
  readonly reached?: ByTick;
  readonly refused?: ByTick;
  readonly failed?: ByTick;
  readonly retried?: ByTick;
  readonly opened?: ByTick;
  /** Code into `breakerStates`. */
  readonly breakerIs?: ByTick;
  readonly beliefs?: readonly ByTick[];
  readonly inUse?: ByTick;
  readonly waiting?: ByTick;
}
export interface SystemTraffic extends Partial<Omit<PictureTraffic, 'name'>> {
  readonly perS?: ByTick;
  readonly declined?: ByTick;
  readonly refused?: ByTick;
  readonly failed?: ByTick;
  readonly dropped?: ByTick;
  readonly present?: ByTick;
  readonly delivered?: { readonly made: ByTick; readonly missed: ByTick };
}
export interface SystemScript {
  readonly title?: string;
  readonly ticks?: number;
  readonly hosts?: Readonly<Record<string, { readonly cpus: number; readonly memoryBytes: number; readonly cpuCores?: ByTick; readonly usedBytes?: ByTick; readonly saturated?: ByTick }>>;
  readonly services: Readonly<Record<string, SystemService>>;
  readonly traffic: Readonly<Record<string, SystemTraffic>>;
  /** By `caller.callee`. */
  readonly links: Readonly<Record<string, SystemLink>>;
  readonly locks?: Readonly<Record<string, { readonly held: ByTick; readonly waiting: ByTick; readonly saturated?: ByTick }>>;
  readonly events?: readonly LoggedEvent[];
  readonly phases?: Readonly<Record<string, readonly [number, number]>>;
  readonly objectives?: Picture['objectives'];
}

/** A study of any system, its columns written by hand: for what the stage draws, whatever the engine makes of such a system. */
export const scriptedSystem = (script: SystemScript): Study => {
  const run = runOf(script, 'base');
  const text = script.title ?? 'A scripted system';
  return {
    schema: 'faultreel-study/1',
    tool: { name: 'faultreel', version: '0.1.0' },
    scenario: { name: 'scripted', title: { en: text, ko: text }, sha256: '0'.repeat(64), seed: 1, durationMs: run.durationMs, tickMs: 1000, limits: [], text: 'faultreel: 1\n', set: [], rehearsal: { pacing: { quiet: 8, incident: 2 }, stops: [] } },
    inputs: [],
    runs: { base: run },
    spread: null,
    sensitivity: null,
    sweeps: [],
    verdicts: [],
    claims: [],
    firstToBreak: null,
  };
};

/** An event as the log has it, in the middle of its second. */
export const eventAt = (second: number, kind: LoggedEvent['kind'], subject: string, cause: string, data: LoggedEvent['data'] = {}, basis: LoggedEvent['basis'] = 'counted'): LoggedEvent => ({ tMs: second * 1000 + 500, kind, subject, cause, basis, data });

export const runOf = (script: SystemScript, variant: string): Run => {
  const count = script.ticks ?? 20;
  const column = (value: ByTick | undefined, otherwise = 0): Column => (typeof value === 'function' ? Array.from({ length: count }, (_, tick) => value(tick)) : (value ?? otherwise));
  const level = (value: ByTick | undefined, otherwise = 0): LevelColumns => ({ mean: column(value, otherwise), max: column(value, otherwise), end: column(value, otherwise) });
  const write: Writer = { count, column, level };
  const system: Picture = {
    hosts: Object.entries(script.hosts ?? {}).map(([name, { cpus, memoryBytes }]) => ({ name, cpus, memoryBytes })),
    services: Object.entries(script.services).map(([name, service]) => pictureService(name, service)),
    links: Object.entries(script.links).map(([name, link]) => pictureLink(name, link, script)),
    traffic: Object.entries(script.traffic).map(([name, { title = both(name), kind = 'open', isJourney = false, from = null, limit = null, scripted = [] }]) => ({ name, title, kind, isJourney, from, limit, scripted })),
    objectives: script.objectives ?? [],
  };
  return {
    variant,
    overrides: [],
    events: 0,
    requests: 0,
    durationMs: count * 1000,
    system,
    traffic: Object.fromEntries(Object.entries(script.traffic).map(([name, traffic]) => [name, trafficTotals(traffic, write)])),
    phases: Object.fromEntries(Object.entries(script.phases ?? {}).map(([name, [from, to]]) => [name, { fromMs: from * 1000, toMs: to * 1000, traffic: {}, links: {}, locks: {} }])),
    services: Object.fromEntries(Object.entries(script.services).map(([name, service]) => [name, serviceTotals(service, write)])),
    links: Object.fromEntries(system.links.map(({ caller, callee, pool }) => [`${caller}.${callee}`, linkTotals(pool !== null, script.links[`${caller}.${callee}`], write)])),
    hosts: Object.fromEntries(Object.entries(script.hosts ?? {}).map(([name, host]) => [name, { cpuCores: levelOf(host.cpuCores, write), memoryBytes: levelOf(host.usedBytes, write) }])),
    locks: Object.fromEntries(Object.entries(script.locks ?? {}).map(([name, lock]) => [name, { taken: 1, waited: 1, timeouts: 0, waitMs: null, waiting: levelOf(lock.waiting, write) }])),
    warnings: [],
    eventLog: script.events ?? [],
    ticks: ticksOf(script, system, write),
    cost: { services: {}, amount: null, currency: null, unknown: [], phases: {}, survival: null },
    firstToBreak: null,
  };
};

interface Writer {
  readonly count: number;
  readonly column: (value: ByTick | undefined, otherwise?: number) => Column;
  readonly level: (value: ByTick | undefined, otherwise?: number) => LevelColumns;
}

const both = (text: string) => ({ en: text, ko: text });

const pictureService = (name: string, { each = [{}], ...rest }: SystemService): PictureService => ({
  name,
  title: both(name),
  kind: 'service',
  machine: null,
  host: null,
  beside: null,
  slotsHeld: 'request',
  rateLimit: null,
  consumes: null,
  locks: [],
  stock: {},
  cpus: null,
  slots: null,
  queueLimit: null,
  memoryLimitBytes: null,
  instancesAtStart: each.length,
  instancesMax: each.length,
  warmUp: { forMs: 0, factor: 1 },
  recovery: { by: 'restart', afterMs: 20_000 },
  autoscale: null,
  ...rest,
});

const linkKeys = ['kind', 'policy', 'health', 'failOpen', 'timeoutMs', 'deadlineMs', 'retries', 'outlier', 'breaker', 'slowStartMs', 'pool'] as const;
const plainLink = { kind: 'call', policy: 'round-robin', health: null, failOpen: 0, timeoutMs: null, deadlineMs: null, retries: 0, outlier: null, breaker: null, slowStartMs: 0, pool: null } as const;

const pictureLink = (name: string, link: SystemLink, { traffic }: SystemScript): PictureLink => {
  const dot = name.indexOf('.');
  const caller = name.slice(0, dot);
  const given = Object.fromEntries(linkKeys.flatMap((key) => (link[key] === undefined ? [] : [[key, link[key]]])));
  return { ...plainLink, ...given, caller, callerKind: traffic[caller] ? 'traffic' : 'service', callee: name.slice(dot + 1) };
};

const share = (value: ByTick | undefined, parts: number): ByTick => (typeof value === 'function' ? (tick) => value(tick) / parts : (value ?? 0) / parts);
const valueAt = (value: ByTick | undefined, tick: number): number => (typeof value === 'function' ? value(tick) : (value ?? 0));
const rest = (of: ByTick | undefined, ...taken: readonly (ByTick | undefined)[]): ByTick => (tick) => taken.reduce<number>((left, value) => left - valueAt(value, tick), valueAt(of, tick));

const levelOf = (value: ByTick | undefined, { count }: Writer) => {
  const values = Array.from({ length: count }, (_, tick) => valueAt(value, tick));
  return { mean: values.reduce((a, b) => a + b, 0) / count, max: Math.max(...values) };
};
const sumOf = (value: ByTick | undefined, { count }: Writer): number => Array.from({ length: count }, (_, tick) => valueAt(value, tick)).reduce((a, b) => a + b, 0);

const trafficTotals = ({ perS = 100, declined, refused, failed, dropped, delivered }: SystemTraffic, write: Writer): Run['traffic'][string] => ({
  offered: sumOf(perS, write),
  good: sumOf(rest(perS, declined, refused, failed), write),
  declined: declined === undefined ? {} : { 'app: full': sumOf(declined, write) },
  refused: refused === undefined ? {} : { 'app: queue full': sumOf(refused, write) },
  failed: failed === undefined ? {} : { 'app: timeout': sumOf(failed, write) },
  inFlight: 0,
  dropped: sumOf(dropped, write),
  deliveries: delivered ? { made: sumOf(delivered.made, write), missed: sumOf(delivered.missed, write) } : null,
  goodPerS: sumOf(rest(perS, declined, refused, failed), write) / write.count,
  latencyMs: null,
  validLatencyMs: null,
  badLatencyMs: null,
  latencyBuckets: { good: noLatencies, bad: noLatencies },
});
const noLatencies = { fromMs: [], toMs: [], counts: [] };

const serviceTotals = ({ each = [{}] }: SystemService, write: Writer): Run['services'][string] => {
  const level = (key: keyof InstanceValues, otherwise: number) => levelOf((tick) => each.reduce((sum, values) => sum + valueAt(values[key] ?? otherwise, tick), 0), write);
  return {
    instances: each.map((values, i) => ({
      number: i + 1,
      arrived: 0,
      good: 0,
      declined: 0,
      refused: 0,
      failed: 0,
      cpuCores: levelOf(values.cpuCores, write),
      slots: levelOf(values.slots, write),
      queue: levelOf(values.queue, write),
      memoryBytes: levelOf(values.memoryBytes, write),
      ooms: 0,
      connections: levelOf(values.connections, write),
      throttled: levelOf(values.throttled, write).mean,
      billedS: write.count,
      billedMs: [[0, write.count * 1000] as const],
    })),
    cpuCores: level('cpuCores', 0),
    slots: level('slots', 0),
    queue: level('queue', 0),
    memoryBytes: level('memoryBytes', 0),
    ooms: 0,
    launches: 0,
  };
};

const linkTotals = (hasPool: boolean, { perS, refused, failed, retried, opened, inUse, waiting }: SystemLink, write: Writer): Run['links'][string] => ({
  sent: sumOf(perS, write),
  good: sumOf(rest(perS, refused, failed), write),
  declined: 0,
  refused: refused === undefined ? {} : { 'app: queue full': sumOf(refused, write) },
  failed: failed === undefined ? {} : { 'app: timeout': sumOf(failed, write) },
  inFlight: 0,
  probes: { sent: 0, good: 0, bad: 0 },
  ejections: 0,
  retries: sumOf(retried, write),
  latencyMs: null,
  pool: hasPool ? { opened: sumOf(opened, write), inUse: levelOf(inUse, write), waiting: levelOf(waiting, write), waitMs: null } : null,
});

const ticksOf = (script: SystemScript, system: Picture, write: Writer): Ticks => {
  const { column, level, count } = write;
  const instancesOf = (name: string): number => script.services[name]?.each?.length ?? 1;
  return {
    count,
    traffic: Object.fromEntries(
      Object.entries(script.traffic).map(([name, { perS = 100, declined, refused, failed, dropped, present, delivered }]) => [
        name,
        {
          offered: column(perS), good: column(rest(perS, declined, refused, failed)), declined: column(declined), refused: column(refused), failed: column(failed), inFlight: 0,
          dropped: column(dropped), present: present === undefined ? null : column(present), deliveries: delivered ? { made: column(delivered.made), missed: column(delivered.missed) } : null,
          p50: 10, p95: 20, p99: 30, trailing: { p50: 10, p95: 20, p99: 30 },
        },
      ]),
    ),
    services: Object.fromEntries(
      Object.entries(script.services).map(([name, { each = [{}] }]) => [
        name,
        {
          desired: each.length,
          instances: each.map((values) => ({
            state: column(values.state, 2), saturated: column(values.saturated), arrived: column(values.arrived), good: column(values.good), declined: 0, refused: column(values.refused), failed: column(values.failed),
            slots: level(values.slots), queue: level(values.queue), cpuCores: level(values.cpuCores), memoryBytes: level(values.memoryBytes), connections: column(values.connections), throttled: column(values.throttled),
            frozen: column(values.frozen), warmUpLeftMs: column(values.warmUpLeftMs), bootLeftMs: column(values.bootLeftMs), downLeftMs: column(values.downLeftMs),
          })),
        },
      ]),
    ),
    links: Object.fromEntries(
      system.links.map(({ caller, callee, pool }) => {
        const { perS = 100, reached, refused, failed, retried, opened, breakerIs, beliefs = [], inUse, waiting } = script.links[`${caller}.${callee}`];
        const part = (parts: number) => ({ sent: column(share(perS, parts)), good: column(share(rest(perS, refused, failed), parts)), declined: 0, refused: column(share(refused, parts)), failed: column(share(failed, parts)) });
        const atTarget = (parts: number) => (reached === undefined ? part(parts) : { sent: column(share(reached, parts)), good: column(share(rest(reached, failed), parts)), declined: 0, refused: 0, failed: column(share(failed, parts)) });
        const callers = script.traffic[caller] ? 1 : instancesOf(caller);
        return [
          `${caller}.${callee}`,
          {
            targets: Array.from({ length: instancesOf(callee) }, (_, i) => ({ ...atTarget(instancesOf(callee)), belief: column(beliefs[i], 1), probesTowards: 0 })),
            callers: Array.from({ length: callers }, () => ({ ...part(callers), poolInUse: pool ? level(share(inUse, callers)) : null, poolWaiting: pool ? level(share(waiting, callers)) : null })),
            failingOpen: 0,
            retries: column(retried),
            opened: column(opened),
            breaker: column(breakerIs),
          },
        ];
      }),
    ),
    hosts: Object.fromEntries(Object.entries(script.hosts ?? {}).map(([name, host]) => [name, { cpuCores: level(host.cpuCores), memoryBytes: level(host.usedBytes), saturated: column(host.saturated) }])),
    locks: Object.fromEntries(Object.entries(script.locks ?? {}).map(([name, lock]) => [name, { held: level(lock.held), waiting: level(lock.waiting), saturated: column(lock.saturated) }])),
  };
};
