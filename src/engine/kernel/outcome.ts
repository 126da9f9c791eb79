/** How a call ended, as small numbers for the hot path; the order is that of the columns in the study. */
export type Outcome = 0 | 1 | 2 | 3;

export const good = 0;
export const declined = 1;
export const refused = 2;
export const failed = 3;
