import type { Attempt } from './attempt.js';
import type { Instance } from './instance.js';
import type { Run } from './run.js';
import type { World } from './world.js';
import { drawnNs, type End } from './words.js';

/** Opening a connection that costs something: time, then CPU of the caller, then CPU of the callee outside its slots (rule 23). */
export class Handshakes {
  private readonly going: Attempt[] = [];

  constructor(private readonly world: World) {}

  greet(run: Run, attempt: Attempt): End | null {
    const { handshake } = attempt.link!.pool!.plan;
    const greeting = { timer: null as ReturnType<World['agenda']['soon']> | null, job: null, container: null };
    attempt.greeting = greeting;
    this.going.push(attempt);
    run.undo = () => this.stop(attempt);
    run.isConnecting = true;
    const timeNs = Math.round(drawnNs(handshake.time, `${attempt.shared.link.path}.pool.handshake.time`, attempt.key, 0));
    if (timeNs === 0) this.callerComputes(run, attempt);
    else greeting.timer = this.world.agenda.after(timeNs, () => run.whenMoving('due', () => this.callerComputes(run, attempt)));
    return null;
  }

  private callerComputes(run: Run, attempt: Attempt): void {
    const work = this.workOf(attempt, 'callerCpu');
    attempt.greeting!.timer = null;
    if (work > 0 && run.place.instance) this.compute(attempt, run.place.instance, work, () => run.whenMoving('due', () => this.calleeComputes(run, attempt)));
    else this.calleeComputes(run, attempt);
  }

  private calleeComputes(run: Run, attempt: Attempt): void {
    const work = this.workOf(attempt, 'calleeCpu');
    const done = (): void => run.whenMoving('due', () => this.done(run, attempt));
    if (work > 0 && attempt.target.serves) this.compute(attempt, attempt.target, work, done);
    else this.done(run, attempt);
  }

  private compute(attempt: Attempt, { container }: Instance, workNs: number, done: () => void): void {
    const greeting = attempt.greeting!;
    greeting.container = container;
    greeting.job = container.begin(workNs, () => {
      greeting.container = null;
      greeting.job = null;
      done();
    });
  }

  private done(run: Run, attempt: Attempt): void {
    this.over(run, attempt);
    if (!attempt.question!.opened || !attempt.target.serves) return this.world.asking.sendOff(attempt);
    attempt.target.coming--;
    this.isOpen(attempt);
    this.world.door.mayBeEmpty(attempt.target);
  }

  /** A transaction has its connection; it goes on at this instant. */
  isOpen({ caller, question, target, connection }: Attempt): void {
    question!.opened!(target, connection);
    caller!.undo = null;
    caller!.grant();
  }

  /** A process that dies ends the handshakes that it computes for as a callee: they go on, and find its door shut. */
  calleeDied({ container }: Instance): void {
    const dropped = this.going.filter(({ greeting, target }) => greeting!.container === container && target.container === container);
    container.clear();
    for (const attempt of dropped) attempt.caller!.whenMoving('due', () => this.done(attempt.caller!, attempt));
  }

  private stop(attempt: Attempt): void {
    const { timer, job, container } = attempt.greeting!;
    this.world.agenda.cancel(timer);
    if (job) container!.stop(job);
    this.over(attempt.caller!, attempt);
    attempt.target.coming--;
    this.world.asking.free(attempt.link!, attempt.connection, true);
    this.world.door.mayBeEmpty(attempt.target);
  }

  private over(run: Run, attempt: Attempt): void {
    this.going.splice(this.going.indexOf(attempt), 1);
    attempt.greeting = null;
    run.isConnecting = false;
  }

  private workOf({ shared: { link }, key }: Attempt, part: 'callerCpu' | 'calleeCpu'): number {
    return Math.round(drawnNs(link.pool!.handshake[part], `${link.path}.pool.handshake.${part}`, key, 0));
  }
}
