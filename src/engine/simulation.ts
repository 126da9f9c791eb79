import { FaultreelError } from '../errors.js';
import { bounds as usual, type Bounds } from '../scenario/limits.js';
import type { System } from '../scenario/model.js';
import { makeAutoscaler } from './control/autoscaler.js';
import { scheduleFaults } from './control/faults.js';
import { Fleet } from './control/fleet.js';
import { Flow } from './flow/flow.js';
import { CallPool } from './kernel/calls.js';
import { EventQueue } from './kernel/event-queue.js';
import { Prober } from './parts/health.js';
import type { Host } from './parts/host.js';
import type { Instance } from './parts/instance.js';
import { CallerLink, SharedLink } from './parts/link.js';
import { Lock } from './parts/locks.js';
import { Sockets } from './parts/sockets.js';
import { Stock } from './parts/stock.js';
import { makePlaces } from './places.js';
import type { Plan } from './plan/plan.js';
import { planOf } from './plan/planner.js';
import { withoutPlace } from './plan/reasons.js';
import { EventLog } from './record/event-log.js';
import { endless } from './record/endless.js';
import { checkLaws } from './record/laws.js';
import { PhaseCuts } from './record/phase-cuts.js';
import { PhasedHistogram } from './record/phased-histogram.js';
import { Recorder } from './record/recorder.js';
import { Sources } from './traffic/sources.js';

/** About a fifth of a second of work: events, and steps inside them. */
export const workPerSlice = 500_000;
/** Events while the clock stands still: hundred times what the largest burst takes. */
const mostEventsAtOnce = 50_000_000;
/** Two waits for a lock that come to nothing are told as one event when they are nearer than this, ns. */
const tellLockAgainNs = 1e9;

/** All parts of one run, wired. Built, run to the end, and asked for its result. */
export class Simulation {
  readonly queue = new EventQueue();
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly probers: readonly (Prober | null)[];
  readonly sources: Sources;

  readonly calls: CallPool;
  private readonly bounds: Bounds;
  /** Events, and steps inside them, of all slices that are over. */
  private work = 0;
  private readonly log = new EventLog(this.queue);
  readonly instances: readonly Instance[];
  private readonly hosts: readonly Host[];
  private readonly firstPlace: readonly number[];
  /** Each link with the copies that its caller instances have. */
  readonly links: readonly { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[];
  readonly locks: readonly Lock[];
  readonly sockets: Sockets;
  readonly flow: Flow;

  constructor(private readonly system: System, seed: number, mostCalls = Infinity) {
    this.bounds = system.bounds ?? usual;
    this.calls = new CallPool(Math.min(this.bounds.calls, mostCalls));
    const { queue, calls, log } = this;
    this.plan = planOf(system);
    const { services, durationNs, tickNs } = this.plan;
    const cuts = new PhaseCuts(system.phases, durationNs);
    const makeHistogram = (): PhasedHistogram => new PhasedHistogram(queue, cuts);
    ({ instances: this.instances, hosts: this.hosts, firstPlace: this.firstPlace } = makePlaces(this.plan, queue, (call) => this.flow.computed(call)));
    const sharedLinks = this.makeSharedLinks(makeHistogram);
    this.locks = this.plan.locks.map((lock) => new Lock(lock, queue, makeHistogram()));
    this.sources = new Sources(this.plan, queue, seed, this.instances, this.firstPlace);
    this.sockets = new Sockets(this.plan.sources.length, (place, change) => this.instances[place].connect(change, queue.now));
    this.flow = new Flow({
      queue, calls, plan: this.plan, instances: this.instances,
      locks: this.locks,
      stocks: this.plan.stocks.map((stock) => new Stock(stock)),
      sockets: this.sockets,
      freshRow: (place, key0, key1, occurrence) => this.sources.anotherRow(place, key0, key1, occurrence),
    });
    this.links = this.makeCallerLinks(sharedLinks);
    const fleet = new Fleet(queue, this.flow, log, this.instances, this.links);
    fleet.listen({ started: (instance) => this.flow.cameUp(instance) });
    fleet.startAll();
    this.probers = sharedLinks.map((shared) => (shared.plan.health ? new Prober(this.flow.attempts, shared, seed) : null));
    const autoscalers = services.map((service) => makeAutoscaler(queue, fleet, log, service));
    this.recorder = new Recorder({
      system, plan: this.plan, queue, log, cuts,
      instances: this.instances,
      links: this.links,
      hosts: this.hosts,
      locks: this.locks,
      desiredOf: (service) => autoscalers[service]?.desired ?? services[service].model.instances.value,
      presentOf: (source) => this.sources.presentOf(source),
      ticks: Math.ceil(durationNs / tickNs),
    });
    scheduleFaults(system.faults, { queue, plan: this.plan, fleet, flow: this.flow, log, links: sharedLinks });
    this.listen();
    this.sources.start(this.flow, this.recorder);
  }

  /** Runs to the end in slices; yields how much of the run is simulated, 0 to 1. */
  *run(): Generator<number, void> {
    const { durationNs, tickNs } = this.plan;
    let left = workPerSlice;
    let lastPauseNs = -1;
    let eventsBefore = 0;
    for (let tick = 1; tick <= this.recorder.ticks; tick++) {
      const endNs = Math.min(tick * tickNs, durationNs);
      while (!this.runUntil(endNs, left)) {
        this.work += workPerSlice - this.queue.left;
        left = workPerSlice;
        if (this.queue.now !== lastPauseNs) eventsBefore = this.queue.processed;
        lastPauseNs = this.queue.now;
        const stands = this.queue.processed - eventsBefore >= mostEventsAtOnce;
        if (stands || this.work > this.bounds.events) throw endless(this, stands);
        yield this.queue.now / durationNs;
      }
      left = this.queue.left;
      this.recorder.endTick(endNs - (tick - 1) * tickNs);
    }
    for (const instance of this.instances) instance.stopBilling(durationNs);
    this.checkLaws();
  }

  /** An error of the depths knows no traffic: the one that asks most is told. */
  private runUntil(endNs: number, atMost: number): boolean {
    try {
      return this.queue.runUntil(endNs, atMost);
    } catch (error) {
      const { traffic, variant } = this.busiest();
      if (!(error instanceof FaultreelError) || !traffic) throw error;
      throw new FaultreelError(error.exitCode, error.problems.map((problem) => ({ at: { path: `traffic.${traffic.name}`, variant }, ...problem })), { cause: error });
    }
  }

  /** What has asked most so far, for who has to find out why there is no end. */
  busiest(): { readonly variant: string; readonly events: number; readonly work: number; readonly nowMs: number; readonly durationMs: number; readonly traffic: Busy | null; readonly link: Busy | null } {
    const { system, queue, plan, recorder } = this;
    const most = (all: readonly Busy[]): Busy | null => all.reduce<Busy | null>((best, one) => (one.count > (best?.count ?? 0) ? one : best), null);
    return {
      variant: system.variant,
      events: queue.processed,
      work: this.work,
      nowMs: queue.now / 1e6,
      durationMs: system.durationMs,
      traffic: most(plan.sources.map(({ name }, i) => ({ name, count: recorder.traffic[i].totals(plan.durationNs).offered }))),
      link: most(this.links.map(({ shared }) => ({ name: shared.plan.name, count: shared.sent + shared.totals.probes.sent }))),
    };
  }

  /** Throws when the run has violated a law. */
  checkLaws(): void {
    const { plan, recorder, links, instances, calls, flow, locks } = this;
    const inFlight = recorder.traffic.map((traffic) => traffic.inFlight);
    checkLaws({
      traffic: Object.fromEntries(plan.sources.map(({ name }, i) => [name, recorder.traffic[i].totals(plan.durationNs)])),
      trafficInFlight: inFlight,
      durationNs: plan.durationNs,
      calls, instances, links, locks,
      requestsInFlight: inFlight.reduce((sum, own) => sum + own, 0),
      tellHeld: (connection, lock) => flow.holdings.tellHeld(connection, lock),
    });
  }

  private makeSharedLinks(makeHistogram: () => PhasedHistogram): SharedLink[] {
    const { services, sources, links, reasons } = this.plan;
    const callersOf = (name: string): number => services.find((service) => service.name === name)?.maxInstances ?? this.copiesOf(sources.find((source) => source.name === name)!.from);
    return links.map((link) => {
      const first = this.firstPlace[link.callee];
      const surroundings = { queue: this.queue, log: this.log, targetName: (target: number): string => this.instances[first + target].name, instances: this.instances.slice(first, first + services[link.callee].maxInstances) };
      return new SharedLink(link, services[link.callee].maxInstances, callersOf(link.callerName), reasons.texts.length, makeHistogram, surroundings);
    });
  }

  /** How many copies of a source there are: one, or one in each place of the service that it is in. */
  private copiesOf(from: number): number {
    return from < 0 ? 1 : this.plan.services[from].maxInstances;
  }

  /** Each caller instance has its own copy of each of its links. By link: the copies, by caller. */
  private makeCallerLinks(sharedLinks: readonly SharedLink[]): { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[] {
    const links = sharedLinks.map((shared) => ({ shared, callers: [] as CallerLink[] }));
    const copy = (link: number, ordinal: number): CallerLink => {
      const made = new CallerLink(sharedLinks[link], ordinal, this.queue);
      links[link].callers.push(made);
      return made;
    };
    for (const { home, service, ordinal } of this.instances) for (const { index } of [...service.links, ...service.deliveries]) home.links.push(copy(index, ordinal));
    for (const { place, plan, ordinal } of this.sources.copies) for (const { index } of plan.links) place.links.push(copy(index, ordinal));
    return links;
  }

  /** Who is told of what happens in the flow. */
  private listen(): void {
    const { recorder, plan, queue, sources } = this;
    this.flow.listener = {
      requestEnded: (call, outcome, reason) => {
        recorder.traffic[sources.trafficOf(call)].ended(call.segment, outcome, reason, queue.now - call.sentNs);
        sources.ended(call, outcome);
      },
      probeEnded: (link, target, good, reason) => this.probers[link.plan.index]!.ended(target, good, reason < 0 ? '' : withoutPlace(plan.reasons.texts[reason])),
      delivered: (traffic, made) => recorder.traffic[traffic].delivered(made),
      lockTimedOut: (lock, waitNs) => {
        if (queue.now - lock.toldNs < tellLockAgainNs) return;
        lock.toldNs = queue.now;
        this.log.add('lock-timeout', lock.plan.name, 'wait', 'counted', { waitMs: waitNs / 1e6, waiting: lock.waiting.value });
      },
    };
    this.flow.onSocketBroken = (source, socket) => sources.socketBroken(source, socket);
  }
}

interface Busy {
  readonly name: string;
  readonly count: number;
}
