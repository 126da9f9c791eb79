/** How a call ended, as small numbers for the hot path; the order is that of the columns in the study. */
export const outcome = { good: 0, declined: 1, refused: 2, failed: 3 } as const;
export type Outcome = 0 | 1 | 2 | 3;
