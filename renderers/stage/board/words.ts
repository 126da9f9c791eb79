import { count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { windowS } from '../flows.js';
import type { Moment } from '../scene.js';

/** As many parts as fit as a whole, joined; the first one in any case. */
export const whatFits = (parts: readonly string[], room: number, size = 16): string => {
  let text = parts[0] ?? '';
  for (const part of parts.slice(1)) if (textWidth(`${text} · ${part}`, size, 400) <= room) text = `${text} · ${part}`;
  return text;
};

/** Requests a second over a whole run below which a second says nothing. */
const rare = 2;
const minuteMs = 60_000;

/** A rate: a second's, or of what is rare, how many came in the last minute. `sum` gives the number in ticks `from` to `to`. */
export const rateText = (sum: (from: number, to: number) => number, moment: Moment): string => {
  const { scene, window, board } = moment;
  const { ticks, durationMs } = scene.run;
  if ((sum(0, ticks.count - 1) * 1000) / durationMs >= rare) return perSecond(sum(window.from, window.to) / windowS(moment));
  return board.perMinute(count(sum(Math.max(0, window.to + 1 - Math.ceil(minuteMs / scene.tickMs)), window.to)));
};
