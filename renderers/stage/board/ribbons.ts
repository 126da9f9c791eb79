import { breakerStates, type PictureLink } from '../../../src/study/types.js';
import { at, numberAt } from '../../../src/study/columns.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph, type Glyph } from '../../look/glyphs.js';
import { perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { killIn } from '../display-state.js';
import { faultsAt } from '../faults.js';
import { linkFlow, outcomeBands, ribbonWidth, windowS } from '../flows.js';
import { drawRibbon, type Band } from '../ribbon.js';
import type { Moment } from '../scene.js';
import { nameOf } from '../structure.js';
import { drawChip } from './chips.js';
import { roomEdge, type Board, type PlacedCard } from './place.js';
import { hasRate, opensAgain, type Route } from './routes.js';

/** All links: wide by rate, in bands by outcome; what only passes a column lies under what ends there. */
export const drawRibbons = (canvas: Canvas, board: Board, moment: Moment): void => {
  const present = [...board.routes.values()].filter(({ link }) => moment.scene.run.ticks.links[nameOf(link)] !== undefined);
  for (const route of present.toSorted((a, b) => b.points.length - a.points.length)) drawOne(canvas, route, board, moment);
  for (const route of present) drawMarks(canvas, route, board, moment);
};

/** How wide a link is now, and of which outcomes. */
export const bandsOf = (link: PictureLink, board: Board, moment: Moment): readonly Band[] => {
  const { scene, tick, palette } = moment;
  const flow = linkFlow(scene, link, 'reached', tick, tick);
  const width = ribbonWidth(scene, flow.sent);
  const callee = board.cards.find(({ name }) => name === link.callee);
  // What a source sends to a balancer has no outcome yet.
  const plain = (link.callerKind === 'traffic' && callee?.service?.kind === 'balancer') || moment.veil.has(link.caller);
  return flow.sent === 0 ? [{ width: 2, fill: palette.line2 }] : plain ? [{ width, fill: palette.trunk }] : outcomeBands(flow, width, palette);
};

const drawOne = (canvas: Canvas, route: Route, board: Board, moment: Moment): void => {
  const { scene, tick, palette } = moment;
  const width = ribbonWidth(scene, linkFlow(scene, route.link, 'reached', tick, tick).sent);
  const gap = Math.min(...route.points.slice(1).map((point, i) => point.x - route.points[i].x).filter((dx, i) => i % 2 === 0 && dx > 0));
  drawRibbon(canvas, route.points, bandsOf(route.link, board, moment), bendOf(gap, route.hasLabels ? labelRoom(route.link, moment) + width / 2 : 0));
  if (route.isBack) drawGlyph(canvas, 'back', route.end.x + 22, route.end.y, 18, { color: palette.text2, cut: palette.bg });
};

/** The bend leaves room for what is written before the end. */
const bendOf = (gap: number, labels: number): number => Math.max(24, Math.min(84, gap - Math.max(60, labels)));

/** Width of the widest words that a link may have at its end. */
const labelRoom = (link: PictureLink, { scene, board }: Moment): number => {
  const { structure } = scene;
  const wide = (text: string): number => textWidth(text, 16, 500) + 24 + 2 * (labelInset + roomInset(link, scene));
  const peak = structure.peaks.links.get(nameOf(link));
  return Math.max(
    hasRate(link, structure) ? textWidth('8.8k/s', 16, 600) + 2 * labelInset : 0,
    peak && peak.retries > 0 ? wide(board.retries('888/s')) : 0,
    peak && peak.opened > 0 && opensAgain(link) ? wide(board.opened('888/s')) : 0,
    link.breaker ? wide(board.breaker['half-open']) : 0,
    peak?.isHit ? wide(board.fault.blackhole) : 0,
  );
};

const labelInset = 8;

/** The edge of a room that a link enters is not written over. */
const roomInset = ({ caller, callee }: PictureLink, { structure }: Moment['scene']): number => {
  const roomsOf = (name: string): readonly string[] =>
    structure.services.flatMap((service) => (service.name === name && service.host !== null ? [service.host] : service.beside !== null && (service.name === name || service.beside === name) ? [`${service.name} beside ${service.beside}`] : []));
  return roomsOf(callee).some((room) => !roomsOf(caller).includes(room)) ? roomEdge : 0;
};

/** What is written on a link where its calls arrive, and what holds it: its rate, retries, connections, breaker, faults. */
const drawMarks = (canvas: Canvas, route: Route, board: Board, moment: Moment): void => {
  const { scene, palette } = moment;
  const { link, end, isBack, hasLabels } = route;
  const inset = labelInset + roomInset(link, scene);
  const x = isBack ? end.x + inset : end.x - inset;
  const anchor = isBack ? 'start' : 'end';
  const room = gapAt(route) - inset - 6;
  const widest = widestHere(link, moment);
  if (hasLabels && hasRate(link, scene.structure)) {
    const rate = perSecond(linkFlow(scene, link, 'reached', moment.window.from, moment.window.to).sent / windowS(moment));
    if (textWidth(rate, 16, 600) <= room) canvas.text(x, end.y - widest / 2 - 6, rate, { size: 16, weight: 600, anchor });
  }
  notesOf(link, moment).forEach(({ text, glyph, fill, color, isFault }, i) => {
    const y = end.y + widest / 2 + 17 + i * 20;
    const wide = textWidth(text, 16, 500) + 24;
    const fits = hasLabels && wide <= room;
    if (isFault && fits) return drawChip(canvas, x - (isBack ? 0 : wide), y - 15, text, moment);
    if (!fits) {
      // Without room for words the sign stands on the ribbon.
      canvas.circle(end.x - 16 - i * 24, end.y, 11, { fill: palette.bg });
      drawGlyph(canvas, glyph, end.x - 16 - i * 24, end.y, 16, { color, cut: palette.bg });
      return;
    }
    drawGlyph(canvas, glyph, x - (isBack ? -8 : textWidth(text, 16, 500) + 12), y - 5, 15, { color, cut: palette.bg });
    canvas.text(isBack ? x + 20 : x, y, text, { size: 16, weight: 500, fill, anchor });
  });
  drawDeadEnd(canvas, route, board.cards.find(({ name }) => name === link.callee), moment);
};

const gapAt = ({ points, isBack }: Route): number => (isBack ? points[1].x - points[0].x : points.at(-1)!.x - points.at(-2)!.x);

export const widestHere = (link: PictureLink, { scene }: Moment): number => ribbonWidth(scene, scene.structure.peaks.links.get(nameOf(link))?.sent ?? 0);

interface Note {
  readonly text: string;
  readonly glyph: Glyph;
  readonly fill: string;
  readonly color: string;
  readonly isFault?: boolean;
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
  canvas.circle(end.x, end.y, 16, { fill: palette.bg });
  drawGlyph(canvas, 'killed', end.x, end.y, 28, { color: palette.failed, cut: palette.onFailed });
};
