import { numberAt } from '../../../src/study/columns.js';
import type { PictureService } from '../../../src/study/types.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { meanOf, statesOf } from '../board/levels.js';
import { beliefAt, healthColors, healthGlyph, isDown, isWronglyIn } from '../display-state.js';
import { fitted } from '../fit.js';
import { linkFlow, windowS } from '../flows.js';
import type { Box } from '../frame.js';
import { worstOf } from '../nodes.js';
import { flowOf, type Moment } from '../scene.js';
import { changesAt, type CompareMoment, type SideMoment } from './compare-scene.js';

const callerHeight = 124;
const otherHeight = 62;
const gap = 10;

/** What stands left of the lanes: who calls them above, the other services below. Gives the boxes of the callers. */
export const drawBeside = (canvas: Canvas, { x, y, width, height }: Box, group: string, side: SideMoment, compare: CompareMoment): ReadonlyMap<string, Box> => {
  const { moment } = side;
  const { system } = moment.scene.run;
  const callers = [...new Set(system.links.filter(({ callee }) => callee === group).map(({ caller }) => caller))];
  const others = system.services.filter(({ name }) => name !== group && !callers.includes(name));
  const boxes = new Map<string, Box>();
  let top = y;
  for (const caller of callers) {
    if (top + callerHeight > y + height) break;
    const box = { x, y: top, width, height: callerHeight };
    boxes.set(caller, box);
    drawCaller(canvas, box, caller, group, side, compare);
    top += callerHeight + gap;
  }
  for (const service of others) {
    if (top + otherHeight > y + height) break;
    drawOther(canvas, { x, y: top, width, height: otherHeight }, service, side, compare);
    top += otherHeight + gap;
  }
  return boxes;
};

/** A node that something set otherwise belongs to has a light edge. */
const edgeOf = (name: string, { index }: SideMoment, compare: CompareMoment): { readonly stroke: string; readonly strokeWidth: number } => {
  const isChanged = changesAt(compare, index, (touched) => (touched.kind === 'service' && touched.name === name) || (touched.kind === 'link' && touched.name.startsWith(`${name}.`))).length > 0;
  return isChanged ? { stroke: compare.palette.text, strokeWidth: 2.5 } : { stroke: compare.palette.line, strokeWidth: 1.5 };
};

const drawCaller = (canvas: Canvas, box: Box, caller: string, group: string, side: SideMoment, compare: CompareMoment): void => {
  const { moment } = side;
  const { palette, scene, tick, window, words } = moment;
  const { x, y, width } = box;
  const links = scene.run.system.links.filter((link) => link.caller === caller && link.callee === group);
  const service = scene.run.system.services.find(({ name }) => name === caller);
  canvas.rect(x, y, width, box.height, { fill: palette.s2, radius: 10, ...edgeOf(caller, side, compare) });
  drawGlyph(canvas, service?.kind ?? 'traffic', x + 22, y + 22, 18, { color: palette.text2, cut: palette.s2 });
  canvas.text(x + 38, y + 28, fitted(caller, 17, 700, width - 46), { size: 17, weight: 700, room: width - 45 });
  const offered = service ? scene.run.system.links.filter(({ callee }) => callee === caller).reduce((sum, link) => sum + linkFlow(scene, link, 'all', window.from, window.to).sent, 0) : flowOf(scene.run, window.from, window.to, caller).offered;
  canvas.text(x + 12, y + 60, perSecond(offered / windowS(moment)), { size: 24, weight: 700, room: width - 20 });
  canvas.text(x + 12, y + 80, words.offered, { size: 16, fill: palette.text3, room: width - 20 });
  const [link] = links;
  if (!link || service?.kind !== 'balancer') return;
  const targets = scene.run.ticks.services[group].instances.map((_, i) => i);
  const isIn = targets.filter((i) => beliefAt(scene, link, i, tick) === 'in').length;
  const wrongly = targets.filter((i) => isWronglyIn(scene, link, i, tick)).length;
  const open = numberAt(scene.run.ticks.links[`${link.caller}.${link.callee}`]?.failingOpen ?? 0, tick) === 1;
  const [text, fill] = open ? [compare.words.failsOpen, palette.failedText] : wrongly > 0 ? [compare.words.wronglyIn(wrongly), palette.failedText] : ['', palette.text2];
  canvas.text(x + 12, y + 98, fitted(compare.words.inRotation(isIn), 16, 400, width - 20), { size: 16, fill: palette.text2, room: width - 19 });
  if (text) canvas.text(x + 12, y + 116, fitted(text, 16, 600, width - 18), { size: 16, weight: 600, fill, room: width - 17 });
};

const drawOther = (canvas: Canvas, { x, y, width, height }: Box, service: PictureService, side: SideMoment, compare: CompareMoment): void => {
  const { moment } = side;
  const { palette } = moment;
  const worst = worstOf(statesOf(moment, service.name));
  canvas.rect(x, y, width, height, { fill: palette.s2, radius: 10, ...edgeOf(service.name, side, compare) });
  drawGlyph(canvas, healthGlyph(worst), x + 20, y + 20, 18, { color: healthColors(palette, worst).fill, cut: isDown(worst) || worst === 'killed' ? palette.onFailed : palette.s2, progress: 0.9 });
  canvas.text(x + 34, y + 26, fitted(service.name, 16, 700, width - 42), { size: 16, weight: 700, room: width - 41 });
  canvas.text(x + 12, y + 50, fitted(slotsText(service, moment, compare), 16, 400, width - 20), { size: 16, fill: palette.text2, room: width - 19 });
};

/** Slots in use of those that there are now. */
export const slotsText = (service: PictureService, moment: Moment, compare: Pick<CompareMoment, 'words'>): string => {
  const instances = moment.scene.run.ticks.services[service.name]?.instances ?? [];
  const up = Math.max(1, statesOf(moment, service.name).filter((state) => !['off', 'booting', 'dead', 'restarting'].includes(state)).length);
  return compare.words.slotsOf(count(Math.round(meanOf(instances.map(({ slots }) => slots.mean), moment))), service.slots === null ? null : count(service.slots * up));
};
