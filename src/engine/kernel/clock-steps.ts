/** How near its instant something must be to happen now, ns: half a step of the clock, so that instants are rounded to the nearest. */
export const nearNs = 0.5;

/** Steps of the clock to the instant nearest to one that is `ns` away; 0 when it is near or past. */
export const stepsTo = (ns: number): number => Math.max(0, Math.ceil(ns - nearNs));
