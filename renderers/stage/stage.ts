import type { Study } from '../../src/study/types.js';
import { Canvas, type Drawing } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { toSvg } from '../look/svg.js';
import { drawBoard } from './board/board.js';
import { captionRoom } from './caption.js';
import { captionsOf } from './captions.js';
import { healthColors, isDown } from './display-state.js';
import { drawGroup } from './group.js';
import { drawHeader } from './header.js';
import type { Frame } from './frame.js';
import { drawLaneFaults, drawLaneNotes } from './link-notes.js';
import { drawDeadEnds, drawLinks } from './links.js';
import { drawNode, drawNodeRate } from './nodes.js';
import { drawLegend, drawPanel } from './panel.js';
import { captionLines, drawCaptionLines } from './portrait/caption.js';
import { drawGroup as portraitGroup } from './portrait/group.js';
import { drawNode as portraitNode } from './portrait/nodes.js';
import { drawPanel as portraitPanel } from './portrait/panel.js';
import { momentOf, type Moment, type StageOptions } from './scene.js';
import { drawStrip } from './strip.js';

export type { StageOptions } from './scene.js';

/**
 * The system in one tick: who sends what to whom, how each instance is and what its balancer believes, what just happened, and the run so far.
 * A pure function of its arguments. Throws when the study has no such variant.
 */
export const stageDrawing = (study: Study, variant: string, tick: number, options: StageOptions): Drawing => drawStage(momentOf(study, variant, tick, options)).drawing();

/** The same as SVG text. */
export const frameSvg = (study: Study, variant: string, tick: number, options: StageOptions): string => toSvg(stageDrawing(study, variant, tick, options));

export const drawStage = (moment: Moment): Canvas => {
  const { frame } = moment.scene;
  const canvas = newCanvas(moment);
  drawHeader(canvas, moment);
  drawSystem(canvas, moment);
  // A question veils the caption of its tick wholly.
  if (moment.caption?.lead !== '') drawCaption(canvas, moment);
  // While a question is held, its tick is still to come.
  drawStrip(canvas, { ...frame.strip, size: 16 }, moment.heldS === null ? moment.tick : Math.max(0, moment.tick - 1), moment, true);
  partsOf(frame).drawPanel(canvas, moment);
  return canvas;
};

/** The system alone: its parts, how they are, and who calls whom. */
export const drawSystem = (canvas: Canvas, moment: Moment): void => {
  const { frame, layout: { board, hidden } } = moment.scene;
  if (board) drawBoard(canvas, board, moment);
  else drawLaneStage(canvas, moment);
  if (hidden.length > 0) canvas.text(frame.margin, board ? frame.stage.top + 10 : frame.stage.bottom - 6, moment.words.moreNodes(hidden.length, hidden.length > 3 ? `${hidden.slice(0, 3).join(', ')} …` : hidden.join(', ')), { size: 17, fill: moment.palette.text2 });
};

/** What is drawn in another way in each frame. */
const partsOf = ({ name }: Frame): typeof portraitParts => (name === 'portrait' ? portraitParts : landscapeParts);
const portraitParts = { drawGroup: portraitGroup, drawNode: portraitNode, drawNotes: drawLaneFaults, drawPanel: portraitPanel };
const landscapeParts: typeof portraitParts = {
  drawGroup,
  drawNode: (canvas, node, moment) => {
    drawNode(canvas, node, moment);
    drawNodeRate(canvas, node, moment);
  },
  drawNotes: drawLaneNotes,
  drawPanel: (canvas, moment) => {
    drawPanel(canvas, moment);
    drawLegend(canvas, moment);
  },
};

/** Links run over the ground of the lanes' group, which is drawn with it. */
const drawLaneStage = (canvas: Canvas, moment: Moment): void => {
  const { frame, layout: { group, nodes } } = moment.scene;
  const parts = partsOf(frame);
  if (group) parts.drawGroup(canvas, group, moment);
  drawLinks(canvas, moment);
  for (const node of nodes) parts.drawNode(canvas, node, moment);
  drawDeadEnds(canvas, moment);
  parts.drawNotes(canvas, moment);
};

export const newCanvas = ({ palette, scene: { frame } }: Pick<Moment, 'palette' | 'scene'>): Canvas => {
  const canvas = new Canvas(frame.width, frame.height, { fill: palette.text, size: 18 });
  canvas.rect(0, 0, frame.width, frame.height, { fill: palette.bg });
  return canvas;
};

const drawCaption = (canvas: Canvas, moment: Moment): void => {
  const { palette, scene, tick, lang, times } = moment;
  const found = captionsOf(scene, lang, times)[tick];
  const caption = moment.caption ? { ...found, ...moment.caption } : found;
  const { frame } = scene;
  const { top, height } = frame.caption;
  const color = healthColors(palette, caption.tone).fill;
  canvas.rect(frame.margin, top, frame.right - frame.margin, height, { fill: palette.s1, radius: 8 });
  canvas.rect(frame.margin, top, 6, height, { fill: color, radius: 3 });
  drawGlyph(canvas, caption.glyph, frame.margin + 36, top + height / 2, 28, { color, cut: caption.tone === 'killed' || isDown(caption.tone) ? palette.onFailed : palette.s1, progress: 0.9 });
  const { size, lines } = frame.caption;
  if (lines === 1) canvas.runs(frame.margin + 64, top + 36, [{ text: caption.lead, weight: 700 }, { text: caption.rest && ` ${caption.rest}` }], { size, room: captionRoom });
  else {
    const room = frame.right - frame.margin - 64 - 14;
    drawCaptionLines(canvas, captionLines(caption, size, room), { x: frame.margin + 64, middle: top + height / 2, size, room });
  }
};
