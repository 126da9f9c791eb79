import { readingOf } from '../analysis/index.js';
import { simulating } from '../engine/index.js';
import type { Host } from '../host.js';
import type { Doer, SimulateJob } from './job.js';

/** Simulates in slices of some hundred milliseconds; an interrupt takes hold between two of them. */
export const openSimulator = (host: Pick<Host, 'breathe'>): Doer<SimulateJob> => ({
  async do({ system, seed, asked, wantsRun }, { signal, onProgress }) {
    const slices = simulating(system, { seed });
    for (;;) {
      const slice = slices.next();
      await host.breathe();
      signal.throwIfAborted();
      if (slice.done) return { reading: readingOf(slice.value, system, asked), run: wantsRun ? slice.value : null };
      onProgress(slice.value);
    }
  },
  close: () => Promise.resolve(),
});
