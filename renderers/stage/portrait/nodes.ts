import { numberAt } from '../../../src/study/columns.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { countedBar } from '../bars.js';
import { drawChip } from '../board/chips.js';
import { displayState, healthColors, healthGlyph, isDown } from '../display-state.js';
import { fitted, wrapped } from '../fit.js';
import { endedOf, linkFlow, linkOf, windowS } from '../flows.js';
import type { PlacedNode } from '../layout.js';
import { notesAt } from '../link-notes.js';
import { beliefMark, nextCheck, partLevels, worstOf } from '../nodes.js';
import { offeredText } from '../offered-text.js';
import { flowOf, goodShare, type Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';

const pad = 16;
const titleX = 50;
/** Below this width a source says its figures in two lines. */
const wideFrom = 560;

/** A traffic, a balancer with what it believes of each lane, or any other part: short and wide. */
export const drawNode = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { palette } = moment;
  const { x, y, width, height } = node.box;
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 10 });
  drawGlyph(canvas, node.kind, x + 27, y + (node.traffic && width >= wideFrom ? height / 2 : 25), 24, { color: palette.text2, cut: palette.s1 });
  if (node.traffic) drawTraffic(canvas, node, moment);
  else if (node.rotation) drawRotation(canvas, node, moment);
  else drawPart(canvas, node, moment);
};

const titleOf = (node: PlacedNode, { lang }: Moment): string => (node.traffic ?? node.service)!.title[lang];

const drawTitle = (canvas: Canvas, node: PlacedNode, y: number, right: number, moment: Moment): number => {
  const room = right - node.box.x - titleX;
  return canvas.text(node.box.x + titleX, y, fitted(titleOf(node, moment), 22, 600, room), { size: 22, weight: 600, room });
};

const drawTraffic = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { words, palette, window, scene } = moment;
  const { x, y, width } = node.box;
  const flow = flowOf(scene.run, window.from, window.to, node.name);
  const rate = perSecond(flow.offered / windowS(moment));
  const outcomes = endedOf(moment, node.name);
  const share = goodShare(outcomes);
  const shareText = share === null ? '' : words.goodShare(wholePercent(share));
  const shareColor = share !== null && share > 0 ? palette.goodText : palette.failedText;
  if (width < wideFrom) {
    drawTitle(canvas, node, y + 33, x + width - pad - 90, moment);
    canvas.text(x + width - pad, y + 34, rate, { size: 26, weight: 700, anchor: 'end', room: 90 });
    if (drawNotes(canvas, node, x + pad, y + 56, moment)) return;
    const end = x + pad + textWidth(words.goodShare('100%'), 17, 600) + 12;
    canvas.text(x + pad, y + 56, shareText, { size: 17, weight: 600, fill: shareColor });
    drawOutcomes(canvas, outcomes, { x: end, y: y + 45, width: x + width - pad - end }, moment);
    return;
  }
  drawTitle(canvas, node, y + 30, x + 250, moment);
  if (!drawNotes(canvas, node, x + titleX, y + 53, moment)) canvas.text(x + titleX, y + 53, words.trafficKind[node.traffic!.kind], { size: 17, fill: palette.text3, room: 200 });
  const end = canvas.text(x + 262, y + 47, rate, { size: 40, weight: 700 });
  const right = x + width - pad - 178;
  const offeredX = Math.max(end, x + 262 + textWidth('8.8k/s', 40, 700)) + 10;
  canvas.text(offeredX, y + 46, offeredText(moment, 17, right - offeredX - 12), { size: 17, fill: palette.text2 });
  drawOutcomes(canvas, outcomes, { x: right, y: y + 16, width: 178 }, moment);
  canvas.text(right, y + 51, shareText, { size: 20, weight: 600, fill: shareColor, room: 178 });
};

const drawOutcomes = (canvas: Canvas, { good, declined, refused, failed }: ReturnType<typeof flowOf>, { x, y, width }: { x: number; y: number; width: number }, { palette }: Moment): void => {
  const ended = good + declined + refused + failed;
  canvas.rect(x, y, width, 12, { fill: palette.s3 });
  let left = x;
  for (const [value, fill] of [[good, palette.goodArea], [refused, palette.refusedArea], [failed, palette.failed]] as const) {
    const part = ended === 0 ? 0 : (width * value) / ended;
    canvas.rect(left, y, Math.max(0, part - (part < width ? 2 : 0)), 12, { fill });
    left += part;
  }
};

const drawRotation = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { words, palette, scene, tick } = moment;
  const { x, y, width } = node.box;
  const link = linkOf(scene, node.name, node.rotation!.callee) ?? node.rotation!;
  const state = displayState(scene, node.name, 0, tick);
  drawGlyph(canvas, healthGlyph(state), x + width - 26, y + 25, 22, { color: healthColors(palette, state).fill, cut: palette.s1 });
  const failingOpen = scene.run.ticks.links[`${link.caller}.${link.callee}`]?.failingOpen;
  const open = failingOpen !== undefined && numberAt(failingOpen, tick) === 1 && !moment.veil.has(node.name);
  const side = open ? words.failingOpen : (nextCheck(moment, link) ?? '');
  const sideRoom = Math.max(textWidth(words.failingOpen, 17, 600), textWidth(words.nextCheck('88:88'), 17));
  const right = x + width - 48;
  canvas.text(right, y + 32, side, { size: 17, weight: open ? 600 : 400, fill: open ? palette.failedText : palette.text3, anchor: 'end' });
  const policy = words.policy[link.policy];
  const isNarrow = width < wideFrom;
  const end = drawTitle(canvas, node, y + 33, right - sideRoom - 16 - (isNarrow ? 0 : textWidth(policy, 17) + 10), moment);
  if (!isNarrow) {
    const policyEnd = canvas.text(end + 10, y + 32, policy, { size: 17, fill: palette.text3 });
    drawNotes(canvas, node, policyEnd + 18, y + 32, moment, right - sideRoom - 12);
  }
  const most = scene.structure.services.find(({ name }) => name === link.callee)?.instancesMax ?? 1;
  const { group } = scene.layout;
  const lanes = group?.service.name === link.callee ? group.lanes : null;
  if (lanes) canvas.text(x + 12, y + 60, words.rotation, { size: 16, fill: palette.text2, room: lanes[0].x - x - 14 });
  const pitch = (width - 2 * pad) / Math.min(6, most);
  for (let i = 0; i < Math.min(6, most); i++) drawBelief(canvas, lanes ? lanes[i].x : x + pad + i * pitch, y + 60, lanes ? lanes[i].width : pitch - 6, i, link, moment);
};

/** Over its lane. */
const drawBelief = (canvas: Canvas, x: number, y: number, width: number, i: number, link: NonNullable<PlacedNode['rotation']>, moment: Moment): void => {
  const mark = beliefMark(link, i, moment);
  if (!mark) return;
  if (moment.veil.has(link.caller)) {
    canvas.text(x + 10, y + 3, '?', { size: 24, weight: 800 });
    return;
  }
  drawGlyph(canvas, mark.glyph, x + 12, y - 6, 18, { color: mark.color, cut: mark.cut });
  const room = width - 26;
  const lines = wrapped(mark.word, 17, mark.weight, room);
  lines.forEach((text, line) => canvas.text(x + 26, y + (lines.length > 1 ? line * 18 - 9 : 0), text, { size: 17, weight: mark.weight, fill: mark.fill, room }));
};

/** Its rate and health, how many of its slots are in use, what waits. */
const drawPart = (canvas: Canvas, node: PlacedNode, moment: Moment): void => {
  const { words, palette, scene, window } = moment;
  const { x, y, width } = node.box;
  const links = scene.run.system.links.filter((link) => link.callee === node.name);
  const sent = links.reduce((sum, link) => sum + linkFlow(scene, link, 'all', window.from, window.to).sent, 0);
  const rateRoom = textWidth('88.8k/s', 20, 600);
  if (links.length > 0) canvas.text(x + width - pad, y + 33, perSecond(sent / windowS(moment)), { size: 20, weight: 600, anchor: 'end', room: rateRoom });
  const end = drawTitle(canvas, node, y + 33, x + width - pad - rateRoom - 8, moment);
  drawNotes(canvas, node, end + 14, y + 32, moment, x + width - pad - rateRoom - 8);
  const levels = partLevels(node.name, moment);
  if (!levels) return;
  if (moment.veil.has(node.name)) {
    canvas.text(x + titleX, y + 62, '?', { size: 24, weight: 800 });
    return;
  }
  const worst = worstOf(levels.states);
  const colors = healthColors(palette, worst);
  drawGlyph(canvas, healthGlyph(worst), x + 27, y + 56, 18, { color: colors.fill, cut: worst === 'killed' || isDown(worst) ? palette.onFailed : palette.s1 });
  const stateEnd = canvas.text(x + titleX, y + 62, words.state[worst], { size: 17, weight: 600, fill: colors.text });
  const slots = levels.slotsTotal === null ? count(levels.slots) : `${count(levels.slots)}/${count(levels.slotsTotal)}`;
  const left = Math.max(stateEnd + 14, x + titleX + 118);
  const slotsEnd = canvas.runs(left, y + 62, [{ text: slots, size: 18, weight: 600 }, { text: ` ${words.slots}`, size: 16, fill: palette.text3 }]);
  const queue = `${words.queue} ${count(levels.queue)}`;
  const queueRoom = textWidth(`${words.queue} 888`, 16);
  const bar = { x: Math.max(slotsEnd, left + textWidth('88/88', 18, 600) + textWidth(` ${words.slots}`, 16)) + 12, y: y + 46, height: 18 };
  const barRoom = x + width - pad - queueRoom - 14 - bar.x;
  if (barRoom >= 40) countedBar(canvas, { ...bar, width: barRoom }, levels.slots, levels.scale, colors.fill, palette);
  if (slotsEnd + 10 + textWidth(queue, 16) <= x + width - pad) canvas.text(x + width - pad, y + 62, queue, { size: 16, fill: palette.text3, anchor: 'end' });
};

/** What holds the links of a node, as far as there is room; whether there is anything. */
const drawNotes = (canvas: Canvas, node: PlacedNode, x: number, y: number, moment: Moment, right = node.box.x + node.box.width - pad): boolean => {
  const notes = notesAt(node.name, moment, true);
  let left = x;
  for (const { text, glyph, fill, color, isFault } of notes) {
    const wide = isFault ? textWidth(text, 16, 600) + 34 : textWidth(text, 16, 500) + 22;
    if (left + wide > right) {
      drawGlyph(canvas, glyph, left + 8, y - 5, 15, { color, cut: moment.palette.s1 });
      left += 22;
      continue;
    }
    if (isFault) drawChip(canvas, left, y - 16, text, moment);
    else {
      drawGlyph(canvas, glyph, left + 8, y - 5, 15, { color, cut: moment.palette.s1 });
      canvas.text(left + 22, y, text, { size: 16, weight: 500, fill });
    }
    left += wide + 12;
  }
  return notes.length > 0;
};
