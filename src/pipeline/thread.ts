import { Worker } from 'node:worker_threads';
import { killOnExit, killTree } from '../../renderers/browser/child.js';
import { removeFolder, temporaryFolder } from '../../renderers/browser/temporary-folder.js';
import { FaultreelError } from '../errors.js';
import type { Host } from '../host.js';
import { kindOf, type DoerEars, type Job, type ResultOf } from './job.js';
import type { FromWorker, HostFacts, ToWorker } from './job-worker.js';

/** How long a thread may take to close its browser and its encoder. */
const politeMs = 8_000;

/** A worker thread, and all that it leaves behind if it is lost: programs that it started, and temporary files, which are in one folder of its own. */
export class Thread {
  readonly #children = new Map<number, () => void>();
  /** Settles when the thread is gone, and all that it left. */
  readonly gone: Promise<void>;
  #isGone = false;
  /** Of who waits for an answer. */
  #onLost: () => void = () => undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly host: Host,
    private readonly folder: string | null,
  ) {
    // Of one that ends while it has nothing to do, nobody else would hear.
    worker.on('error', () => undefined).on('message', (message: FromWorker) => message.kind === 'child' && this.#note(message.pid, message.isLiving));
    this.gone = new Promise((resolve) => worker.on('exit', () => void this.#clean().then(resolve, resolve)));
    void this.gone.then(() => this.#onLost());
  }

  /** A thread that can do a job, and others that leave no more behind than it. */
  static async start(program: URL, host: Host, job: Job): Promise<Thread> {
    const folder = kindOf(job).leavesThings ? await temporaryFolder(host, 'faultreel-browser') : null;
    const { env, cwd, uid, cores, memoryBytes, tmpdir } = host;
    const facts: HostFacts = { env: { ...env }, cwd, uid, cores, memoryBytes, tmpdir: folder ?? tmpdir };
    return new Thread(new Worker(program, { workerData: facts }), host, folder);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  canDo(job: Job): boolean {
    return !this.#isGone && (this.folder !== null || !kindOf(job).leavesThings);
  }

  /** Nobody else asks this thread meanwhile. `lost` when the thread ended before the job did; then nothing of it is left. */
  ask<J extends Job>(job: J, { onProgress, onNotice }: Omit<DoerEars, 'signal'>): Promise<ResultOf<J> | 'lost'> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        this.worker.off('message', onMessage);
        this.#onLost = () => undefined;
        then();
      };
      const onMessage = (message: FromWorker): void => {
        if (message.kind === 'progress') onProgress(message.done);
        else if (message.kind === 'notice') onNotice(message.text);
        else if (message.kind === 'result') settle(() => resolve(message.result));
        else if (message.kind === 'error') settle(() => reject(errorFrom(message)));
      };
      this.worker.on('message', onMessage);
      this.#onLost = () => settle(() => resolve('lost'));
      if (this.#isGone) void this.gone.then(() => this.#onLost());
      this.#tell({ kind: 'do', job });
    });
  }

  /** What has something to close is told, and has time for it; the rest ends at once. */
  async end(): Promise<void> {
    if (this.folder !== null) {
      this.#tell({ kind: 'stop' });
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([this.gone, new Promise<void>((resolve) => (timer = setTimeout(resolve, politeMs)))]);
      clearTimeout(timer);
    }
    await this.worker.terminate();
    await this.gone;
  }

  #tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** This process is the last that knows of them: they end with it too. */
  #note(pid: number, isLiving: boolean): void {
    this.#children.get(pid)?.();
    this.#children.delete(pid);
    if (isLiving) this.#children.set(pid, killOnExit({ pid }));
  }

  async #clean(): Promise<void> {
    this.#isGone = true;
    for (const [pid, forget] of this.#children) {
      killTree({ pid });
      forget();
    }
    this.#children.clear();
    if (this.folder !== null) await removeFolder(this.host, this.folder);
  }
}

const errorFrom = ({ name, message, stack, known }: Extract<FromWorker, { kind: 'error' }>): Error => {
  if (known) return new FaultreelError(known.exitCode, known.problems);
  const error = new Error(message);
  if (name !== '') error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
};
