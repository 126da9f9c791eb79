import type { System } from '../scenario/model.js';
import { Autoscaler } from './control/autoscaler.js';
import { scheduleCrash } from './control/crash-fault.js';
import { Fleet } from './control/fleet.js';
import { Flow } from './flow.js';
import { CallPool } from './kernel/calls.js';
import { EventQueue } from './kernel/event-queue.js';
import { Container } from './parts/cpu.js';
import { Prober } from './parts/health.js';
import { Instance } from './parts/instance.js';
import { CallerLink, SharedLink } from './parts/link.js';
import { planOf, type Plan } from './plan/plan.js';
import { EventLog } from './record/event-log.js';
import { checkLaws } from './record/laws.js';
import { Recorder } from './record/recorder.js';
import { OpenSource } from './traffic/open.js';

/** About a fifth of a second of work. */
const eventsPerSlice = 500_000;

/** All parts of one run, wired. Built, run to the end, and asked for its result. */
export class Simulation {
  readonly queue = new EventQueue();
  readonly calls = new CallPool();
  readonly log = new EventLog(this.queue);
  readonly plan: Plan;
  readonly instances: readonly Instance[];
  /** Each link with the copies that its caller instances have. */
  readonly links: readonly { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[];
  readonly sharedLinks: readonly SharedLink[];
  readonly probers: readonly (Prober | null)[];
  readonly recorder: Recorder;
  requests = 0;

  private readonly firstPlace: readonly number[];
  private readonly flow: Flow;
  private readonly autoscalers: readonly (Autoscaler | null)[];

  constructor(system: System, seed: number) {
    this.plan = planOf(system);
    const { services, links, durationNs, tickNs } = this.plan;
    this.firstPlace = services.map((_, index) => services.slice(0, index).reduce((sum, { maxInstances }) => sum + maxInstances, 0));
    this.instances = this.makeInstances();
    this.sharedLinks = links.map((link) => new SharedLink(link, services[link.callee].maxInstances, link.callerIsTraffic ? 1 : services.find(({ name }) => name === link.callerName)!.maxInstances, this.plan.reasons.texts.length));
    this.flow = new Flow(this.queue, this.calls, this.plan, this.instances, this.sharedLinks, this.firstPlace);
    const callerLinks = this.makeCallerLinks();
    this.links = this.sharedLinks.map((shared, i) => ({ shared, callers: callerLinks[i] }));
    const fleet = new Fleet(this.queue, this.flow, this.log, this.instances, services.map(({ index }) => this.sharedLinks.filter(({ plan }) => plan.callee === index)));
    fleet.startAll();
    this.probers = this.sharedLinks.map((shared) =>
      shared.plan.health ? new Prober(this.queue, this.flow, this.log, shared, (target) => this.instances[this.firstPlace[shared.plan.callee] + target].name, seed) : null,
    );
    this.autoscalers = services.map((service) =>
      service.autoscale ? new Autoscaler(this.queue, fleet, this.log, service.name, this.instancesOf(service.index), service.autoscale) : null,
    );
    this.recorder = new Recorder(
      system, this.plan, this.queue, this.log, this.instances,
      this.links,
      (service) => this.autoscalers[service]?.desired ?? services[service].model.instances.value,
      Math.ceil(durationNs / tickNs),
    );
    for (const fault of system.faults) scheduleCrash(this.queue, fleet, this.log, fault, this.instances);
    this.startTraffic(seed);
  }

  /** Runs to the end in slices; yields how much of the run is simulated, 0 to 1. */
  *run(): Generator<number, void> {
    const { durationNs, tickNs } = this.plan;
    let pauseAt = eventsPerSlice;
    for (let tick = 1; tick <= this.recorder.ticks; tick++) {
      const endNs = Math.min(tick * tickNs, durationNs);
      while (!this.queue.runUntil(endNs, pauseAt - this.queue.processed)) {
        pauseAt = this.queue.processed + eventsPerSlice;
        yield this.queue.now / durationNs;
      }
      this.recorder.endTick(endNs - (tick - 1) * tickNs);
    }
    for (const instance of this.instances) instance.stopBilling(durationNs);
    checkLaws(this.trafficTotals(), this.recorder.traffic.map(({ inFlight }) => inFlight), this.links, this.instances, this.calls, durationNs);
  }

  instancesOf(service: number): readonly Instance[] {
    const first = this.firstPlace[service];
    return this.instances.slice(first, first + this.plan.services[service].maxInstances);
  }

  private trafficTotals(): ReturnType<Recorder['result']>['traffic'] {
    return Object.fromEntries(this.plan.sources.map(({ name }, i) => [name, this.recorder.traffic[i].totals(this.plan.durationNs)]));
  }

  private makeInstances(): Instance[] {
    const finished = (call: number): void => this.flow.computed(call);
    const containerKind = this.queue.register((place) => this.instances[place].container.fire(finished));
    return this.plan.services.flatMap((service, index) =>
      Array.from({ length: service.maxInstances }, (_, ordinal) => {
        const place = this.firstPlace[index] + ordinal;
        const cores = Math.min(service.machineCores, service.model.cpus.value);
        return new Instance(place, service, ordinal, new Container(this.queue, this.calls, cores, containerKind, place), this.calls);
      }),
    );
  }

  /** Each caller instance has its own copy of each of its links. By link: the copies, by caller. */
  private makeCallerLinks(): CallerLink[][] {
    const { services, sources, links } = this.plan;
    const copies: CallerLink[][] = links.map(() => []);
    const copy = (link: number, ordinal: number): CallerLink => {
      const made = new CallerLink(this.sharedLinks[link], ordinal, this.calls);
      copies[link].push(made);
      return made;
    };
    for (const service of services) {
      for (let ordinal = 0; ordinal < service.maxInstances; ordinal++) this.flow.linksOf.push(service.links.map(({ index }) => copy(index, ordinal)));
    }
    for (const source of sources) this.flow.linksOf.push(source.links.map(({ index }) => copy(index, 0)));
    return copies;
  }

  private startTraffic(seed: number): void {
    const { recorder, plan } = this;
    this.flow.listener = {
      requestEnded: (source, call, outcome, reason) => recorder.traffic[source].ended(this.calls.segment[call], outcome, reason, this.queue.now - this.calls.sentNs[call]),
      probeEnded: (link, target, good, reason) => this.probers[link]!.ended(target, good, reason < 0 ? '' : withoutPlace(plan.reasons.texts[reason])),
    };
    plan.sources.forEach((source, index) => {
      const place = this.instances.length + index;
      new OpenSource(this.queue, source, seed, plan.durationNs, (program, key0, key1) => {
        const segment = recorder.cuts.at(this.queue.now);
        this.requests++;
        recorder.traffic[index].offered(segment);
        this.flow.beginRequest(place, program, key0, key1, segment);
      });
    });
  }
}

/** `order-api: queue full` → `queue full`. */
const withoutPlace = (reason: string): string => reason.slice(reason.indexOf(': ') + 2);
