import type { LoggedEvent } from '../../src/study/types.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { textWidth } from '../look/text-width.js';
import { signOf } from './caption-events.js';
import { healthColors } from './display-state.js';
import type { Moment } from './scene.js';
import type { StripPlace } from './strip-plot.js';

const upperMarks: readonly LoggedEvent['kind'][] = ['oom', 'crashed', 'fault', 'scale-out', 'scale-in', 'deployed', 'rolled-back'];
const lowerMarks: readonly LoggedEvent['kind'][] = ['ejected', 'breaker-open', 'lock-timeout'];
const markPitch = 21;

interface PlacedMark {
  readonly event: LoggedEvent;
  readonly x: number;
  count: number;
}

/** In the order in which things happen, so that a mark that was drawn stays: the same again beside it is counted, another one stands right of it. */
export const drawMarks = (canvas: Canvas, place: StripPlace, tick: number, moment: Moment, x: (ms: number) => number): void => {
  const { scene } = moment;
  for (const [kinds, y] of [[upperMarks, place.marks], [lowerMarks, place.marksBelow]] as const) {
    const placed: PlacedMark[] = [];
    for (const event of scene.run.eventLog) {
      if (!kinds.includes(event.kind) || Math.floor(event.tMs / scene.tickMs) > tick) continue;
      const last = placed.at(-1);
      const free = last ? last.x + markPitch + (last.count > 1 ? textWidth(`×${last.count}`, place.size, 600) + 2 : 0) : -Infinity;
      if (last && x(event.tMs) < free && signOf(event).glyph === signOf(last.event).glyph) last.count++;
      else placed.push({ event, x: Math.max(x(event.tMs), free), count: 1 });
    }
    for (const mark of placed) drawMark(canvas, place, moment, mark, y);
  }
};

const drawMark = (canvas: Canvas, place: StripPlace, moment: Moment, { event, x, count }: PlacedMark, y: number): void => {
  const { palette } = moment;
  const { glyph, tone } = signOf(event);
  const color = healthColors(palette, tone);
  canvas.circle(x, y, 10, { fill: palette.bg });
  drawGlyph(canvas, glyph, x, y, glyph === 'killed' ? 18 : 16, { color: color.fill, cut: palette.onFailed });
  if (count > 1) canvas.text(x + 11, y + place.size * 0.36, `×${count}`, { size: place.size, weight: 600, fill: color.text });
};
