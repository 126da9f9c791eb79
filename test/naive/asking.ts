import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { Retries } from '../../src/scenario/model.js';
import { Attempt, type Question } from './attempt.js';
import { Budget } from './budget.js';
import type { Transaction } from './holdings.js';
import type { Instance, Place } from './instance.js';
import type { CallerLink } from './link.js';
import type { Connection } from './pool.js';
import type { Run, Steps } from './run.js';
import type { World } from './world.js';
import { drawn, type End, failed, good, keyUnder, nsOf, refused } from './words.js';

/** Tries after the first have draws of their own. */
const anotherTry = 0x9e3779b1;

/** Asking over a link: the tries of a call, each with connection, target, handshake, timeout and answer (rules 19 to 28). */
export class Asking {
  private readonly budgets = new Map<Place, Map<string, Budget>>();

  constructor(private readonly world: World) {}

  /** A call with everything that may happen to it, to its end. */
  *ask(run: Run, link: CallerLink, request: string | null, site: number, occurrence: number, over: Transaction | null, ownRetries: Retries | null, ownSite: string): Steps {
    const { agenda } = this.world;
    const { deadline, retries, path } = link.shared.link;
    const question: Question = { link, request, over, tries: 0, keyOf: (tries) => keyUnder(run.key, site + Math.imul(tries, anotherTry), occurrence) };
    const clock = { isOver: false };
    if (deadline.value !== Infinity) run.deadline = agenda.after(nsOf(deadline.value), () => this.deadlinePassed(run, link, clock));
    link.budget.began();
    const ownBudget = this.budgetOf(run.place, ownSite);
    ownBudget.began();
    let linkTries = 0;
    let stepTries = 0;
    for (;;) {
      const end = this.attempt(run, question) ?? (yield);
      const lastWord = end.how === 'good' || clock.isOver || over?.isBroken;
      if (!lastWord && end.how !== 'declined' && linkTries < retries.max.value && covers(retries, end) && link.budget.mayRetry(retries.budget.value)) {
        question.tries++;
        this.takeAnotherRow(run, retries, question.tries);
        yield* this.backOff(run, retries, `${path}.retries`, ++linkTries, question.tries);
      } else if (!lastWord && ownRetries && stepTries < ownRetries.max.value && covers(ownRetries, end) && ownBudget.mayRetry(ownRetries.budget.value)) {
        linkTries = 0;
        question.tries++;
        this.takeAnotherRow(run, ownRetries, question.tries);
        yield* this.backOff(run, ownRetries, ownSite, ++stepTries, question.tries);
      } else {
        agenda.cancel(run.deadline);
        run.deadline = null;
        return end;
      }
      // A deadline ends the pause, too.
      if (clock.isOver) return failed(link.callee, 'deadline');
    }
  }

  /** With `key: fresh` what comes next is about another row. */
  takeAnotherRow(run: Run, { key }: Retries, tries: number): void {
    if (key === 'fresh') run.row = run.place.anotherRow?.(run.key, tries) ?? this.world.nextFreshRow++;
  }

  /** What one step may try again, in one process. */
  budgetOf(place: Place, step: string): Budget {
    const ofPlace = this.budgets.get(place) ?? new Map<string, Budget>();
    const budget = ofPlace.get(step) ?? new Budget(this.world.agenda);
    this.budgets.set(place, ofPlace.set(step, budget));
    return budget;
  }

  /** Nobody knows any more what has been tried. */
  processDied(instance: Instance): void {
    for (const budget of this.budgets.get(instance)?.values() ?? []) budget.reset();
  }

  /** Pauses: backoff × factor^(n − 1), at most `cap`, with jitter. No pause is until what is due now has come. */
  *backOff(run: Run, { backoff, factor, cap, jitter }: Retries, site: string, number: number, tries: number): Steps {
    let pauseNs = nsOf(backoff.value);
    for (let i = 1; i < number && pauseNs < nsOf(cap.value); i++) pauseNs *= factor.value;
    pauseNs = Math.min(pauseNs, nsOf(cap.value));
    if (jitter !== 'none') {
      const random = drawn(run.key, siteOf(site), tries);
      pauseNs *= jitter === 'full' ? random : (1 + random) / 2;
    }
    const ns = Math.round(pauseNs);
    if (ns > 0) return yield* run.sleep(ns);
    run.grant();
    return yield;
  }

  /** One attempt begins. An end: it is over on the spot; null: its end will come. */
  private attempt(run: Run, question: Question): End | null {
    const { link, over } = question;
    if (link.breaker && !link.breaker.allows()) return link.endedOnTheSpot(refused(link.callee, 'breaker open'));
    if (link.shared.effects.isCut) {
      if (over) this.world.holdings.lose(over);
      return link.endedOnTheSpot(failed(link.callee, 'cut off'));
    }
    if (over?.isBroken) return link.endedOnTheSpot(failed(link.callee, 'killed'));
    if (over) return this.send(run, question, over.target!, null);
    return this.connect(run, question);
  }

  /** A connection to a target: out of the pool, or without one (rule 21). */
  connect(run: Run, question: Question): End | null {
    const { link } = question;
    const { pool } = link;
    if (!pool) {
      const target = link.choose(question.keyOf(question.tries), run.row);
      return target ? this.use(run, question, target, null) : link.endedOnTheSpot(refused(link.callee, 'no healthy'));
    }
    if (pool.hasRoom) return this.useConnection(run, question);
    if (pool.line.length >= pool.plan.pending.value) return link.endedOnTheSpot(refused(link.callee, 'pool full'));
    const inLine = { run, take: (): void => this.granted(run, question) };
    pool.line.push(inLine);
    run.isConnecting = true;
    run.undo = () => void (pool.line = pool.line.filter((other) => other !== inLine));
    run.wakeAfter(nsOf(pool.plan.wait.value), () => {
      pool.line = pool.line.filter((other) => other !== inLine);
      run.goOn(link.endedOnTheSpot(refused(link.callee, 'pool wait')));
    });
    return null;
  }

  private useConnection(run: Run, question: Question): End | null {
    const { link } = question;
    const target = link.choose(question.keyOf(question.tries), run.row);
    if (!target) {
      this.passOn(link);
      return link.endedOnTheSpot(refused(link.callee, 'no healthy'));
    }
    const { connection, isNew } = link.pool!.take(target);
    const { time, callerCpu, calleeCpu } = link.pool!.plan.handshake;
    const isGreeted = isNew && target.serves && time.value + callerCpu.value + calleeCpu.value > 0;
    return isGreeted ? this.world.handshakes.greet(run, this.made(run, question, target, connection)) : this.use(run, question, target, connection);
  }

  /** Sends the request; a transaction that wants nothing but the connection has it, unless nobody is at the other end. */
  private use(run: Run, question: Question, target: Instance, connection: Connection | null): End | null {
    if (!question.opened || !target.serves) return this.send(run, question, target, connection);
    question.opened(target, connection);
    return good;
  }

  private send(run: Run, question: Question, target: Instance, connection: Connection | null): null {
    this.sendOff(this.made(run, question, target, connection));
    return null;
  }

  sendOff(attempt: Attempt): void {
    const { link, caller } = attempt;
    link!.sent(attempt.target);
    caller!.undo = (why) => this.abandon(attempt, why);
    this.world.wire.send(attempt, nsOf(link!.shared.link.timeout.value));
  }

  private made(run: Run, question: Question, target: Instance, connection: Connection | null): Attempt {
    const attempt = new Attempt(question.link.shared, question.link, run.place, target, question.request, question.keyOf(question.tries), run.row, 'call', question);
    attempt.caller = run;
    attempt.connection = connection;
    target.coming++;
    return attempt;
  }

  /** A place in the pool is free: it belongs at this instant to who has waited longest. */
  passOn({ pool }: CallerLink): void {
    if (!pool?.hasRoom) return;
    const next = pool.line.shift();
    if (!next) return;
    pool.promised++;
    next.take();
  }

  private granted(run: Run, question: Question): void {
    const { link } = question;
    run.undo = () => {
      link.pool!.promised--;
      this.passOn(link);
    };
    run.grant(() => {
      link.pool!.promised--;
      run.undo = null;
      run.isConnecting = false;
      const end = this.useConnection(run, question);
      if (end) run.goOn(end);
    });
  }

  free(link: CallerLink, connection: Connection | null, isBroken: boolean): void {
    if (!connection) return;
    link.pool!.free(connection, isBroken);
    this.passOn(link);
  }

  /** The answer is at the caller. */
  answered(attempt: Attempt): void {
    const { caller, end, link, target, question } = attempt;
    if (attempt.kind === 'message') return link!.ended(target, end);
    if (attempt.isAbandoned) return;
    this.world.agenda.cancel(attempt.timeout);
    attempt.timeout = null;
    if (attempt.kind === 'probe') return this.world.probeEnded(attempt, end);
    if (caller!.standsStill) {
      attempt.isLost = true; // nothing more will come
      if (!caller!.hasSeen('due') && !caller!.hasSeen('late')) caller!.whenMoving('told', () => this.answered(attempt));
      return;
    }
    if (end.how === 'good' && question!.opened) {
      link!.ended(target, end);
      return this.world.handshakes.isOpen(attempt);
    }
    this.close(attempt, end, !target.serves);
    caller!.goOn(end);
  }

  /** The caller gives up; what it sent goes on and is served for nobody (rules 10 and 19). */
  timedOut(attempt: Attempt): void {
    const { caller, link, target } = attempt;
    attempt.timeout = null;
    const callee = attempt.shared.link.callee;
    if (attempt.kind === 'probe') {
      this.letGo(attempt);
      return this.world.probeEnded(attempt, failed(callee, 'timeout'));
    }
    if (caller!.standsStill) return caller!.whenMoving('due', () => this.timedOut(attempt));
    const isConnecting = this.world.agenda.now - attempt.sentNs < nsOf(link!.shared.link.timeout.value);
    const end = failed(isConnecting ? target.name : callee, isConnecting ? 'connect timeout' : 'timeout');
    this.close(attempt, end, true);
    this.letGo(attempt);
    caller!.goOn(end);
  }

  /** Covers everything, pool wait and retries too (rule 20). Without a target yet, the attempt ends on the spot. */
  private deadlinePassed(run: Run, link: CallerLink, clock: { isOver: boolean }): void {
    run.deadline = null;
    clock.isOver = true;
    run.whenMoving('late', () => {
      const end = failed(link.callee, 'deadline');
      const { isConnecting } = run;
      run.leave(end);
      if (isConnecting) link.endedOnTheSpot(end);
      run.goOn(end);
    });
  }

  /** Nobody waits for the attempt any more: it is failed on the link, and goes on as work for nobody. */
  private abandon(attempt: Attempt, why: End): void {
    this.world.agenda.cancel(attempt.timeout);
    attempt.timeout = null;
    this.close(attempt, why, true);
    this.letGo(attempt);
  }

  private letGo(attempt: Attempt): void {
    attempt.isAbandoned = true;
    if (!attempt.isLost && attempt.visit?.isInside && attempt.shared.link.cancel && !attempt.visit.standsStill) this.world.door.cancel(attempt.visit);
  }

  /** The attempt has its end at its caller; a connection that broke is never used again, and a transaction over it is lost. */
  private close(attempt: Attempt, end: End, isBroken: boolean): void {
    attempt.link!.ended(attempt.target, end);
    this.free(attempt.link!, attempt.connection, isBroken);
    if (isBroken && attempt.question!.over) this.world.holdings.lose(attempt.question!.over);
  }
}

/** Whether a policy tries such an end again, by class or reason. */
export const covers = ({ when }: Retries, { how, why }: End): boolean => when.includes(how) || when.includes(why.slice(why.indexOf(': ') + 2));
