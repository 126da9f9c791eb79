import type { Host } from '../host.js';
import type { Cache } from './cache.js';
import type { OpenExecutor } from './executor.js';
import type { Progress } from './progress.js';

/** What every part of the pipeline works with. */
export interface Surroundings {
  readonly host: Host;
  readonly progress: Progress;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** What was made before need not be made again; absent: everything is made. */
  readonly cache?: Cache | null;
  /** Who does simulations and segments of films; threads of this process when absent. */
  readonly openExecutor?: OpenExecutor;
}
