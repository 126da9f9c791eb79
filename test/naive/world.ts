import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { Link, Service, System, Value } from '../../src/scenario/model.js';
import { Agenda } from './agenda.js';
import { Asking } from './asking.js';
import type { Attempt } from './attempt.js';
import { Autoscaler } from './autoscaler.js';
import { Container, CoresOfOne } from './cpu.js';
import { Door } from './door.js';
import { Faults } from './faults.js';
import { Fleet } from './fleet.js';
import { Handshakes } from './handshakes.js';
import { Holdings } from './holdings.js';
import { type Host, Instance } from './instance.js';
import { CallerLink, SharedLink } from './link.js';
import { Messages } from './messages.js';
import { Prober } from './prober.js';
import type { Run, Steps } from './run.js';
import { Interpreter } from './steps.js';
import { type Request, Source } from './traffic.js';
import { type End, nsOf } from './words.js';
import { Wire } from './wire.js';

/**
 * The naive twin of the engine: one system, simulated from its description by plain objects and one sorted list of events. Left out: sockets and `push`,
 * deployments, `throttle: cfs`.
 */
export class World {
  readonly agenda = new Agenda();
  readonly instances: Instance[] = [];
  /** Traffic's first. */
  readonly links: SharedLink[] = [];
  readonly sources: Source[] = [];
  readonly wire = new Wire(this);
  readonly asking = new Asking(this);
  readonly handshakes = new Handshakes(this);
  readonly holdings = new Holdings(this);
  readonly interpreter = new Interpreter(this);
  readonly door = new Door(this);
  readonly messages = new Messages(this);
  readonly fleet = new Fleet(this);
  /** Rows from here on are one request's or one burst's. */
  nextFreshRow = 2 ** 30;
  private readonly probers = new Map<SharedLink, Prober>();
  private readonly deliveries = new Map<Instance, CallerLink[]>();

  constructor(readonly system: System, readonly seed: number = system.seed) {
    this.placeInstances();
    for (const traffic of system.traffic) this.sources.push(...this.copiesOf(traffic.from).map((process, ordinal) => new Source(this, traffic, ordinal, process)));
    for (const { name, links, from } of system.traffic) {
      const copies = this.sources.filter((source) => source.name === name);
      for (const link of links) this.connect(link, name, from === link.callee, copies, (source, copy) => source.links.set(link.callee, copy));
    }
    for (const { name, links } of system.services) {
      const callers = this.instances.filter((instance) => instance.name === name);
      for (const link of links) this.connect(link, name, this.isOnePod(name, link.callee), callers, (instance, copy) => instance.links.set(link.callee, copy));
      for (const worker of system.services.filter(({ consumes }) => consumes === name)) {
        this.connect(deliveryTo(worker.name), name, false, callers, (instance, copy) => this.deliveries.set(instance, [...this.deliveriesOf(instance), copy]));
      }
    }
    // What is due at one instant from the beginning on happens in this order.
    this.fleet.startAll();
    for (const link of this.links) if (link.link.health) this.probers.set(link, new Prober(this, link, seed));
    for (const service of system.services) if (service.autoscale) new Autoscaler(this, service, service.autoscale);
    new Faults(this, system.faults);
    for (const source of this.sources) source.start();
  }

  /** Every request, by source and number. */
  run(): readonly Request[] {
    this.agenda.runUntil(nsOf(this.system.durationMs));
    return this.sources.flatMap(({ requests }) => requests);
  }

  serviceOf(name: string): Service {
    return this.system.services.find((service) => service.name === name)!;
  }

  deliveriesOf(queue: Instance): readonly CallerLink[] {
    return this.deliveries.get(queue) ?? [];
  }

  inFlight(traffic: string): number {
    return this.sources.filter(({ name }) => name === traffic).reduce((sum, { requests }) => sum + requests.filter(({ end }) => end === null).length, 0);
  }

  /** A service without handlers passes on what comes. */
  forward(run: Run, link: CallerLink): Steps {
    return this.asking.ask(run, link, run.request, siteOf(`services.${run.place.name}.forward`), 0, null, null, '');
  }

  probeEnded({ shared, target }: Attempt, end: End): void {
    this.probers.get(shared)!.ended(target.ordinal, end);
  }

  private placeInstances(): void {
    const hosts = new Map(this.system.hosts.map((host) => [host.name, { cores: new CoresOfOne(host.cpus.value), host: { memoryBytes: host.memoryBytes.value, guests: [] } satisfies Host }]));
    const machines = new Map<string, CoresOfOne>();
    for (const service of this.system.services) {
      const { cpus, cpuRequest, rateLimit, place: own } = service;
      const pod = own.on === 'beside' ? this.serviceOf(own.service) : service;
      const { place } = pod;
      const ofService = { fullAtNs: -Infinity };
      const count = Math.max(pod.instances.value, pod.autoscale?.max.value ?? 0);
      for (let ordinal = 0; ordinal < count; ordinal++) {
        const shared = place.on === 'host' ? hosts.get(place.host)! : null;
        const machine = `${pod.name} ${ordinal}`;
        // The containers of a pod share its machine; who has it alone is only capped.
        const isShared = place.on === 'machine' && this.system.services.some((other) => other.place.on === 'beside' && other.place.service === pod.name);
        if (isShared && !machines.has(machine)) machines.set(machine, new CoresOfOne(place.machine.cpus.value));
        const cap = own.on === 'machine' ? Math.min(own.machine.cpus.value, cpus.value) : cpus.value;
        const container = new Container(this.agenda, cap, cpuRequest.value, shared?.cores ?? machines.get(machine) ?? new CoresOfOne(Infinity));
        const instance = new Instance(this.agenda, service, ordinal, container, shared?.host ?? null);
        if (rateLimit?.scope === 'service') instance.bucket = ofService;
        this.instances.push(instance);
      }
    }
    for (const instance of this.instances) {
      const { place } = instance.service;
      if (place.on !== 'beside') continue;
      instance.pod = this.instances.find(({ name, ordinal }) => name === place.service && ordinal === instance.ordinal)!;
      instance.pod.sidecars.push(instance);
    }
  }

  /** A sidecar and its pod: a call between the two stays in the pod. */
  private isOnePod(a: string, b: string): boolean {
    return this.system.services.some(({ name, place }) => place.on === 'beside' && ((name === a && place.service === b) || (name === b && place.service === a)));
  }

  private copiesOf(from: string | undefined): (Instance | null)[] {
    return from === undefined ? [null] : this.instances.filter(({ name }) => name === from);
  }

  private connect<T>(link: Link, callerName: string, staysInPod: boolean, callers: readonly T[], keep: (caller: T, copy: CallerLink) => void): void {
    const shared = new SharedLink(this.agenda, link, callerName, this.instances.filter(({ name }) => name === link.callee), staysInPod);
    this.links.push(shared);
    callers.forEach((caller, ordinal) => keep(caller, new CallerLink(shared, ordinal)));
  }
}

/** A worker takes messages at once. */
const deliveryTo = (worker: string): Link => {
  const path = `services.${worker}.consumes`;
  const none = (value: number): Value => ({ path, value, unit: 'count', basis: 'default', setting: true });
  return {
    path, callee: worker, latency: { ...none(0), spread: { kind: 'gamma', cv: 0 } }, policy: 'round-robin', failOpen: none(0), slowStart: none(0), timeout: none(Infinity), deadline: none(Infinity),
    retries: { max: none(0), when: [], backoff: none(0), factor: none(1), cap: none(Infinity), jitter: 'none', budget: none(Infinity), key: 'same' }, cancel: false,
  };
};
