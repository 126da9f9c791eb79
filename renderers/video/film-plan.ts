import type { Stop } from '../stage/stops.js';

/** What of the film stands where: the plan that shots, chapters and captions are made from. Film time in ms. */
export interface FilmPlan {
  readonly title: Interval;
  readonly ticks: readonly (Interval & { readonly speed: number })[];
  readonly stops: readonly (Interval & { readonly stop: Stop; readonly tick: number })[];
  readonly verdict: Interval;
}
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}
