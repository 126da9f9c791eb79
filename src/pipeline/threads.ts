import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import type { Executor, JobEars } from './executor.js';
import { kindOf, type DoerEars, type Job, type ResultOf } from './job.js';
import { Thread } from './thread.js';

/** A thread that is lost takes its job along once; the next one gets it. */
const mostLosses = 2;

/** Jobs in worker threads, at most so many at the same time; threads are started when they are needed and kept for the next job. */
export class Threads implements Executor {
  readonly #all = new Set<Thread>();
  #idle: Thread[] = [];
  #isClosed = false;

  constructor(
    private readonly most: number,
    private readonly host: Host,
    private readonly signal: AbortSignal,
    private readonly program: URL,
  ) {}

  async runJobs<J extends Job>(jobs: readonly (() => J)[], { onProgress, onNotice }: JobEars): Promise<readonly ResultOf<J>[]> {
    const results: ResultOf<J>[] = [];
    const shares = jobs.map(() => 0);
    const round: Round = { busy: new Set(), isOver: false };
    const tell = (index: number, share: number): void => {
      if (round.isOver) return;
      shares[index] = Math.max(shares[index], share);
      onProgress(shares);
    };
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < jobs.length && !round.isOver) {
        const index = next++;
        results[index] = await this.#one(jobs[index](), { onNotice, onProgress: (share) => tell(index, share) }, round);
        tell(index, 1);
      }
    };
    // One listener for all threads: an interrupt ends them, and what they were asked ends with that.
    const onAbort = (): void => void this.close();
    this.signal.addEventListener('abort', onAbort);
    const workers = Array.from({ length: Math.min(this.most, jobs.length) }, () =>
      work().catch(async (error: unknown) => {
        await this.#giveUp(round);
        throw error;
      }),
    );
    try {
      await Promise.all(workers);
    } catch (error) {
      // The first says why; the others say that they were given up.
      await Promise.allSettled(workers);
      if (this.signal.aborted) await this.close();
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
    return results;
  }

  /** A thread that ends now is not lost: nobody starts another one for its job. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  async #giveUp(round: Round): Promise<void> {
    round.isOver = true;
    await Promise.all([...round.busy].map((thread) => thread.end()));
  }

  async #one<J extends Job>(job: J, ears: Omit<DoerEars, 'signal'>, round: Round): Promise<ResultOf<J>> {
    const { what, hint } = kindOf(job);
    for (let losses = 0; ; ) {
      const thread = await this.#threadFor(job, round);
      round.busy.add(thread);
      const result = await thread.ask(job, ears).finally(() => {
        round.busy.delete(thread);
        if (!thread.isGone) this.#idle.push(thread);
      });
      if (result !== 'lost') return result;
      this.#refuse(round);
      losses++;
      if (losses === mostLosses) throw new FaultreelError(exitCodes.internal, { message: `a thread ended while it ${what(job)}`, hint });
      ears.onNotice(`A thread ended while it ${what(job)}; another one does it again.`);
    }
  }

  async #threadFor(job: Job, round: Round): Promise<Thread> {
    this.#refuse(round);
    this.#idle = this.#idle.filter((thread) => !thread.isGone);
    const found = this.#idle.find((thread) => thread.canDo(job));
    if (found) {
      this.#idle.splice(this.#idle.indexOf(found), 1);
      return found;
    }
    const thread = await Thread.start(this.program, this.host, job);
    this.#all.add(thread);
    void thread.gone.then(() => this.#all.delete(thread));
    // It may be all over since: then this one does not begin either.
    if (this.#isClosed || round.isOver) await thread.end();
    this.#refuse(round);
    return thread;
  }

  #refuse(round: Round): void {
    this.signal.throwIfAborted();
    if (this.#isClosed || round.isOver) throw new Error('the jobs were given up');
  }
}

/** What belongs to one call. */
interface Round {
  readonly busy: Set<Thread>;
  isOver: boolean;
}
