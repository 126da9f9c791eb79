import { Attempt } from './attempt.js';
import type { Instance } from './instance.js';
import type { CallerLink } from './link.js';
import type { Run } from './run.js';
import type { World } from './world.js';
import { failed, good, type Key, refused } from './words.js';

/** Messages: a queue keeps them in order until a worker has a slot free; the worker with the fewest taken gets the oldest. */
export class Messages {
  /** What lies in queues, by who stands in line for it. */
  private readonly lying = new Map<Run, Attempt>();
  /** Among equals the one after the last in turn. */
  private turn = 0;

  constructor(private readonly world: World) {}

  /** Whoever leaves a message is done when it is sent. */
  publish(run: Run, link: CallerLink, request: string | null, key: Key): void {
    if (link.shared.effects.isCut) return void link.endedOnTheSpot(failed(link.callee, 'cut off'));
    const target = link.choose(key, run.row);
    if (!target) return void link.endedOnTheSpot(refused(link.callee, 'no healthy'));
    const message = new Attempt(link.shared, link, run.place, target, request, key, run.row, 'message');
    message.isAbandoned = true;
    target.coming++;
    link.sent(target);
    this.world.wire.send(message, Infinity);
  }

  /** It lies there; whoever left it has nothing more to do with it. */
  accept(run: Run, message: Attempt): void {
    const { target: queue } = message;
    message.link!.ended(queue, good);
    run.attempt = null;
    this.lying.set(run, message);
    queue.queueUp(run);
    run.undo = () => {
      queue.leaveLine(run);
      this.lying.delete(run);
    };
    this.world.door.comeIn(run, queue);
    if (this.world.door.checkMemory(queue)) return;
    const worker = this.freest(queue);
    if (worker) this.takeFor(worker);
  }

  /** As long as it has a slot free: the message that has lain longest in any instance of its queue. */
  takeFor(worker: Instance): void {
    const queues = this.world.instances.filter(({ name }) => name === worker.service.consumes);
    while (isFree(worker)) {
      const full = queues.filter((queue) => isOpen(queue) && queue.queue.length > 0);
      if (full.length === 0) return;
      this.deliver(full.reduce((oldest, queue) => (queue.queue[0].arrivedNs < oldest.queue[0].arrivedNs ? queue : oldest)), worker);
    }
  }

  /** At this instant, but not inside what happens now. */
  lookSoon(worker: Instance): void {
    if (worker.service.consumes !== undefined) this.world.agenda.soon(() => this.takeFor(worker));
  }

  /** Something can be reached again: a worker looks for messages, and so do those of a queue. */
  openedAgain(instance: Instance): void {
    if (instance.service.consumes !== undefined) this.takeFor(instance);
    for (const worker of this.workersOf(instance)) this.takeFor(worker);
  }

  private deliver(queue: Instance, worker: Instance): void {
    const { agenda, door } = this.world;
    const lain = queue.nextInLine()!;
    const message = this.lying.get(lain)!;
    this.lying.delete(lain);
    lain.isOver = true;
    door.goOut(lain, queue);
    const link = this.world.deliveriesOf(queue).find(({ callee }) => callee === worker.name)!;
    const delivery = new Attempt(link.shared, link, queue, worker, message.request, message.key, message.row, 'message');
    delivery.isAbandoned = true;
    delivery.sentNs = agenda.now;
    link.sent(worker);
    const run = door.visitOf(delivery);
    if (worker.takesTurns) run.isFresh = true;
    else door.takeSlot(run, worker);
    door.comeIn(run, worker);
    if (door.checkMemory(worker)) return;
    run.steps = door.handle(run, worker);
    run.grant();
  }

  private freest(queue: Instance): Instance | null {
    const workers = this.workersOf(queue);
    const inTurn = workers.map((_, i) => workers[(this.turn + i) % workers.length]).filter(isFree);
    if (inTurn.length === 0) return null;
    const best = inTurn.reduce((least, worker) => (taken(worker) < taken(least) ? worker : least));
    this.turn = workers.indexOf(best) + 1;
    return best;
  }

  private workersOf(queue: Instance): Instance[] {
    return this.world.instances.filter(({ service }) => service.consumes === queue.name);
  }
}

/** At an event loop also messages whose first turn has not come. */
const taken = (worker: Instance): number => worker.slots.value + (worker.takesTurns ? worker.fresh : 0);
const isFree = (worker: Instance): boolean => isOpen(worker) && taken(worker) < worker.service.slots.value;
const isOpen = ({ serves, effects }: Instance): boolean => serves && !effects.isFrozen && !effects.isBlackholed && !effects.isCut;
