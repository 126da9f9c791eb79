import { flag, outcome, stage, type Call } from '../kernel/calls.js';
import type { Kind } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { Flow } from './flow.js';

/**
 * Messages: a queue keeps them, in order, until a worker has a slot free. Whoever left one is done when it lies there. A worker that dies takes the messages
 * it works on with it; nobody sends them again.
 */
export class Messages {
  /** By service: instances of the queue that it takes messages from; instances of the workers that take its messages. */
  private readonly queuesOf: readonly (readonly Instance[])[];
  private readonly workersOf: readonly (readonly Instance[])[];

  /** Among equals the one after the last in turn. */
  private next = 0;
  private readonly lookKind: Kind<Instance>;

  constructor(private readonly flow: Flow) {
    const { instances, plan } = flow;
    this.lookKind = flow.queue.register<Instance>((worker) => this.takeFor(worker));
    this.queuesOf = plan.services.map(({ model }) => instances.filter(({ service }) => service.name === model.consumes));
    this.workersOf = plan.services.map(({ name }) => instances.filter(({ service }) => service.model.consumes === name));
  }

  /** A message has come through the door of a queue: it lies there, or there is no room. */
  accept(call: Call, queue: Instance): void {
    const { attempts, wire } = this.flow;
    if (queue.queued.value >= queue.queueLimit) {
      queue.countEnd(outcome.refused);
      return wire.answer(call, outcome.refused, queue.service.reasons.queueFull);
    }
    attempts.acknowledge(call);
    call.stage = stage.queued;
    queue.queue.push(call);
    queue.queued.add(1, this.flow.queue.now);
    this.flow.door.comeIn(call, queue);
    if (this.flow.checkMemory(queue)) return;
    const worker = this.freest(queue);
    if (worker) this.takeFor(worker);
  }

  /** A worker looks for messages as long as it has slots free: of all instances of its queue the one that has lain longest. */
  takeFor(worker: Instance): void {
    const queues = this.queuesOf[worker.service.index];
    if (queues.length === 0) return;
    while (isFree(worker)) {
      const queue = this.oldest(queues);
      if (queue === null) return;
      this.deliver(queue, worker);
    }
  }

  /** A worker looks for messages at this instant, but not on this stack: the memory of a message may be the end of it. */
  lookSoon(worker: Instance): void {
    if (this.queuesOf[worker.service.index].length > 0) this.flow.queue.soon(this.lookKind, worker);
  }

  /** An instance can be reached again, or has come up: a worker looks for messages, and a queue's workers look into it. */
  openedAgain(instance: Instance): void {
    this.takeFor(instance);
    for (const worker of this.workersOf[instance.service.index]) this.takeFor(worker);
  }

  private oldest(queues: readonly Instance[]): Instance | null {
    let best: Instance | null = null;
    for (const queue of queues) {
      const { first } = queue.queue;
      if (isOpen(queue) && first !== null && (best === null || first.arrivedNs < best.queue.first!.arrivedNs)) best = queue;
    }
    return best;
  }

  private deliver(queue: Instance, worker: Instance): void {
    const { door } = this.flow;
    const { now } = this.flow.queue;
    const call = queue.queue.shift()!;
    queue.queued.add(-1, now);
    queue.leave(call, true, now);
    queue.countEnd(outcome.good);
    const number = queue.service.links.length + queue.service.deliveries.findIndex(({ callee }) => callee === worker.service.index);
    const link = queue.home.links[number];
    call.caller = queue.home;
    call.link = link;
    call.shared = link.shared;
    call.target = worker.ordinal;
    call.place = worker.home;
    call.instance = worker;
    call.program = worker.service.programs[call.request];
    call.sentNs = now;
    call.stage = stage.running;
    if (worker.takesTurns) {
      call.flags |= flag.fresh;
      worker.fresh++;
    } else {
      call.flags |= flag.holdsSlot;
      worker.slots.add(1, now);
    }
    link.sent(worker.ordinal);
    worker.countArrival();
    door.comeIn(call, worker);
    if (this.flow.checkMemory(worker)) return;
    this.flow.waits.grant(call);
  }

  /** The worker of the queue with the fewest slots taken; null: nobody has one free. */
  private freest(queue: Instance): Instance | null {
    let best: Instance | null = null;
    const workers = this.workersOf[queue.service.index];
    for (let i = 0; i < workers.length; i++) {
      const worker = workers[(this.next + i) % workers.length];
      if (isFree(worker) && (best === null || taken(worker) < taken(best))) best = worker;
    }
    if (best) this.next = workers.indexOf(best) + 1;
    return best;
  }
}

/** Slots that are taken; at an event loop also by messages whose first turn has not come yet, so that it takes no more than it has turns for. */
const taken = ({ slots, takesTurns, fresh }: Instance): number => slots.value + (takesTurns ? fresh : 0);

/** Nothing goes into a process or out of it while it stands still or cannot be reached. */
const isOpen = ({ serves, effects: { isFrozen, isBlackholed, isCut } }: Instance): boolean => serves && !isFrozen && !isBlackholed && !isCut;

const isFree = (worker: Instance): boolean => isOpen(worker) && taken(worker) < worker.slotLimit;
