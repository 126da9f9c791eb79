import type { Column } from './types.js';

/** Value of a column at a tick; `null` = no sample. */
export const at = (column: Column, tick: number): number | null => (typeof column === 'number' ? column : (column[tick] ?? null));

/** As `at`, for columns that always have a value (levels, counts). */
export const numberAt = (column: Column, tick: number): number => at(column, tick) ?? 0;
