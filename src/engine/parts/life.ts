/** Codes into the study's `instanceStates`. */
export type Life = 0 | 1 | 2 | 3 | 4;

export const off = 0;
export const booting = 1;
export const up = 2;
export const down = 3;
export const draining = 4;
