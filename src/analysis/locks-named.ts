import type { SimulatedRun } from '../study/types.js';

/** Locks of a run, `holder.lock`, that a file means by `lock` or `holder.lock`. */
export const locksNamed = ({ locks }: Pick<SimulatedRun, 'locks'>, name: string): string[] => Object.keys(locks).filter((lock) => lock === name || lock.endsWith(`.${name}`));
