import { readingOf } from '../analysis/index.js';
import { simulating, workPerSlice } from '../engine/index.js';
import type { Host } from '../host.js';
import { mostCallsInMemory } from './call-memory.js';
import { letInlineFor } from './inlining.js';
import type { Doer, SimulateJob } from './job.js';

/** Simulates in slices of some hundred milliseconds; an interrupt takes hold between two of them. */
export const openSimulator = (host: Pick<Host, 'breathe'>): Doer<SimulateJob> => ({
  async do({ system, seed, asked, wantsRun }, { signal, onProgress }) {
    letInlineFor(system);
    const slices = simulating(system, { seed, mostCalls: mostCallsInMemory() });
    for (let full = 0; ; full++) {
      const slice = slices.next();
      await host.breathe();
      signal.throwIfAborted();
      if (slice.done) return { reading: readingOf(slice.value, system, asked), run: wantsRun ? slice.value : null, work: Math.max(slice.value.events, full * workPerSlice) };
      onProgress(slice.value);
    }
  },
  close: () => Promise.resolve(),
});
