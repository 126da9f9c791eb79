import { Worker } from 'node:worker_threads';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import { doing, type Job, type JobResult } from './job.js';
import type { FromWorker } from './job-worker.js';

/** Who does jobs; what they come to is the same whoever does them. Another executor can take its place. */
export interface Crew {
  /**
   * Results in the order of the jobs. A job is made when somebody is free to do it.
   * @param onProgress jobs done so far, parts of them included
   * @throws what a job throws, with the other jobs given up; the abort reason when the user interrupts
   */
  run(jobs: readonly (() => Job)[], onProgress: (done: number) => void): Promise<readonly JobResult[]>;
  close(): Promise<void>;
}

export interface CrewOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** One works in this thread, more in threads of their own. */
  readonly threads: number;
  /** The program of a thread. */
  readonly program?: URL;
}

export const openCrew = ({ host, signal, threads, program = new URL('./job-worker.js', import.meta.url) }: CrewOptions): Crew => (threads <= 1 ? alone(host, signal) : new Threads(threads, signal, program));

/** In this thread, one job after the other. */
const alone = (host: Host, signal: AbortSignal): Crew => ({
  async run(jobs, onProgress) {
    const results: JobResult[] = [];
    for (const job of jobs) {
      const slices = doing(job());
      for (let slice = slices.next(); ; slice = slices.next()) {
        if (slice.done) {
          results.push(slice.value);
          break;
        }
        await host.breathe();
        signal.throwIfAborted();
        onProgress(results.length + slice.value);
      }
      await host.breathe();
      signal.throwIfAborted();
      onProgress(results.length);
    }
    return results;
  },
  close: () => Promise.resolve(),
});

/** A thread that is lost takes its job along once; the next one gets it. */
const mostLosses = 2;

class Threads implements Crew {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isClosed = false;

  constructor(
    private readonly most: number,
    private readonly signal: AbortSignal,
    private readonly program: URL,
  ) {}

  async run(jobs: readonly (() => Job)[], onProgress: (done: number) => void): Promise<readonly JobResult[]> {
    const results: JobResult[] = [];
    const done = jobs.map(() => 0);
    const tell = (index: number, share: number): void => {
      done[index] = share;
      onProgress(done.reduce((sum, one) => sum + one, 0));
    };
    let next = 0;
    let failed = false;
    const work = async (): Promise<void> => {
      while (next < jobs.length && !failed) {
        const index = next++;
        try {
          results[index] = await this.#one(jobs[index](), (share) => tell(index, share));
        } catch (error) {
          failed = true;
          throw error;
        }
        tell(index, 1);
      }
    };
    // One listener for all threads: an interrupt ends them, and what they were asked ends with that.
    const onAbort = (): void => void this.close();
    this.signal.addEventListener('abort', onAbort);
    try {
      await Promise.all(Array.from({ length: Math.min(this.most, jobs.length) }, work));
    } catch (error) {
      await this.close();
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
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
    this.#all.clear();
    this.#idle.length = 0;
  }

  async #one(job: Job, onProgress: (share: number) => void): Promise<JobResult> {
    for (let losses = 0; ; ) {
      this.signal.throwIfAborted();
      const worker = this.#idle.pop() ?? this.#start();
      const result = await this.#ask(worker, job, onProgress);
      if (result !== 'lost') {
        this.#idle.push(worker);
        return result;
      }
      if (this.#isClosed) throw new Error('the crew was closed while it worked');
      losses++;
      if (losses === mostLosses) throw new FaultreelError(exitCodes.internal, { message: `a thread ended while it simulated ${job.system.variant}`, hint: 'Run again with --threads 1; if memory is short, close what else is running' });
    }
  }

  #start(): Worker {
    const worker = new Worker(this.program);
    this.#all.add(worker);
    // Of one that ends while it has nothing to do, nobody else would hear.
    worker.on('error', () => undefined).on('exit', () => this.#forget(worker));
    return worker;
  }

  #forget(worker: Worker): void {
    this.#all.delete(worker);
    if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
  }

  /** Nobody else asks this thread meanwhile. */
  #ask(worker: Worker, job: Job, onProgress: (share: number) => void): Promise<JobResult | 'lost'> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        worker.off('message', onMessage).off('exit', onLost).off('error', onLost);
        then();
      };
      const onMessage = (message: FromWorker): void => {
        if (message.kind === 'progress') return onProgress(message.done);
        settle(() => (message.kind === 'result' ? resolve(message.result) : reject(errorFrom(message))));
      };
      const onLost = (): void => settle(() => resolve('lost'));
      worker.on('message', onMessage).on('exit', onLost).on('error', onLost);
      worker.postMessage(job);
    });
  }
}

const errorFrom = ({ message, stack, known }: Extract<FromWorker, { kind: 'error' }>): Error => {
  if (known) return new FaultreelError(known.exitCode, known.problems);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
};
