import type { Stop } from '../stage/stops.js';

/** What of the film stands where: the plan that shots, chapters and captions are made from. Film time in ms. */
export interface FilmPlan {
  readonly title: Interval;
  /** A tick that is passed over has no length. */
  readonly ticks: readonly (Interval & { readonly speed: number; readonly isHeld: boolean })[];
  /** Film time of each tick at the pace around it, ms: how long its caption can be read. */
  readonly times: readonly number[];
  readonly stops: readonly (Interval & { readonly stop: Stop; readonly tick: number })[];
  readonly verdict: Interval;
}
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}
