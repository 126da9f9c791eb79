import { parentPort } from 'node:worker_threads';
import { FaultreelError, type ExitCode, type Problem } from '../errors.js';
import { doing, type Job, type JobResult } from './job.js';

/** What a thread says of its job. */
export type FromWorker =
  | { readonly kind: 'progress'; /** 0 to 1 */ readonly done: number }
  | { readonly kind: 'result'; readonly result: JobResult }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined; readonly known: { readonly exitCode: ExitCode; readonly problems: readonly Problem[] } | null };

const say = (message: FromWorker): void => parentPort!.postMessage(message);

parentPort!.on('message', (job: Job) => {
  try {
    const slices = doing(job);
    for (;;) {
      const slice = slices.next();
      if (slice.done) return say({ kind: 'result', result: slice.value });
      say({ kind: 'progress', done: slice.value });
    }
  } catch (error) {
    say({
      kind: 'error',
      message: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? error.stack : undefined,
      known: error instanceof FaultreelError ? { exitCode: error.exitCode, problems: error.problems } : null,
    });
  }
});
