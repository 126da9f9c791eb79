import type { SegmentTask, Segment } from '../../renderers/video/segment.js';
import type { Story } from '../../renderers/video/story.js';
import type { Asked, Reading } from '../analysis/index.js';
import type { Host } from '../host.js';
import type { System } from '../scenario/model.js';
import type { SimulatedRun } from '../study/types.js';

/** One run to be simulated: all that it needs, as plain data that another thread can be sent. */
export interface SimulateJob {
  readonly kind: 'simulate';
  readonly system: System;
  readonly seed: number;
  readonly asked: readonly Asked[];
  /** The whole run is wanted, with its ticks and events, not only what it came to. */
  readonly wantsRun: boolean;
}

export interface SimulateResult {
  readonly reading: Reading;
  readonly run: SimulatedRun | null;
  /** About how many events it took, steps inside them counted. */
  readonly work: number;
}

/** One segment of a film. */
export interface FilmJob {
  readonly kind: 'film';
  /** What is filmed, from which the pictures are made where they are filmed. */
  readonly story: Story;
  readonly task: SegmentTask;
}

/** Every kind of job, and what it comes to. */
interface Kinds {
  readonly simulate: { readonly job: SimulateJob; readonly result: SimulateResult };
  readonly film: { readonly job: FilmJob; readonly result: Segment };
}

export type JobKind = keyof Kinds;
export type Job = Kinds[JobKind]['job'];
export type ResultOf<J extends Job> = Kinds[J['kind']]['result'];

/** Who does jobs of one kind, one at a time; keeps open what the next one can use. */
export interface Doer<J extends Job> {
  do(job: J, ears: DoerEars): Promise<ResultOf<J>>;
  /** Leaves nothing running. */
  close(): Promise<void>;
}

export interface DoerEars {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly onNotice: (text: string) => void;
}

interface Kind<J extends Job> {
  /** What somebody does who does it: `simulated as-it-is`. */
  readonly what: (job: J) => string;
  /** How to go on when threads are lost with it. */
  readonly hint: string;
  /** It starts programs and writes temporary files, which do not end with a thread. */
  readonly leavesThings: boolean;
  /** Loaded when the first job of the kind comes: a thread that only simulates knows of no browser. */
  readonly open: (host: Host) => Promise<Doer<J>>;
}

/** How each kind is done. A new kind is one more entry here, and in `Kinds`. */
const kinds: { readonly [K in JobKind]: Kind<Kinds[K]['job']> } = {
  simulate: {
    what: ({ system }) => `simulated ${system.variant}`,
    hint: 'Run again with --threads 1; if memory is short, close what else is running',
    leavesThings: false,
    open: async (host) => (await import('./simulate-doer.js')).openSimulator(host),
  },
  film: {
    what: ({ task }) => `filmed ${task.name}`,
    hint: 'Run again with --jobs 1; if memory is short, close what else is running',
    leavesThings: true,
    open: async (host) => (await import('./film-doer.js')).openFilmer(host),
  },
};

export const kindOf = <J extends Job>(job: J): Kind<J> => kinds[job.kind] as unknown as Kind<J>;

/** Does jobs of every kind in this thread. */
export class Hands {
  readonly #doers = new Map<JobKind, Promise<Doer<Job>>>();

  constructor(private readonly host: Host) {}

  async do<J extends Job>(job: J, ears: DoerEars): Promise<ResultOf<J>> {
    let doer = this.#doers.get(job.kind);
    if (!doer) this.#doers.set(job.kind, (doer = kindOf<Job>(job).open(this.host)));
    return (await (await doer).do(job, ears));
  }

  async close(): Promise<void> {
    const doers = [...this.#doers.values()];
    this.#doers.clear();
    await Promise.all(doers.map(async (doer) => (await doer).close()));
  }
}
