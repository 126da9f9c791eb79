import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { drawChip } from '../board/chips.js';
import type { Board } from '../board/place.js';
import { bandsOf, drawDeadEnd, notesOf, widestHere } from '../board/ribbons.js';
import { hasRate, noteCount, type Route } from '../board/routes.js';
import { linkFlow, windowS } from '../flows.js';
import { drawRibbon } from '../ribbon.js';
import type { Moment } from '../scene.js';
import { nameOf } from '../structure.js';

/** Height of a line of words before a ribbon's end. */
const lineHeight = 19;

/** All links of a board whose calls run down; what only passes a line lies under what ends there. */
export const drawRibbons = (canvas: Canvas, board: Board, moment: Moment): void => {
  const present = [...board.routes.values()].filter(({ link }) => moment.scene.run.ticks.links[nameOf(link)] !== undefined);
  for (const route of present.toSorted((a, b) => b.points.length - a.points.length)) {
    const gap = Math.min(...route.points.slice(1).map((point, i) => point.y - route.points[i].y).filter((dy, i) => i % 2 === 0 && dy > 0));
    drawRibbon(canvas, route.points, bandsOf(route.link, board, moment), Math.max(16, Math.min(84, gap - (hasWords(route, moment) ? lineHeight + 6 : 6))), 'down');
    if (route.isBack) drawGlyph(canvas, 'back', route.end.x, route.end.y + 18, 18, { color: moment.palette.text2, cut: moment.palette.bg });
  }
  for (const route of present) drawMarks(canvas, route, board, moment);
};

/** Whether anything is ever written beside its end. */
const hasWords = ({ link, hasLabels }: Route, { scene: { structure } }: Moment): boolean => hasLabels && (hasRate(link, structure) || noteCount(nameOf(link), structure) > 0);

/** Its last bend lies where its rate would stand: the rate is left out, the callee's own says most of it. */
const comesFromLeft = ({ points, end, isBack }: Route): boolean => {
  const before = points.findLast(({ x }) => Math.abs(x - end.x) > 1);
  return !isBack && before !== undefined && before.x < end.x && end.x - before.x > besideRibbon;
};
/** A bend within this is no wider than the ribbon. */
const besideRibbon = 12;

/** Beside where its calls arrive: its rate on the left, what holds it on the right; without room for words the sign stands on the ribbon. */
const drawMarks = (canvas: Canvas, route: Route, board: Board, moment: Moment): void => {
  const { scene, palette } = moment;
  const { link, end, isBack, hasLabels } = route;
  const half = widestHere(link, moment) / 2;
  const base = isBack ? end.y + lineHeight : end.y - 7;
  if (hasLabels && hasRate(link, scene.structure) && !comesFromLeft(route)) canvas.text(end.x - half - 5, base, perSecond(linkFlow(scene, link, 'reached', moment.window.from, moment.window.to).sent / windowS(moment)), { size: 16, weight: 600, anchor: 'end' });
  const left = end.x + half + 5;
  notesOf(link, moment).forEach(({ text, glyph, fill, color, isFault }, i) => {
    // One note in words: there is a line of room beside the ribbon.
    const fits = hasLabels && i === 0 && textWidth(text, 16, 600) + 34 <= 104;
    if (isFault && fits) drawChip(canvas, left, base - 16, text, moment);
    else if (fits) {
      drawGlyph(canvas, glyph, left + 8, base - 5, 15, { color, cut: palette.bg });
      canvas.text(left + 18, base, text, { size: 16, weight: 500, fill });
    } else {
      const at = hasLabels ? { x: end.x, y: base - 5 - (i - 1) * 24 } : { x: end.x, y: base - 5 - i * 24 };
      canvas.circle(at.x, at.y, 11, { fill: palette.bg });
      drawGlyph(canvas, glyph, at.x, at.y, 16, { color, cut: palette.bg });
    }
  });
  drawDeadEnd(canvas, route, board.cards.find(({ name }) => name === link.callee), moment);
};
