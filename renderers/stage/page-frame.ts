import { scaled, heightOf } from '../look/scaled.js';
import { Canvas, type Drawing, type Shape } from '../look/drawing.js';
import { themes, type Palette } from '../look/palette.js';
import type { Lang, Study } from '../../src/study/types.js';
import { portrait } from './frame.js';
import { drawSystem } from './stage.js';
import { momentOf } from './scene.js';

/** The light look on white paper. */
const paper: Palette = { ...themes.light, bg: '#FFFFFF' };
/** Smallest type of the stage, px of the upright frame. */
const leastType = 16;
/** Around the system, px of the frame. */
const edge = 3;

export interface PageFrames {
  /** pt; the same for all. */
  readonly width: number;
  readonly height: number;
  readonly drawings: readonly Drawing[];
}

/**
 * The stage of the film at some ticks, for a page: the system alone, in the upright frame, so small that its smallest type is `leastPt`.
 * All have one size and one scale; nothing is drawn outside of it.
 */
export const pageFrames = (study: Study, variant: string, ticks: readonly number[], { lang, leastPt }: { readonly lang: Lang; readonly leastPt: number }): PageFrames => {
  const systems = ticks.map((tick) => systemAt(study, variant, tick, lang));
  const { stage, margin, right } = portrait;
  const bands = systems.map(heightOf);
  const top = Math.max(stage.top - edge, Math.min(...bands.map((band) => band.top)) - edge);
  const bottom = Math.min(stage.bottom + edge, Math.max(...bands.map((band) => band.bottom)) + edge);
  const factor = leastPt / leastType;
  const [left, width, height] = [margin - edge, (right - margin + 2 * edge) * factor, (bottom - top) * factor];
  return { width, height, drawings: systems.map((shapes) => ({ width, height, shapes: [{ kind: 'group', clip: { x: 0, y: 0, width, height }, shapes: scaled(shapes, factor, -left * factor, -top * factor) }] })) };
};

const systemAt = (study: Study, variant: string, tick: number, lang: Lang): readonly Shape[] => {
  const moment = { ...momentOf(study, variant, tick, { lang, theme: 'light', frame: portrait }), palette: paper };
  const canvas = new Canvas(portrait.width, portrait.height, { fill: paper.text, size: 18 });
  drawSystem(canvas, moment);
  return canvas.drawing().shapes;
};
