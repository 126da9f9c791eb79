/** What a call is in: what must be undone when it is taken out of it. `over`: there is none; its place waits for another. */

export const running = 0;
export const travelling = 1;
export const held = 2;
export const queued = 3;
export const computing = 4;
export const waiting = 5;
export const pooled = 6;
export const asking = 7;
export const backingOff = 8;
export const locked = 9;
export const branching = 10;
export const frozen = 11;
export const greeting = 12;
export const greetingCaller = 13;
export const greetingCallee = 14;
export const over = 15;
