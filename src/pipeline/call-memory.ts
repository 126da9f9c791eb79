import { getHeapStatistics } from 'node:v8';

/** What a call takes, measured with a million of them. */
const bytesPerCall = 480;
/** Of the memory that this thread may use; the rest is for what is kept of the run, and for the tool itself. */
const shareForCalls = 0.5;

/** Calls that may exist at once before this thread would run out of memory: a run that wants more ends with an error of its own instead. */
export const mostCallsInMemory = (): number => Math.floor((shareForCalls * getHeapStatistics().heap_size_limit) / bytesPerCall);
