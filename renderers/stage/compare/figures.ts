import { drawBasis } from '../../look/basis-marks.js';
import { differenceText } from '../../look/difference.js';
import type { Canvas } from '../../look/drawing.js';
import type { Mark } from '../../look/figure.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, share } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import { goalText, isKept, type FollowedObjective } from '../objectives.js';
import { flowOf, goodShare, phaseAt, phaseStart, type Flow } from '../scene.js';
import { followedBy, type CompareMoment, type SideMoment } from './compare-scene.js';
import { drawBadge } from './panel-head.js';

/** A side's figures since the phase began (between phases: since the run began), as its own film has them. */
export interface SoFar {
  readonly phase: string | null;
  readonly flow: Flow;
  /** Good of valid, of the traffic that the objective is about; null when none ended. */
  readonly share: number | null;
  readonly followed: FollowedObjective | null;
}

export const soFar = (side: SideMoment, compare: Pick<CompareMoment, 'scene' | 'sides' | 'tick'>): SoFar => {
  const { scene, window } = side.moment;
  const from = Math.min(window.to, phaseStart(scene, window.to));
  const followed = followedBy(compare, 'share')[side.index];
  return { phase: phaseAt(scene, window.to)?.name ?? null, flow: flowOf(scene.run, from, window.to), share: goodShare(flowOf(scene.run, from, window.to, followed?.objective.of)), followed };
};

/** The figures of one side beside its strip. */
export const drawFigures = (canvas: Canvas, side: SideMoment, compare: CompareMoment): void => {
  const { palette, words, scene } = compare;
  const { figures: { x, right, top } } = scene.places.sides[side.index];
  const isNarrow = scene.sides.length > 2;
  const room = right - x;
  const figures = soFar(side, compare);
  const title = figures.phase === null ? words.soFar : words.phaseSoFar(figures.phase);
  canvas.text(x, top, fitted(title, 16, 400, room), { size: 16, fill: palette.text3, room: room + 1 });
  let y = top + (isNarrow ? 30 : 38);
  drawShare(canvas, x, y, figures, isNarrow ? 26 : 36, compare);
  y += isNarrow ? 22 : 26;
  canvas.text(x, y, fitted(figures.followed ? words.goodGoal(goalText(figures.followed)) : words.good, 16, 400, room), { size: 16, fill: palette.text2, room: room + 1 });
  if (isNarrow) return drawNarrow(canvas, { x, right, y: y + 24 }, figures, side, compare);
  y += 30;
  const { words: stage } = side.moment;
  const rows = [
    ['offered', palette.text],
    ['good', palette.goodText],
    ...(figures.flow.declined > 0 ? [['declined', palette.text2] as const] : []),
    ['refused', palette.refusedText],
    ['failed', palette.failedText],
  ] as const;
  for (const [key, fill] of rows) {
    canvas.text(x, y, stage.outcome[key], { size: 17, fill: palette.text2 });
    canvas.text(right, y, count(figures.flow[key]), { size: 18, weight: 600, fill: figures.flow[key] === 0 ? palette.text2 : fill, anchor: 'end' });
    y += 24;
  }
  const { offered, good, declined, refused, failed } = figures.flow;
  canvas.text(x, y, fitted(stage.inFlightChange, 16, 400, room - 60), { size: 16, fill: palette.text3, room: room - 59 });
  const change = offered - good - declined - refused - failed;
  canvas.text(right, y, change > 0 ? `+${count(change)}` : count(change), { size: 17, weight: 500, fill: palette.text2, anchor: 'end' });
};

const drawShare = (canvas: Canvas, x: number, y: number, { share: value, followed }: SoFar, size: number, { palette }: CompareMoment): void => {
  const judged = value !== null && followed !== null;
  const kept = judged && isKept(followed, value);
  const fill = !judged ? palette.text2 : kept ? palette.goodText : palette.failedText;
  if (judged) drawGlyph(canvas, kept ? 'kept' : 'broken', x + size * 0.28, y - size * 0.36, size * 0.6, { color: fill, cut: palette.bg });
  canvas.text(followed ? x + size * 0.82 : x, y, value === null ? '–' : share(value), { size, weight: 700, fill, room: textWidth('88.8%', size, 700) + 4 });
};

/** In a quadrant: what went wrong, and how far from the first side. */
const drawNarrow = (canvas: Canvas, { x, right, y: top }: { readonly x: number; readonly right: number; readonly y: number }, figures: SoFar, side: SideMoment, compare: CompareMoment): void => {
  const { palette } = compare;
  const { words: stage } = side.moment;
  let y = top;
  for (const [key, fill] of [['refused', palette.refusedText], ['failed', palette.failedText]] as const) {
    canvas.text(x, y, stage.outcome[key], { size: 16, fill: palette.text2 });
    canvas.text(right, y, count(figures.flow[key]), { size: 17, weight: 600, fill: figures.flow[key] === 0 ? palette.text2 : fill, anchor: 'end' });
    y += 22;
  }
  if (side.index === 0) return;
  const [first] = compare.sides;
  canvas.text(x, y + 6, fitted(compare.words.minus(side.side.letter, first.side.letter), 16, 400, right - x), { size: 16, fill: palette.text3 });
  const { text, fill } = shareDifference(soFar(first, compare), figures, compare);
  const size = [22, 18].find((px) => textWidth(text, px, 700) <= right - x) ?? 16;
  canvas.text(x, y + 32, text, { size, weight: 700, fill, room: right - x });
};

const shareDifference = (a: SoFar, b: SoFar, { palette, lang, words }: CompareMoment): { readonly text: string; readonly fill: string } => {
  if (a.phase !== b.phase) return { text: words.otherPhase, fill: palette.text2 };
  if (a.share === null || b.share === null) return { text: '–', fill: palette.text2 };
  const text = differenceText(a.share, b.share, 'share', lang);
  return { text, fill: text.startsWith('+') ? palette.goodText : /[1-9]/.test(text) ? palette.failedText : palette.text2 };
};

/** The second side against the first: points, and how many more or fewer went wrong. */
export const drawDifference = (canvas: Canvas, compare: CompareMoment): void => {
  const { places } = compare.scene;
  if (places.difference === null) return;
  if (compare.sides.length > 2) return drawRanking(canvas, places.difference, compare);
  const { palette, words } = compare;
  const { x, y, width } = places.difference;
  const [a, b] = compare.sides.map((side) => soFar(side, compare));
  canvas.line(x, y - 26, x + width, y - 26, { stroke: palette.line, strokeWidth: 1.5 });
  canvas.text(x, y, words.minus(compare.sides[1].side.letter, compare.sides[0].side.letter), { size: 16, fill: palette.text3, room: width });
  const { text, fill } = shareDifference(a, b, compare);
  const size = [30, 20, 17].find((px) => textWidth(text, px, 700) <= width) ?? 16;
  canvas.text(x, y + 36, text, { size, weight: 700, fill, room: width });
  if (a.phase !== b.phase) return;
  (['refused', 'failed'] as const).forEach((key, i) => {
    const more = b.flow[key] - a.flow[key];
    const line = more === 0 ? words.asMany(count(a.flow[key]), key) : more < 0 ? words.fewer(count(-more), key) : words.more(count(more), key);
    canvas.text(x, y + 66 + i * 26, fitted(line, 17, 500, width), { size: 17, weight: 500, fill: more === 0 ? palette.text2 : palette.text, room: width + 1 });
  });
};

/** The free quadrant of three: all sides by how much was good, best first. */
const drawRanking = (canvas: Canvas, { x, y, width, height }: Box, compare: CompareMoment): void => {
  const { palette, words, sides } = compare;
  const all = sides.map((side) => ({ side, figures: soFar(side, compare) }));
  const [first] = all;
  canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 12 });
  const title = first.figures.phase === null ? words.soFar : words.phaseSoFar(first.figures.phase);
  canvas.text(x + 24, y + 40, fitted(title, 20, 600, width - 48), { size: 20, weight: 600, fill: palette.text2, room: width - 47 });
  const column = { share: x + 420, difference: x + 590, refused: x + 760, failed: x + width - 24 } as const;
  for (const [at, label] of [[column.share, words.good], [column.difference, words.minus('…', first.side.side.letter)], [column.refused, first.side.moment.words.outcome.refused], [column.failed, first.side.moment.words.outcome.failed]] as const) canvas.text(at, y + 84, label, { size: 17, fill: palette.text3, anchor: 'end', room: 160 });
  all.forEach(({ side, figures }, row) => {
    const base = y + 140 + row * 66;
    canvas.line(x + 24, base - 42, x + width - 24, base - 42, { stroke: palette.line, strokeWidth: 1.2 });
    drawBadge(canvas, side.side.letter, x + 24, base - 26, 34, palette);
    canvas.text(x + 72, base, fitted(side.side.name, 20, 600, 220), { size: 20, weight: 600, room: 221 });
    const kept = figures.share !== null && figures.followed !== null ? isKept(figures.followed, figures.share) : null;
    const ink = kept === null ? palette.text2 : kept ? palette.goodText : palette.failedText;
    if (kept !== null) drawGlyph(canvas, kept ? 'kept' : 'broken', column.share - 104, base - 9, 18, { color: ink, cut: palette.bg });
    canvas.text(column.share, base, figures.share === null ? '–' : share(figures.share), { size: 26, weight: 700, fill: ink, anchor: 'end' });
    const { text, fill } = shareDifference(first.figures, figures, compare);
    if (row > 0) canvas.text(column.difference, base, fitted(text, 20, 600, 160), { size: 20, weight: 600, fill, anchor: 'end', room: 161 });
    canvas.text(column.refused, base, count(figures.flow.refused), { size: 20, weight: 600, fill: palette.refusedText, anchor: 'end' });
    canvas.text(column.failed, base, count(figures.flow.failed), { size: 20, weight: 600, fill: palette.failedText, anchor: 'end' });
  });
};

/** What the signs mean, and the chip of what is set otherwise. */
export const drawCompareLegend = (canvas: Canvas, { scene: { places }, palette, sides, words }: CompareMoment): void => {
  const { legend } = sides[0].moment.words;
  const { x, y, across } = places.legend;
  const items = ['measured', 'counted', 'assumed', 'estimated'] as const satisfies readonly Mark[];
  if (!across) canvas.line(x, y - 22, x + 198, y - 22, { stroke: palette.line, strokeWidth: 1.5 });
  items.forEach((mark, i) => {
    const [left, base] = across ? [x + i * 210, y] : [x, y + 4 + i * 26];
    drawBasis(canvas, mark, left + 8, base - 6, 14, palette.text2);
    canvas.text(left + 24, base, legend[mark], { size: 16, fill: palette.text2, room: across ? 180 : 174 });
  });
  const [left, base] = across ? [x + items.length * 210, y] : [x, y + 4 + items.length * 26];
  canvas.rect(left + 1, base - 13, 15, 15, { fill: palette.text, radius: 3 });
  canvas.text(left + 24, base, words.changed, { size: 16, fill: palette.text2 });
};
