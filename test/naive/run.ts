import type { Agenda, Due } from './agenda.js';
import type { Attempt } from './attempt.js';
import type { Holding } from './holdings.js';
import type { Place } from './instance.js';
import { good, type End, type Key } from './words.js';

/** Steps as they run. Where one waits it yields, after it has said who will wake it; it goes on with the end of what it waited for. */
export type Steps = Generator<undefined, End, End>;

/** What a process that stood still finds when it goes on: an answer before a deadline, that before a timer, that before what it was given (freeze). */
const seenFirst = ['told', 'late', 'due', 'given'] as const;
type Seen = (typeof seenFirst)[number];

/** A request at its source, one inside an instance, or a branch of one of these: steps, and what they wait for. */
export class Run {
  steps!: Steps;
  isOver = false;
  /** Takes it out of what it waits for, for a reason; null: that is nothing that would have to be undone. */
  undo: ((why: End) => void) | null = null;
  /** In line for a turn of an event loop: begins it. */
  turn: (() => void) | null = null;
  /** Timer of what it waits for, or the instant at which it goes on. */
  timer: Due | null = null;
  deadline: Due | null = null;
  /** Locks and transactions, oldest first. */
  readonly held: Holding[] = [];
  /** In the line for a connection, or opening one. */
  isConnecting = false;
  isInside = false;
  holdsSlot = false;
  /** Its first turn of the event loop has not begun. */
  isFresh = false;
  /** A probe on a path of its own: neither slot nor queue nor memory (rule 32). */
  isBesideSlots = false;
  isProbe = false;
  isMessage = false;
  arrivedNs = 0;
  private readonly seen = new Map<Seen, () => void>();
  private standing: { goOn: () => void } | null = null;
  /** Its process goes on at this instant, and it does in a moment. */
  private waking: Due | null = null;

  constructor(
    private readonly agenda: Agenda,
    readonly place: Place,
    readonly key: Key,
    /** What it is about; −1: something of its own. */
    public row: number,
    readonly request: string | null,
    /** The run that it is a branch of. */
    readonly trunk: Run | null,
    /** The attempt whose end is its own. */
    public attempt: Attempt | null,
    private readonly over: (run: Run, end: End) => void,
  ) {}

  start(steps: Steps): void {
    this.steps = steps;
    this.goOn(good);
  }

  /** What it waited for has ended. One that stands still goes on when its process does. */
  goOn(end: End): void {
    this.undo = null;
    this.isConnecting = false;
    this.whenMoving('given', () => {
      const { done, value } = this.steps.next(end);
      if (!this.isOver && done) this.over(this, value);
    });
  }

  /** For so long. */
  *sleep(ns: number): Steps {
    this.wakeAfter(ns, () => this.goOn(good));
    return yield;
  }

  wakeAfter(ns: number, wake: () => void): void {
    if (ns === Infinity) return;
    this.timer = this.agenda.after(ns, () => {
      this.timer = null;
      this.whenMoving('due', wake);
    });
  }

  /** It has what it waited for, and goes on at this instant, after what is due now. */
  grant(wake = (): void => this.goOn(good)): void {
    this.agenda.cancel(this.timer);
    this.seen.delete('due');
    if (this.waking) return void this.seen.set('given', wake);
    this.timer = this.agenda.soon(() => {
      this.timer = null;
      this.whenMoving('given', wake);
    });
  }

  get standsStill(): boolean {
    return this.place.instance?.standsStill ?? false;
  }

  whenMoving(what: Seen, act: () => void): void {
    if (!this.standsStill) return act();
    this.seen.set(what, act);
    this.stand();
  }

  /** Whether it has seen this, and stands still. */
  hasSeen(what: Seen): boolean {
    return this.seen.has(what);
  }

  /** Out of what it is in. */
  leave(why: End): void {
    this.agenda.cancel(this.timer);
    this.timer = null;
    this.agenda.cancel(this.deadline);
    this.deadline = null;
    this.agenda.cancel(this.waking);
    this.waking = null;
    this.seen.clear();
    const standing = this.place.instance?.standing;
    if (standing && this.standing) standing.splice(standing.indexOf(this.standing), 1);
    this.standing = null;
    const { undo } = this;
    this.undo = null;
    this.isConnecting = false;
    undo?.(why);
  }

  private stand(): void {
    if (this.standing) return;
    this.standing = {
      goOn: () => {
        this.standing = null;
        this.waking = this.agenda.soon(() => {
          this.waking = null;
          if (this.standsStill) return this.stand();
          const act = seenFirst.map((what) => this.seen.get(what)).find((found) => found !== undefined);
          this.seen.clear();
          act?.();
        });
      },
    };
    this.place.instance!.standing.push(this.standing);
  }
}
