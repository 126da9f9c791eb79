import { numberAt } from '../../src/study/columns.js';
import type { Column, PictureHost, PictureLink, PictureService, PictureTraffic, Run, Study } from '../../src/study/types.js';
import { targetOf } from './faults.js';

/** What there is to draw in any of the variants: the same places in all of them. */
export interface Structure {
  readonly services: readonly PictureService[];
  readonly traffic: readonly PictureTraffic[];
  readonly links: readonly PictureLink[];
  readonly hosts: readonly PictureHost[];
  /** Names of the locks that a service holds, by its name. */
  readonly locks: ReadonlyMap<string, readonly string[]>;
  /** The service that is drawn as lanes: the one with the most instances. */
  readonly group: PictureService | null;
  /** Longest way from a traffic, by name. */
  readonly layers: ReadonlyMap<string, number>;
  /** The most of everything in any variant, which places are kept for; by `caller.callee`, and by service. */
  readonly peaks: { readonly links: ReadonlyMap<string, LinkPeak>; readonly services: ReadonlyMap<string, ServicePeak>; readonly locks: ReadonlyMap<string, number> };
}
export interface LinkPeak {
  /** Attempts that reached a target, in a tick. */
  readonly sent: number;
  /** Calls made in a tick, those too that were turned away at the caller. */
  readonly asked: number;
  readonly retries: number;
  readonly opened: number;
  readonly waiting: number;
  /** Whether a fault ever hits the link itself. */
  readonly isHit: boolean;
}
export interface ServicePeak {
  readonly slots: number;
  readonly queue: number;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly connections: number;
}

/** The union of the variants' pictures; where they differ in size, the largest. */
export const structureOf = (study: Study): Structure => {
  const runs = Object.values(study.runs);
  const pictures = runs.map((run) => run.system);
  const services = union(pictures.flatMap((picture) => picture.services), (service) => service.name, (a, b) => (b.instancesMax > a.instancesMax ? b : a));
  const traffic = union(pictures.flatMap((picture) => picture.traffic), (item) => item.name, (a) => a);
  const links = union(pictures.flatMap((picture) => picture.links), nameOf, (a) => a);
  const hosts = union(pictures.flatMap((picture) => picture.hosts), (host) => host.name, (a) => a);
  return {
    services,
    traffic,
    links,
    hosts,
    locks: locksOf(runs),
    group: groupOf(services),
    layers: layersOf(traffic, services, links),
    peaks: {
      links: new Map(links.map((link) => [nameOf(link), linkPeak(nameOf(link), runs)])),
      services: new Map(services.map(({ name }) => [name, servicePeak(name, runs)])),
      locks: new Map(runs.flatMap((run) => Object.keys(run.locks)).map((name) => [name, Math.max(1, ...runs.map((run) => run.locks[name]?.waiting.max ?? 0))])),
    },
  };
};

export const nameOf = ({ caller, callee }: Pick<PictureLink, 'caller' | 'callee'>): string => `${caller}.${callee}`;

const union = <T>(items: readonly T[], key: (item: T) => string, merge: (a: T, b: T) => T): readonly T[] => {
  const found = new Map<string, T>();
  for (const item of items) {
    const known = found.get(key(item));
    found.set(key(item), known === undefined ? item : merge(known, item));
  }
  return [...found.values()];
};

/** A balancer is drawn by its rotation; of the others the one with the most instances, then the one with bounded CPU, then the first. */
const groupOf = (services: readonly PictureService[]): PictureService | null => {
  const weight = (service: PictureService): number => service.instancesMax * 2 + (service.cpus === null ? 0 : 1);
  return services.filter((service) => service.kind !== 'balancer').reduce<PictureService | null>((best, service) => (best === null || weight(service) > weight(best) ? service : best), null);
};

const locksOf = (runs: readonly Run[]): ReadonlyMap<string, readonly string[]> => {
  const locks = new Map<string, string[]>();
  for (const name of new Set(runs.flatMap((run) => Object.keys(run.locks)))) {
    const dot = name.indexOf('.');
    locks.set(name.slice(0, dot), [...(locks.get(name.slice(0, dot)) ?? []), name.slice(dot + 1)]);
  }
  return locks;
};

const highest = (column: Column, count: number): number => {
  if (typeof column === 'number') return column;
  let most = 0;
  for (let tick = 0; tick < count; tick++) most = Math.max(most, column[tick] ?? 0);
  return most;
};

const linkPeak = (name: string, runs: readonly Run[]): LinkPeak => {
  const peak = { sent: 0, asked: 0, retries: 0, opened: 0, waiting: 0, isHit: false };
  for (const { ticks, eventLog } of runs) {
    const columns = ticks.links[name];
    if (!columns) continue;
    for (let tick = 0; tick < ticks.count; tick++) {
      peak.sent = Math.max(peak.sent, columns.targets.reduce((sum, target) => sum + numberAt(target.sent, tick), 0));
      peak.asked = Math.max(peak.asked, columns.callers.reduce((sum, caller) => sum + numberAt(caller.sent, tick), 0));
      peak.waiting = Math.max(peak.waiting, columns.callers.reduce((sum, caller) => sum + (caller.poolWaiting ? numberAt(caller.poolWaiting.max, tick) : 0), 0));
    }
    peak.retries = Math.max(peak.retries, highest(columns.retries, ticks.count));
    peak.opened = Math.max(peak.opened, highest(columns.opened, ticks.count));
    peak.isHit ||= eventLog.some((event) => event.kind === 'fault' && targetOf(event) === name);
  }
  return peak;
};

const servicePeak = (name: string, runs: readonly Run[]): ServicePeak => {
  const totals = runs.flatMap((run) => run.services[name] ?? []);
  const most = (pick: (of: (typeof totals)[number]) => number): number => Math.max(0, ...totals.map(pick));
  return {
    slots: most(({ slots }) => slots.max),
    queue: most(({ queue }) => queue.max),
    cpuCores: most(({ cpuCores }) => cpuCores.max),
    memoryBytes: most(({ memoryBytes }) => memoryBytes.max),
    connections: most(({ instances }) => instances.reduce((sum, instance) => sum + (instance.connections.max), 0)),
  };
};

const layersOf = (traffic: readonly PictureTraffic[], services: readonly PictureService[], links: readonly PictureLink[]): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>(traffic.map(({ name }) => [name, 0]));
  const callersOf = (name: string): string[] => links.filter((link) => link.callee === name).map((link) => link.caller);
  const open = new Set<string>();
  const layerOf = (name: string): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    // A call back to where the way came from does not push it further right.
    if (open.has(name)) return 0;
    open.add(name);
    const layer = Math.max(0, ...callersOf(name).map((caller) => layerOf(caller))) + 1;
    open.delete(name);
    layers.set(name, layer);
    return layer;
  };
  for (const { name } of services) layerOf(name);
  return layers;
};
