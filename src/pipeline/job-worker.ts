import { parentPort, workerData } from 'node:worker_threads';
import { watchChildren } from '../../renderers/browser/child.js';
import { FaultreelError, type ExitCode, type Problem } from '../errors.js';
import { realHost, type Host } from '../host.js';
import { Hands, type Job, type ResultOf } from './job.js';

/** What a thread is told. */
export type ToWorker = { readonly kind: 'do'; readonly job: Job } | { readonly kind: 'stop' };

/** What a thread says of its job, and of the programs that it starts. */
export type FromWorker =
  | { readonly kind: 'progress'; /** 0 to 1 */ readonly done: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'child'; readonly pid: number; readonly isLiving: boolean }
  | { readonly kind: 'result'; readonly result: ResultOf<Job> }
  | { readonly kind: 'error'; readonly name: string; readonly message: string; readonly stack: string | undefined; readonly known: { readonly exitCode: ExitCode; readonly problems: readonly Problem[] } | null };

/** What a host is besides functions: a thread that works for it has the same. */
export type HostFacts = Pick<Host, 'env' | 'cwd' | 'uid' | 'cores' | 'memoryBytes' | 'tmpdir'>;

const port = parentPort!;
const say = (message: FromWorker): void => port.postMessage(message);
const hands = new Hands({ ...realHost(), ...(workerData as HostFacts) });
const stop = new AbortController();
let working: Promise<void> = Promise.resolve();

watchChildren((pid, isLiving) => say({ kind: 'child', pid, isLiving }));

port.on('message', (told: ToWorker) => {
  if (told.kind === 'do') working = perform(told.job);
  else void end();
});

const perform = async (job: Job): Promise<void> => {
  try {
    say({ kind: 'result', result: await hands.do(job, { signal: stop.signal, onProgress: (done) => say({ kind: 'progress', done }), onNotice: (text) => say({ kind: 'notice', text }) }) });
  } catch (error) {
    say({
      kind: 'error',
      name: error instanceof Error ? error.name : '',
      message: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? error.stack : undefined,
      known: error instanceof FaultreelError ? { exitCode: error.exitCode, problems: error.problems } : null,
    });
  }
};

/** In order: the work is given up, browser and encoder are closed, and with the port closed the thread ends by itself. */
const end = async (): Promise<void> => {
  stop.abort();
  await working;
  await hands.close();
  port.close();
};
