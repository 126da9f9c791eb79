import type { Attempt } from './attempt.js';
import type { Job } from './cpu.js';
import type { Instance } from './instance.js';
import { Run, type Steps } from './run.js';
import type { World } from './world.js';
import { drawn, type End, failed, good, nsOf, refused } from './words.js';

/** Draw of whether a request is answered with an error while a fault makes errors. */
const errorSite = 0x0e550001;

/** Who is let into an instance, what it waits for there, and how it leaves (rules 6 to 18). */
export class Door {
  constructor(private readonly world: World) {}

  arrived(attempt: Attempt): void {
    const { target } = attempt;
    target.coming--;
    if (!hasCancelled(attempt)) this.atDoor(attempt);
    this.mayBeEmpty(target);
  }

  /** A drain ends early when nothing is left inside or on its way there. */
  mayBeEmpty(instance: Instance): void {
    if (instance.isIdle && instance.standing.length === 0) this.world.fleet.isEmpty(instance);
  }

  private atDoor(attempt: Attempt): void {
    const { target } = attempt;
    if (!target.standsStill) return this.admit(attempt);
    const goOn = (): void => {
      if (target.standsStill) return stand();
      if (!hasCancelled(attempt)) this.admit(attempt);
      this.mayBeEmpty(target);
    };
    const stand = (): void => void target.standing.push({ goOn: () => void this.world.agenda.soon(goOn) });
    stand();
  }

  /** Rule 6: dead? rate limit? free slot? room in the queue? else refused, in no time. */
  private admit(attempt: Attempt): void {
    const { wire } = this.world;
    const { target, key, kind } = attempt;
    const { name, effects } = target;
    if (!target.serves && target.isSilent) return wire.lose(attempt);
    if (!target.serves || effects.isCut) return wire.answer(attempt, failed(name, 'connection refused'));
    const run = this.visitOf(attempt);
    if (kind === 'probe' && attempt.shared.link.health!.path === 'dedicated') {
      run.isBesideSlots = true;
      this.comeIn(run, target);
      return run.start(this.handle(run, target));
    }
    if (effects.errors > 0 && drawn(key, errorSite, 0) < effects.errors) return wire.answer(attempt, failed(name, 'error'));
    const heldNs = kind === 'probe' ? 0 : target.takeToken();
    if (heldNs < 0) return wire.answer(attempt, refused(name, 'rate limit'));
    run.start(kind === 'message' ? this.leave(run, attempt, heldNs) : this.visit(run, target, heldNs));
  }

  visitOf(attempt: Attempt): Run {
    const { target, key, row, request, kind } = attempt;
    const run = new Run(this.world.agenda, target, key, row, request, null, attempt, (over, end) => this.finish(over, target, end));
    run.isProbe = kind === 'probe';
    run.isMessage = kind === 'message';
    attempt.visit = run;
    return run;
  }

  /** From the rate limit to the end of its handler. */
  private *visit(run: Run, instance: Instance, heldNs: number): Steps {
    if (heldNs > 0) {
      this.comeIn(run, instance);
      if (this.checkMemory(instance) || run.isOver) return good;
      yield* run.sleep(heldNs);
    }
    const isFree = instance.hasFreeSlot;
    const waiting = instance.takesTurns ? instance.fresh : instance.queue.length;
    if (!isFree && waiting >= instance.service.queue.limit.value) return refused(instance.name, 'queue full');
    const queues = !isFree && !instance.takesTurns;
    if (instance.takesTurns) run.isFresh = true;
    else if (isFree) this.takeSlot(run, instance);
    else this.queueUp(run, instance, nsOf(instance.service.queue.patience.value));
    if (!run.isInside) this.comeIn(run, instance);
    // Over the limit the kill comes before the newcomer runs, and it dies too (rule 12).
    if (this.checkMemory(instance) || run.isOver) return good;
    const end = queues ? yield : good;
    return end.how === 'good' ? yield* this.handle(run, instance) : end;
  }

  /** A message at a queue: held, perhaps, by the rate limit before it is taken over. */
  private *leave(run: Run, attempt: Attempt, heldNs: number): Steps {
    if (heldNs > 0) yield* run.sleep(heldNs);
    const { target } = attempt;
    if (!target.serves) return failed(target.name, 'connection refused');
    if (target.queue.length >= target.service.queue.limit.value) return refused(target.name, 'queue full');
    this.world.messages.accept(run, attempt);
    return yield;
  }

  /** What the service does with a request: its handler, or `any`, or it passes it on to its one callee. */
  *handle(run: Run, { service, links }: Instance): Steps {
    if (run.request === null) return good;
    const steps = (Object.hasOwn(service.handlers, run.request) ? service.handlers[run.request] : undefined) ?? service.handlers['any'];
    if (steps) return yield* this.world.interpreter.list(run, steps);
    if (Object.keys(service.handlers).length > 0 || links.size !== 1) return failed(service.name, 'no handler');
    return yield* this.world.forward(run, [...links.values()][0]);
  }

  /** Computing; at an event loop only in a turn of its own (rule 8). A user's own work costs the system nothing. */
  *compute(run: Run, demandNs: number): Steps {
    const { instance } = run.place;
    if (demandNs === 0) return good;
    if (!instance) return yield* run.sleep(demandNs);
    if (!instance.takesTurns || run.isBesideSlots) this.begin(run, instance, demandNs);
    else if (instance.hasFreeSlot) {
      instance.slots.set(instance.slots.value + 1);
      this.beginTurn(run, instance, demandNs);
    } else {
      run.turn = () => this.beginTurn(run, instance, demandNs);
      this.queueUp(run, instance, run.isFresh ? nsOf(instance.service.queue.patience.value) : Infinity);
      const end = yield;
      return end;
    }
    return yield;
  }

  private beginTurn(run: Run, instance: Instance, demandNs: number): void {
    let request = run;
    while (request.trunk) request = request.trunk;
    request.isFresh = false;
    run.holdsSlot = true;
    this.begin(run, instance, demandNs);
  }

  private begin(run: Run, instance: Instance, demandNs: number): void {
    const job: Job = instance.container.begin(demandNs, () => {
      this.endTurn(run, instance);
      if (instance.takesTurns) this.world.messages.lookSoon(instance);
      run.goOn(good);
    });
    run.undo = () => {
      instance.container.stop(job);
      this.endTurn(run, instance);
    };
  }

  /** The next in line has the turn at once. */
  private endTurn(run: Run, instance: Instance): void {
    if (!run.holdsSlot || !instance.takesTurns) return;
    run.holdsSlot = false;
    const next = instance.nextInLine();
    if (!next) return instance.slots.set(instance.slots.value - 1);
    this.world.agenda.cancel(next.timer);
    next.timer = null;
    next.turn!();
  }

  takeSlot(run: Run, instance: Instance): void {
    run.holdsSlot = true;
    instance.slots.set(instance.slots.value + 1);
  }

  /** First come first served; patience is for the first slot only (rule 9). */
  private queueUp(run: Run, instance: Instance, patienceNs: number): void {
    instance.queueUp(run);
    run.undo = () => instance.leaveLine(run);
    run.wakeAfter(patienceNs, () => {
      instance.leaveLine(run);
      run.undo = null;
      // Whatever it was in the middle of: it is refused.
      this.finish(run, instance, refused(instance.name, 'patience'));
    });
  }

  comeIn(run: Run, instance: Instance): void {
    run.isInside = true;
    run.arrivedNs = this.world.agenda.now;
    instance.inside.push(run);
  }

  /** The run has ended: it leaves, is answered, and its slot goes to who has waited longest (rule 12: what it leaked may be too much then). */
  private finish(run: Run, instance: Instance, end: End): void {
    run.isOver = true;
    this.world.holdings.releaseAll(run);
    if (!run.isInside) return this.world.wire.answer(run.attempt!, end);
    const { holdsSlot } = run;
    this.goOut(run, instance);
    if (run.attempt) this.world.wire.answer(run.attempt, end);
    if (this.checkMemory(instance)) return;
    this.left(instance, holdsSlot);
  }

  /** Whoever asked has said that it gave up: the work stops, and nothing is answered. */
  cancel(run: Run): void {
    const instance = run.place.instance!;
    run.isOver = true;
    run.leave(failed(instance.name, 'killed'));
    this.world.holdings.releaseAll(run);
    const { holdsSlot } = run;
    this.goOut(run, instance);
    this.left(instance, holdsSlot);
  }

  goOut(run: Run, instance: Instance): void {
    run.isInside = false;
    run.holdsSlot = false;
    run.isFresh = false;
    instance.inside.splice(instance.inside.indexOf(run), 1);
    if (!run.isBesideSlots) instance.leakedBytes += instance.service.memory.leakPerRequest.value;
  }

  private left(instance: Instance, heldSlot: boolean): void {
    if (heldSlot) this.handOnSlot(instance);
    else if (instance.takesTurns) this.world.messages.takeFor(instance);
    this.mayBeEmpty(instance);
  }

  /** It is theirs at this instant, and no newcomer slips in between. */
  private handOnSlot(instance: Instance): void {
    const next = instance.nextInLine();
    if (!next) {
      instance.slots.set(instance.slots.value - 1);
      return this.world.messages.takeFor(instance);
    }
    next.holdsSlot = true;
    next.undo = null;
    next.grant();
  }

  /** True: the instance has died of it (rules 12 and 14). */
  checkMemory(instance: Instance): boolean {
    const { fleet } = this.world;
    if (instance.memoryBytes > instance.service.memory.limit.value) {
      fleet.die(instance);
      return true;
    }
    const { host } = instance;
    const sum = (): number => host!.guests.reduce((bytes, { memoryBytes }) => bytes + memoryBytes, 0);
    while (host && sum() > host.memoryBytes) {
      const alive = host.guests.filter(({ serves }) => serves);
      if (alive.length === 0) break;
      fleet.die(alive.reduce((largest, guest) => (guest.memoryBytes > largest.memoryBytes ? guest : largest)));
    }
    return !instance.serves;
  }

  /** The process dies: everything inside ends `killed`, the newest first; what it had asked for is abandoned; what it held goes back (rules 15 and 16). */
  kill(instance: Instance): void {
    const killed = failed(instance.name, 'killed');
    this.world.holdings.processDied(instance);
    for (const run of [...instance.inside].reverse()) {
      if (run.isOver) continue;
      run.isOver = true;
      run.leave(killed);
      this.world.holdings.releaseAll(run);
      this.goOut(run, instance);
      if (run.attempt) this.world.wire.answer(run.attempt, killed);
    }
    // Who stood frozen before the door finds it shut.
    for (const { goOn } of instance.standing.splice(0)) goOn();
    this.world.handshakes.calleeDied(instance);
    for (const link of instance.links.values()) link.reset();
    this.world.asking.processDied(instance);
    for (const link of this.world.deliveriesOf(instance)) link.reset();
    instance.slots.set(0);
  }

  /** A freeze is over: what stood still goes on, in order; first of all it hears of those that have given up. */
  thawed(instance: Instance): void {
    for (const run of [...instance.inside].reverse()) {
      if (!run.isOver && run.attempt?.kind === 'call' && run.attempt.isAbandoned && run.attempt.shared.link.cancel) this.cancel(run);
    }
    for (const { goOn } of instance.standing.splice(0)) goOn();
    this.world.messages.openedAgain(instance);
  }
}

/** Its caller has told that it gave up. */
const hasCancelled = ({ isAbandoned, kind, shared }: Attempt): boolean => isAbandoned && kind !== 'message' && shared.link.cancel;
