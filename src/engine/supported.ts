import type { Unsupported } from '../scenario/unsupported.js';

/** Everything of a system that the engine would have to ignore: nothing. */
export const unsupported = (): Unsupported[] => [];
