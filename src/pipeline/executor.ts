import type { Host } from '../host.js';
import { Hands, type Job, type ResultOf } from './job.js';
import { Threads } from './threads.js';

/** Who does jobs; what they come to is the same whoever does them, and however many at the same time. Another executor can take its place. */
export interface Executor {
  /**
   * Results in the order of the jobs. A job is made when somebody is free to do it.
   * @throws what a job throws, with the other jobs given up: none of them runs any more; the abort reason when the user interrupts
   */
  runJobs<J extends Job>(jobs: readonly (() => J)[], ears: JobEars): Promise<readonly ResultOf<J>[]>;
  /** Leaves nothing running. May be called twice. */
  close(): Promise<void>;
}

export interface JobEars {
  /** How much of each job is done, 0 to 1 in their order; none of them falls, also when a job begins again. */
  readonly onProgress: (shares: readonly number[]) => void;
  readonly onNotice: (text: string) => void;
}

export interface ExecutorOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** One works in this thread, more in threads of their own. */
  readonly threads: number;
  /** The program of a thread. */
  readonly program?: URL;
}

export type OpenExecutor = (options: ExecutorOptions) => Executor;

export const openExecutor: OpenExecutor = ({ host, signal, threads, program = new URL('./job-worker.js', import.meta.url) }) => (threads <= 1 ? alone(host, signal) : new Threads(threads, host, signal, program));

/** In this thread, one job after the other. */
const alone = (host: Host, signal: AbortSignal): Executor => {
  const hands = new Hands(host);
  return {
    async runJobs<J extends Job>(jobs: readonly (() => J)[], { onProgress, onNotice }: JobEars) {
      const results: ResultOf<J>[] = [];
      const shares = jobs.map(() => 0);
      const tell = (index: number, share: number): void => {
        shares[index] = Math.max(shares[index], share);
        onProgress(shares);
      };
      for (const [index, job] of jobs.entries()) {
        signal.throwIfAborted();
        results.push(await hands.do(job(), { signal, onNotice, onProgress: (share) => tell(index, share) }));
        signal.throwIfAborted();
        tell(index, 1);
      }
      return results;
    },
    close: () => hands.close(),
  };
};

/** Opens one executor for all who ask, so that its threads are started once; it is closed when all is done, not by each of them. */
export const sharedExecutor = (open: OpenExecutor): { readonly open: OpenExecutor; readonly close: () => Promise<void> } => {
  let shared: Executor | null = null;
  return {
    open: (options) => {
      const own = (shared ??= open(options));
      return { runJobs: (jobs, ears) => own.runJobs(jobs, ears), close: () => Promise.resolve() };
    },
    close: async () => shared?.close(),
  };
};
