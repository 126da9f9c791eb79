import type { Picture, PictureService, Run, Study } from '../../src/study/types.js';
import { scriptedStudy } from './scripted-study.js';

export interface AnyService {
  readonly name: string;
  readonly kind?: PictureService['kind'];
  readonly instances?: number;
  readonly calls?: readonly string[];
  /** Its links check their targets. */
  readonly checks?: boolean;
  readonly slots?: number | null;
  /** A machine that it shares. */
  readonly host?: string;
  /** The service in whose pods it stands. */
  readonly beside?: string;
  /** The queue whose messages it takes. */
  readonly consumes?: string;
  /** Locks that its requests hold. */
  readonly locks?: readonly string[];
}

/** A study of any structure in which nothing ever happens: for what the layout does with it. */
export const anyStudy = (traffic: Readonly<Record<string, readonly string[]>>, services: readonly AnyService[], tickCount = 5): Study => {
  const scripted = scriptedStudy();
  const model = scripted.runs['as-it-is'];
  const byName = (name: string): AnyService => services.find((service) => service.name === name)!;
  const template = model.system.services[1];
  const workers = services.filter(({ consumes }) => consumes !== undefined);
  const links: Picture['links'] = [
    ...Object.entries(traffic).flatMap(([caller, callees]) => callees.map((callee) => ({ ...model.system.links[0], caller, callee }))),
    ...services.flatMap((service) => (service.calls ?? []).map((callee) => ({ ...model.system.links[service.checks ? 1 : 2], caller: service.name, callee }))),
    ...workers.map(({ name, consumes }) => ({ ...model.system.links[2], kind: 'message' as const, caller: consumes!, callee: name, pool: null })),
  ];
  const hosts = [...new Set(services.flatMap(({ host }) => host ?? []))];
  const locks = services.flatMap(({ name, locks: own = [] }) => own.map((lock) => `${name}.${lock}`));
  const level = { mean: 2, max: 3, end: 2 };
  const instance = { state: 2, saturated: 0, arrived: 100, good: 100, declined: 0, refused: 0, failed: 0, slots: level, queue: level, cpuCores: { mean: 0.5, max: 1, end: 0.5 }, memoryBytes: { mean: 2 ** 30, max: 2 ** 30, end: 2 ** 30 }, connections: 0, throttled: 0, frozen: 0, warmUpLeftMs: 0, bootLeftMs: 0, downLeftMs: 0 };
  const shared = (parts: number) => ({ good: 90 / parts, declined: 0, refused: 6 / parts, failed: 4 / parts, sent: 100 / parts });
  const system: Picture = {
    hosts: hosts.map((name) => ({ name, cpus: 4, memoryBytes: 8 * 2 ** 30 })),
    services: services.map((service) => ({ ...template, name: service.name, title: { en: service.name, ko: service.name }, kind: service.kind ?? 'service', instancesMax: service.instances ?? 1, instancesAtStart: service.instances ?? 1, slots: service.slots === undefined ? 16 : service.slots, autoscale: null, host: service.host ?? null, beside: service.beside ?? null, consumes: service.consumes ?? null, locks: service.locks ?? [], ...(service.host || service.beside ? { machine: null } : {}) })),
    links,
    traffic: Object.keys(traffic).map((name) => ({ ...model.system.traffic[0], name, title: { en: name, ko: name } })),
    objectives: [],
  };
  const run: Run = {
    ...model,
    variant: 'base',
    durationMs: tickCount * 1000,
    system,
    traffic: Object.fromEntries(Object.keys(traffic).map((name) => [name, model.traffic['orders']])),
    phases: {},
    services: Object.fromEntries(services.map((service) => [service.name, { ...model.services['order-api'], instances: Array.from({ length: service.instances ?? 1 }, () => model.services['order-api'].instances[0]) }])),
    links: {},
    hosts: Object.fromEntries(hosts.map((name) => [name, { cpuCores: { mean: 2, max: 3 }, memoryBytes: { mean: 2 ** 31, max: 2 ** 32 } }])),
    locks: Object.fromEntries(locks.map((name) => [name, { taken: 400, waited: 100, timeouts: 2, waitMs: null, waiting: { mean: 2, max: 3 } }])),
    eventLog: [],
    ticks: {
      count: tickCount,
      traffic: Object.fromEntries(Object.keys(traffic).map((name) => [name, { offered: 100, good: 90, declined: 0, refused: 6, failed: 4, inFlight: 0, dropped: 0, present: null, deliveries: null, p50: 10, p95: 20, p99: 30, trailing: { p50: 10, p95: 20, p99: 30 } }])),
      services: Object.fromEntries(services.map((service) => [service.name, { desired: service.instances ?? 1, instances: Array.from({ length: service.instances ?? 1 }, () => instance) }])),
      links: Object.fromEntries(
        links.map((link) => [
          `${link.caller}.${link.callee}`,
          {
            targets: Array.from({ length: byName(link.callee).instances ?? 1 }, () => ({ ...shared(byName(link.callee).instances ?? 1), belief: 1, probesTowards: 0 })),
            callers: Array.from({ length: link.callerKind === 'traffic' || traffic[link.caller] ? 1 : (byName(link.caller).instances ?? 1) }, () => ({ ...shared(link.callerKind === 'traffic' || traffic[link.caller] ? 1 : (byName(link.caller).instances ?? 1)), poolInUse: null, poolWaiting: null })),
            failingOpen: 0,
            retries: 0,
            opened: 0,
            breaker: 0,
          },
        ]),
      ),
      hosts: Object.fromEntries(hosts.map((name) => [name, { cpuCores: level, memoryBytes: { mean: 2 ** 31, max: 2 ** 32, end: 2 ** 31 }, saturated: 0 }])),
      locks: Object.fromEntries(locks.map((name) => [name, { held: level, waiting: level, saturated: 0 }])),
    },
    firstToBreak: null,
  };
  return { ...scripted, scenario: { ...scripted.scenario, durationMs: tickCount * 1000, rehearsal: { ...scripted.scenario.rehearsal, stops: [] } }, runs: { base: run }, verdicts: [], firstToBreak: null };
};
