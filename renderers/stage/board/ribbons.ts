import { breakerStates, type PictureLink } from '../../../src/study/types.js';
import { at, numberAt } from '../../../src/study/columns.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph, type Glyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { beliefAt, killIn } from '../display-state.js';
import { faultsAt } from '../faults.js';
import { flowInWindow, linkFlow, outcomeBands, ribbonWidth, windowS } from '../flows.js';
import { drawBands, level, type Band } from '../ribbon.js';
import type { Moment, Scene } from '../scene.js';
import { nameOf } from '../structure.js';
import { drawChip } from './chips.js';
import { believesApart, labelInset } from './link-words.js';
import type { Board, PlacedCard } from './place.js';
import { labelLine } from './ports.js';
import { hasRate, opensAgain, type Route } from './routes.js';

/** All links: wide by rate, in bands by outcome; what only passes a column lies under what ends there. */
export const drawRibbons = (canvas: Canvas, board: Board, moment: Moment): void => {
  const present = [...board.routes.values()].filter(({ link }) => moment.scene.run.ticks.links[nameOf(link)] !== undefined);
  for (const route of present.toSorted((a, b) => spanOf(b) - spanOf(a))) {
    drawBands(canvas, route.middle ?? route.points.map(level), bandsOf(route.link, board, moment));
    if (route.isBack) drawGlyph(canvas, 'back', route.end.x + 22, route.end.y, 18, { color: moment.palette.text2, cut: moment.palette.bg });
  }
  for (const route of present) drawMarks(canvas, route, board, moment);
};

const spanOf = ({ start, end }: Route): number => Math.abs(end.x - start.x);

/** Width of a link that has nothing to carry: it is still there. */
const idleWidth = 3;
/** Requests in a tick, on the mean of a run, below which a link shows what went over it lately: it would blink otherwise. */
const rareInTick = 2;
const lately = 5000;

/** How wide a link is now, and of which outcomes. */
export const bandsOf = (link: PictureLink, board: Board, moment: Moment): readonly Band[] => {
  const { scene, tick, palette } = moment;
  const rare = isRare(link, scene);
  const flow = rare ? linkFlow(scene, link, 'reached', Math.max(0, tick + 1 - Math.ceil(lately / scene.tickMs)), tick) : flowInWindow(moment, link, 'reached');
  if (flow.sent === 0) return [{ width: idleWidth, fill: palette.line2 }];
  const width = widthOf(rare ? 0 : flow.sent / windowS(moment), board, scene);
  const callee = board.cards.find(({ name }) => name === link.callee);
  // What a source sends to a balancer has no outcome yet.
  const plain = (link.callerKind === 'traffic' && callee?.service?.kind === 'balancer') || moment.veil.has(link.caller);
  return plain ? [{ width, fill: palette.trunk }] : outcomeBands(flow, width, palette);
};

const isRare = (link: PictureLink, { run }: Scene): boolean => (run.links[nameOf(link)]?.sent ?? Infinity) < rareInTick * run.ticks.count;

const widthOf = (sentPerS: number, { ribbonShare = 1 }: Board, scene: Scene): number => Math.max(idleWidth, ribbonWidth(scene, sentPerS) * ribbonShare);

export const widestHere = (link: PictureLink, { scene }: Moment, board?: Board): number => Math.max(idleWidth, ribbonWidth(scene, ((scene.structure.peaks.links.get(nameOf(link))?.sent ?? 0) * 1000) / scene.tickMs) * (board?.ribbonShare ?? 1));

/** What is written on a link where its calls arrive, and what holds it: its rate, what its caller believes, retries, connections, breaker, faults. */
const drawMarks = (canvas: Canvas, route: Route, board: Board, moment: Moment): void => {
  const { scene, palette } = moment;
  const { link, end, isBack, hasLabels } = route;
  const inset = route.wordsInset ?? labelInset;
  const x = isBack ? end.x + inset : end.x - inset;
  const anchor = isBack ? 'start' : 'end';
  const half = widestHere(link, moment, board) / 2;
  if (hasLabels && hasRate(link, scene.structure)) canvas.text(x, end.y - half - 6, perSecond(flowInWindow(moment, link, 'reached').sent / windowS(moment)), { size: 16, weight: 600, anchor });
  const notes = [...notesOf(link, moment), ...(route.tellsBelief ? beliefNotes(link, moment) : [])];
  notes.forEach(({ text, glyph, fill, color, isFault }, i) => {
    if (!hasLabels) {
      // Without room for words the sign stands on the ribbon.
      const at = end.x + (isBack ? 16 + i * 24 : -16 - i * 24);
      canvas.circle(at, end.y, 11, { fill: palette.bg });
      drawGlyph(canvas, glyph, at, end.y, 16, { color, cut: palette.bg });
      return;
    }
    const y = end.y + half + 17 + i * labelLine.note;
    if (isFault) return drawChip(canvas, x - (isBack ? 0 : textWidth(text, 16, 600) + 34), y - 15, text, moment);
    drawGlyph(canvas, glyph, x - (isBack ? -8 : textWidth(text, 16, 500) + 12), y - 5, 15, { color, cut: palette.bg });
    canvas.text(isBack ? x + 20 : x, y, text, { size: 16, weight: 500, fill, anchor });
  });
};

/** Where links end in a process that is gone this very tick: on the edges of the cards. */
export const drawDeadEnds = (canvas: Canvas, board: Board, moment: Moment): void => {
  for (const route of board.routes.values()) drawDeadEnd(canvas, route, board.cards.find(({ name }) => name === route.link.callee), moment);
};

/** How many of its targets a caller keeps out, for whatever reason; a list of them says it better. */
const beliefNotes = (link: PictureLink, { scene, tick, palette, board, veil }: Moment): readonly Note[] => {
  if (!believesApart(link, scene.structure) || veil.has(link.caller)) return [];
  const targets = scene.run.ticks.links[nameOf(link)].targets.map((_, i) => beliefAt(scene, link, i, tick)).filter((belief) => belief !== 'absent');
  const out = targets.filter((belief) => belief === 'out' || belief === 'ejected').length;
  return out === 0 ? [] : [{ text: board.out(count(out), count(targets.length)), glyph: 'ejected', fill: palette.ejectedText, color: palette.ejected }];
};

interface Note {
  readonly text: string;
  readonly glyph: Glyph;
  readonly fill: string;
  readonly color: string;
  readonly isFault?: boolean;
  /** A text that is usual and as wide as any: where it changes often, it stands where this one would. */
  readonly widest?: string;
}

/** What holds a link now: its faults, its breaker, retries, and connections that it keeps opening. */
export const notesOf = (link: PictureLink, moment: Moment): readonly Note[] => {
  const { scene, tick, window, palette, board } = moment;
  const columns = scene.run.ticks.links[nameOf(link)];
  const perTick = (column: typeof columns.retries): number => {
    let sum = 0;
    for (let t = window.from; t <= window.to; t++) sum += at(column, t) ?? 0;
    return sum / windowS(moment);
  };
  const notes: Note[] = [];
  for (const fault of faultsAt(scene, tick)) if (fault.target === nameOf(link)) notes.push({ text: board.fault[fault.verb], glyph: 'fault', fill: palette.text, color: palette.text, isFault: true });
  const breaker = breakerStates[numberAt(columns.breaker, tick)];
  if (breaker !== 'closed') notes.push({ text: board.breaker[breaker], glyph: 'breaker', fill: palette.ejectedText, color: palette.ejected });
  const [retries, opened] = [perTick(columns.retries), perTick(columns.opened)];
  if (retries > 0) notes.push({ text: board.retries(perSecond(retries)), glyph: 'retry', fill: palette.refusedText, color: palette.refused });
  if (opened > 0 && opensAgain(link)) notes.push({ text: board.opened(perSecond(opened)), glyph: 'connection', fill: palette.text2, color: palette.text3 });
  return notes;
};

/** A link that ends in a process that is gone this very tick. */
export const drawDeadEnd = (canvas: Canvas, { link, end }: Route, callee: PlacedCard | undefined, moment: Moment): void => {
  const { scene, tick, palette } = moment;
  if (!callee || callee.form !== 'rows' || moment.veil.has(link.caller)) return;
  if (killIn(scene, callee.name, 0, tick) === undefined) return;
  canvas.circle(end.x, end.y, 12, { fill: palette.bg });
  drawGlyph(canvas, 'killed', end.x, end.y, 21, { color: palette.failed, cut: palette.onFailed });
};
