import type { Agenda, Due } from './agenda.js';
import { without } from './words.js';

/** Work that is left, ns of one core, and what follows it. */
export interface Job {
  leftNs: number;
  readonly done: () => void;
}

/**
 * Processor sharing in one container (rule 1), by the book: at each change everybody's remaining work is written down, what the container has is shared
 * equally, and the job with the least left says when something happens next.
 */
export class Container {
  readonly jobs: Job[] = [];
  /** Cores that it has now. */
  cores = 0;
  isFrozen = false;
  stolen = 0;
  /** Core-nanoseconds used up to the last change. */
  private usedNs = 0;
  private sinceNs = 0;
  private timer: Due | null = null;
  private isHandingOver = false;

  constructor(private readonly agenda: Agenda, private readonly capCores: number, readonly weight: number, private readonly machine: CoresOfOne) {
    machine.containers.push(this);
  }

  begin(leftNs: number, done: () => void): Job {
    this.writeDown();
    const job = { leftNs, done };
    this.jobs.push(job);
    this.changed();
    return job;
  }

  stop(job: Job): void {
    this.writeDown();
    without(this.jobs, job);
    this.changed();
  }

  /** The process is gone. */
  clear(): void {
    this.writeDown();
    this.jobs.length = 0;
    this.changed();
  }

  freeze(isFrozen: boolean): void {
    this.writeDown();
    this.isFrozen = isFrozen;
    this.changed();
  }

  steal(share: number): void {
    this.writeDown();
    this.stolen = share;
    this.changed();
  }

  /** Core-nanoseconds used up to now. */
  get usedNsNow(): number {
    return this.usedNs + this.cores * (this.agenda.now - this.sinceNs);
  }

  /** Cores that it would use if it had the machine to itself: one a job, not above the cap; a thief takes a share of both (rule 4). */
  get wanted(): number {
    if (this.isFrozen) return 0;
    const cap = Math.min(this.capCores, this.machine.cores);
    return Math.min(this.jobs.length, cap) * (1 - this.stolen);
  }

  /** It has so many cores from now on. */
  give(cores: number): void {
    this.writeDown();
    this.cores = cores;
  }

  schedule(): void {
    if (this.isHandingOver) return;
    this.agenda.cancel(this.timer);
    this.timer = null;
    if (this.jobs.length === 0 || this.cores === 0) return;
    // An end is rounded to the nearest nanosecond.
    this.timer = this.agenda.after(Math.max(0, Math.ceil(this.timeOf(this.least()) - 0.5)), () => this.due());
  }

  private due(): void {
    this.timer = null;
    this.writeDown();
    const perNs = this.jobs.length / this.cores;
    this.isHandingOver = true;
    while (this.jobs.length > 0 && this.least().leftNs * perNs <= 0.5) {
      const job = this.least();
      without(this.jobs, job);
      this.machine.share(this);
      job.done();
    }
    this.isHandingOver = false;
    this.changed();
  }

  /** Among equals the one that began first. */
  private least(): Job {
    return this.jobs.reduce((least, job) => (job.leftNs < least.leftNs ? job : least));
  }

  /** How long a job takes from here, ns. */
  private timeOf({ leftNs }: Job): number {
    return leftNs * (this.jobs.length / this.cores);
  }

  private writeDown(): void {
    const passedNs = this.agenda.now - this.sinceNs;
    this.sinceNs = this.agenda.now;
    if (passedNs === 0) return;
    this.usedNs += this.cores * passedNs;
    for (const job of this.jobs) job.leftNs -= (this.cores / this.jobs.length) * passedNs;
  }

  private changed(): void {
    this.machine.share(this);
    this.schedule();
  }
}

/** The cores that some containers share, or one has alone: max-min fair by weight (rule 1). */
export class CoresOfOne {
  readonly containers: Container[] = [];

  constructor(readonly cores: number) {}

  /**
   * Water filling: whoever wants no more than its part of what is left is served; the others divide what remains by weight. Those that get more or less than
   * before look anew at what is due, in the order in which they joined; the one that has changed does so itself, last.
   */
  share(changed: Container): void {
    const parts = this.parts();
    for (const container of this.containers) {
      const cores = parts.get(container)!;
      if (cores === container.cores) continue;
      container.give(cores);
      if (container !== changed) container.schedule();
    }
  }

  private parts(): Map<Container, number> {
    const parts = new Map<Container, number>();
    let thirsty = [...this.containers];
    let left = this.cores;
    for (;;) {
      const perWeight = left / thirsty.reduce((sum, container) => sum + this.weightOf(container), 0);
      const served = thirsty.filter((container) => left === Infinity || container.wanted <= this.weightOf(container) * perWeight);
      for (const container of served) parts.set(container, container.wanted);
      if (served.length === 0) for (const container of thirsty) parts.set(container, this.weightOf(container) * perWeight);
      thirsty = thirsty.filter((container) => !parts.has(container));
      if (thirsty.length === 0) return parts;
      left -= served.reduce((sum, container) => sum + container.wanted, 0);
    }
  }

  /** One without a request weighs as much as all cores. */
  private weightOf({ weight }: Container): number {
    return weight === Infinity ? this.cores : weight;
  }
}
