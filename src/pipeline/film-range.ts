import { answerMs } from '../../renderers/stage/pace.js';
import { fitCards } from '../../renderers/video/film-length.js';
import type { System } from '../scenario/model.js';
import type { Look } from './look.js';

/** How long the film of a variant will be. Its pace follows the events of the run, so before one only the two ends are known, unless a length was asked for. */
export interface FilmRange {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** All quiet, and no question comes up; all incident, and every question does. The same where the length was asked for. */
  readonly frames: { readonly least: number; readonly most: number };
  readonly seconds: { readonly least: number; readonly most: number };
}

interface Filmed extends Pick<System, 'durationMs' | 'tickMs'> {
  readonly rehearsal: Pick<System['rehearsal'], 'pacing'> & { readonly stops: readonly { readonly holdMs: number }[] };
}

/** @param cards what stands before and after, where it is not the film of one run */
export const filmRange = ({ durationMs, tickMs, rehearsal: { pacing, stops } }: Filmed, { width, height, fps, durationMs: askedMs }: Pick<Look, 'width' | 'height' | 'fps' | 'durationMs'>, cards?: { readonly titleMs: number; readonly closingMs: number }): FilmRange => {
  const ticks = Math.ceil(durationMs / tickMs - 1e-9);
  const own = fitCards([], undefined);
  const { titleMs, closingMs } = cards ?? { titleMs: own.titleMs, closingMs: own.verdictMs };
  // No tick is shorter than a frame.
  const at = (pace: number): number => titleMs + closingMs + ticks * Math.max(1000 / fps, tickMs / pace);
  const held = stops.reduce((ms, { holdMs }) => ms + holdMs + answerMs, 0);
  const [leastMs, mostMs] = askedMs === undefined ? [at(Math.max(pacing.quiet, pacing.incident)), at(Math.min(pacing.quiet, pacing.incident)) + held] : [askedMs, askedMs];
  const frames = { least: Math.round((leastMs * fps) / 1000), most: Math.round((mostMs * fps) / 1000) };
  return { width, height, fps, frames, seconds: { least: frames.least / fps, most: frames.most / fps } };
};
