import { numberAt } from '../../src/study/columns.js';
import type { DisplayState } from '../../src/text/stage.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { clock, count, perSecond } from '../look/numbers.js';
import type { Weight } from '../look/text-width.js';
import { countedBar } from './bars.js';
import { beliefAt, displayState, healthColors, healthGlyph, isDown, isWronglyIn, stateAt } from './display-state.js';
import { fitted } from './fit.js';
import { endedOf, linkFlow, linkOf, windowS } from './flows.js';
import type { PlacedNode } from './layout.js';
import { meanOf } from './board/levels.js';
import { offeredText } from './offered-text.js';
import { flowOf, goodShare, type Moment } from './scene.js';
import { wholePercent } from './whole-percent.js';

/** A traffic, a balancer with its rotation, or any other part of the system. */
export const drawNode = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { palette } = moment;
  const { x, y, width, height } = node.box;
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 10 });
  drawGlyph(canvas, node.kind, x + 27, y + 31, 24, { color: palette.text2, cut: palette.s1 });
  const title = (node.traffic ?? node.service)!.title[moment.lang];
  const badge = node.rotation && !node.compact ? 34 : 0;
  const room = width - 50 - 12 - badge;
  canvas.text(x + 50, y + 39, fitted(title, 22, 600, room), { size: 22, weight: 600, room });
  if (node.traffic) drawTraffic(canvas, node, moment);
  else if (node.rotation && !node.compact) drawRotation(canvas, node, moment);
  else drawPart(canvas, node, moment);
};

const drawTraffic = (canvas: Canvas, { name, traffic, box, compact }: PlacedNode, moment: Moment): void => {
  const { words, palette, window, scene } = moment;
  const { x, y, width } = box;
  const flow = flowOf(scene.run, window.from, window.to, name);
  const rate = perSecond(flow.offered / windowS(moment));
  if (compact) {
    canvas.text(x + 16, y + 84, rate, { size: 28, weight: 700, room: width - 32 });
    canvas.text(x + 16, y + 108, words.offered, { size: 17, fill: palette.text2 });
    return;
  }
  canvas.text(x + 16, y + 64, words.trafficKind[traffic!.kind], { size: 17, fill: palette.text3, room: width - 32 });
  canvas.text(x + 16, y + 122, rate, { size: 44, weight: 700, room: width - 24 });
  canvas.text(x + 16, y + 148, offeredText(moment, 17, width - 24), { size: 17, fill: palette.text2, room: width - 24 });
  const outcomes = endedOf(moment, name);
  const ended = outcomes.good + outcomes.declined + outcomes.refused + outcomes.failed;
  const wide = width - 32;
  let left = x + 16;
  canvas.rect(left, y + 164, wide, 12, { fill: palette.s3 });
  for (const [value, fill] of [[outcomes.good + outcomes.declined, palette.goodArea], [outcomes.refused, palette.refusedArea], [outcomes.failed, palette.failed]] as const) {
    const part = ended === 0 ? 0 : (wide * value) / ended;
    canvas.rect(left, y + 164, Math.max(0, part - (part < wide ? 2 : 0)), 12, { fill });
    left += part;
  }
  const share = goodShare(outcomes);
  if (share !== null) canvas.text(x + 16, y + 200, words.goodShare(wholePercent(share)), { size: 20, weight: 600, fill: share > 0 ? palette.goodText : palette.failedText, room: wide });
};

const rowHeight = 29;
const rowsMost = 6;

const drawRotation = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { words, palette, scene, tick } = moment;
  const { x, y, width, height } = node.box;
  const link = linkOf(scene, node.name, node.rotation!.callee) ?? node.rotation!;
  const state = displayState(scene, node.name, 0, tick);
  drawGlyph(canvas, healthGlyph(state), x + width - 26, y + 31, 22, { color: healthColors(palette, state).fill, cut: palette.s1 });
  canvas.text(x + 16, y + 64, words.policy[link.policy], { size: 17, fill: palette.text3, room: width - 24 });
  canvas.line(x + 16, y + 82, x + width - 16, y + 82, { stroke: palette.line, strokeWidth: 1.5 });
  canvas.text(x + 16, y + 110, words.rotation, { size: 17, fill: palette.text2, room: width - 24 });
  const most = scene.structure.services.find(({ name }) => name === link.callee)?.instancesMax ?? 1;
  for (let i = 0; i < Math.min(rowsMost, most); i++) drawRotationRow(canvas, x, y + 140 + i * rowHeight, width, i, link, moment);
  if (most > rowsMost) canvas.text(x + 16, y + 140 + rowsMost * rowHeight - 4, `+ ${count(most - rowsMost)}`, { size: 17, fill: palette.text3 });
  const foot = scene.run.ticks.links[`${link.caller}.${link.callee}`]?.failingOpen;
  const open = foot !== undefined && numberAt(foot, tick) === 1 && !moment.veil.has(node.name);
  const text = open ? words.failingOpen : nextCheck(moment, link);
  if (text) canvas.text(x + 16, y + height - 18, text, { size: 17, weight: open ? 600 : 400, fill: open ? palette.failedText : palette.text3, room: width - 24 });
};

export const nextCheck = ({ words, scene, tick }: Moment, link: NonNullable<PlacedNode['rotation']>): string | null => {
  if (!link.health) return null;
  const { everyMs, firstMs } = link.health;
  const after = (tick + 1) * scene.tickMs;
  return words.nextCheck(clock(firstMs + Math.max(0, Math.ceil((after - firstMs) / everyMs)) * everyMs));
};

/** What a balancer believes of an instance, as sign and word; null while the instance has no process. A row is kept for every instance that there can be. */
export const beliefMark = (link: NonNullable<PlacedNode['rotation']>, i: number, { words, palette, scene, tick }: Moment) => {
  const belief = beliefAt(scene, link, i, tick);
  const state = stateAt(scene, link.callee, i, tick);
  if (belief === 'absent' || state === 'off' || state === 'booting') return null;
  const common = { isIn: belief === 'in', cut: palette.s1, weight: 400 as Weight };
  if (isWronglyIn(scene, link, i, tick)) return { ...common, glyph: 'restarting' as const, color: palette.failed, cut: palette.onFailed, word: words.wrongly, weight: 700 as Weight, fill: palette.failedText };
  if (belief === 'in') return { ...common, glyph: 'in' as const, color: palette.text2, word: words.in, fill: palette.text };
  if (belief === 'joining') return { ...common, glyph: 'joining' as const, color: palette.boot, word: words.joining, fill: palette.bootText };
  return { ...common, glyph: 'ejected' as const, color: palette.ejected, word: words.out, fill: palette.ejectedText };
};

export const drawRotationRow = (canvas: Canvas, x: number, y: number, width: number, i: number, link: NonNullable<PlacedNode['rotation']>, moment: Moment): void => {
  const { palette } = moment;
  const mark = beliefMark(link, i, moment);
  if (!mark) return;
  const name = `#${i + 1}`;
  if (moment.veil.has(link.caller)) {
    canvas.text(x + 16, y, name, { size: 20, weight: 600 });
    canvas.text(x + 64, y + 1, '?', { size: 24, weight: 800 });
    return;
  }
  canvas.text(x + 16, y, name, { size: 20, weight: 600, fill: mark.isIn ? palette.text : palette.text3 });
  drawGlyph(canvas, mark.glyph, x + 70, y - 7, 18, { color: mark.color, cut: mark.cut });
  canvas.text(x + 90, y, mark.word, { size: 18, weight: mark.weight, fill: mark.fill, room: width - 100 });
};

/** How the instances of a part are, and what they hold over the moment's window; null where the variant has none. */
export const partLevels = (name: string, moment: Moment) => {
  const { scene, tick } = moment;
  const service = scene.run.system.services.find((candidate) => candidate.name === name);
  const instances = scene.run.ticks.services[name]?.instances ?? [];
  if (!service || instances.length === 0) return null;
  const states = instances.map((_, i) => displayState(scene, name, i, tick));
  const mean = (pick: 'slots' | 'queue'): number => Math.round(meanOf(instances.map((instance) => instance[pick].mean), moment));
  const slotsTotal = service.slots === null ? null : service.slots * Math.max(1, states.filter((state) => state !== 'off').length);
  return { states, slots: mean('slots'), queue: mean('queue'), slotsTotal, scale: slotsTotal ?? Math.max(1, scene.run.services[name]?.slots.max ?? 1) };
};

/** Any part without lanes: its health, how many of its slots are in use, what waits. */
const drawPart = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { words, palette } = moment;
  const { x, y, width } = node.box;
  const levels = partLevels(node.name, moment);
  if (!levels) return;
  if (moment.veil.has(node.name)) {
    canvas.text(x + 48, y + 72, '?', { size: 24, weight: 800 });
    return;
  }
  const { states, slots, slotsTotal: total } = levels;
  const worst = worstOf(states);
  const colors = healthColors(palette, worst);
  drawGlyph(canvas, healthGlyph(worst), x + 27, y + 66, 20, { color: colors.fill, cut: worst === 'killed' || isDown(worst) ? palette.onFailed : palette.s1 });
  const of = states.length > 1 ? ` ${states.filter((state) => state === worst).length}/${states.filter((state) => state !== 'off').length}` : '';
  canvas.text(x + 48, y + 72, `${words.state[worst]}${of}`, { size: 18, weight: 600, fill: colors.text, room: width - 56 });
  canvas.runs(x + 16, y + (node.compact ? 104 : 116), [{ text: total === null ? count(slots) : `${count(slots)}/${count(total)}`, size: 20, weight: 600 }, { text: ` ${words.slots}`, size: 17, fill: palette.text3 }], { room: width - 24 });
  if (node.compact) return;
  countedBar(canvas, { x: x + 16, y: y + 126, width: width - 32, height: 20 }, slots, levels.scale, colors.fill, palette);
  canvas.text(x + 16, y + 172, `${words.queue} ${count(levels.queue)}`, { size: 17, fill: palette.text3, room: width - 24 });
};

export const severity: readonly DisplayState[] = ['killed', 'crashed', 'frozen', 'dead', 'restarting', 'saturated', 'ejected', 'draining', 'joining', 'warming', 'booting', 'healthy', 'off'];
export const worstOf = (states: readonly DisplayState[]): DisplayState => severity.find((state) => states.includes(state) && (state !== 'booting' || !states.includes('healthy'))) ?? 'off';

/** Above a called node: the rate of its calls; left out where all of it is what its one traffic offers. */
export const drawNodeRate = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  if (node.traffic) return;
  const { scene, window, palette } = moment;
  const links = scene.run.system.links.filter((link) => link.callee === node.name);
  if (links.length === 0 || links.every((link) => link.callerKind === 'traffic')) return;
  const sent = links.reduce((sum, link) => sum + linkFlow(scene, link, 'all', window.from, window.to).sent, 0);
  canvas.text(node.box.x + node.box.width / 2, node.box.y - 14, perSecond(sent / windowS(moment)), { size: 20, weight: 600, anchor: 'middle', fill: palette.text, room: node.box.width });
};
