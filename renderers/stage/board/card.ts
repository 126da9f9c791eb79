import { numberAt } from '../../../src/study/columns.js';
import type { PictureService } from '../../../src/study/types.js';
import type { Canvas, TextRun } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { bytes, cores, count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { healthColors, healthGlyph, isDown, killIn } from '../display-state.js';
import { fitted } from '../fit.js';
import { addFlow, linkFlow, type LinkFlow } from '../flows.js';
import type { Box } from '../frame.js';
import { drawRotationRow, nextCheck, severity, worstOf } from '../nodes.js';
import type { Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { drawInstances, instancePlace } from './instances.js';
import { instancesOf, meanOf, serviceOf, statesOf } from './levels.js';
import type { PlacedCard } from './place.js';
import { instancesHeight, metrics, rowPitch } from './plan.js';
import { drawRows } from './rows.js';
import { drawSource } from './source.js';
import { rateText, whatFits } from './words.js';

const pad = 14;

/** A part of the system: its name, how it is, what it gets, and its levels or its instances. */
export const drawCard = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette } = moment;
  const { x, y, width, height } = card.box;
  const present = card.traffic ? moment.scene.run.system.traffic.some(({ name }) => name === card.name) : serviceOf(moment, card.name) !== undefined;
  if (!present) return drawAbsent(canvas, card, moment);
  if (card.traffic) return drawSource(canvas, card, moment);
  const service = serviceOf(moment, card.name)!;
  const kill = card.form === 'rows' && !moment.veil.has(card.name) ? killIn(moment.scene, card.name, 0, moment.tick) : undefined;
  canvas.rect(x, y, width, height, { fill: kill ? palette.failedBg : palette.s1, ...edgeOf(card, kill !== undefined, moment), radius: 10 });
  drawTitle(canvas, card, moment);
  drawState(canvas, card, moment);
  if (card.hasNote) drawNote(canvas, card, service, moment);
  const top = y + (card.hasNote ? metrics.head.full : metrics.head.bare);
  const inner = { x: x + pad, y: top, width: width - 2 * pad };
  if (kill) return drawLost(canvas, inner, height - (top - y), Number(kill.data['lost'] ?? 0), moment);
  if (card.form !== 'rows') drawInstances(canvas, card, service, { ...inner, x: x + metrics.cell.pad, width: width - 2 * metrics.cell.pad, height: instancesHeight(card) }, moment);
  const rowsTop = top + instancesHeight(card);
  if (card.rows.length > 0 && !moment.veil.has(card.name)) drawRows(canvas, card, service, { ...inner, y: rowsTop }, healthColors(palette, worstOf(statesOf(moment, card.name))).fill, moment);
  if (card.rotation) drawRotation(canvas, card, { ...inner, y: rowsTop + card.rows.length * rowPitch(card), height: 0 }, moment);
};

/** Where an instance is drawn: its lane or cell, else the whole card. `index` is 0-based. */
export const placeOfInstance = (card: PlacedCard, index: number): Box => {
  const { x, y, width } = card.box;
  const inner = { x: x + metrics.cell.pad, y: y + (card.hasNote ? metrics.head.full : metrics.head.bare), width: width - 2 * metrics.cell.pad, height: 0 };
  return instancePlace(card, inner, index) ?? card.box;
};

/** Trouble that all its instances share has an edge; one in many has its own cell. */
const edgeOf = (card: PlacedCard, killed: boolean, moment: Moment): { stroke: string; strokeWidth: number } => {
  const { palette } = moment;
  if (killed) return { stroke: palette.failed, strokeWidth: 3.5 };
  if (moment.veil.has(card.name)) return { stroke: palette.line, strokeWidth: 1.5 };
  const states = statesOf(moment, card.name);
  const worst = worstOf(states);
  const alive = states.filter((state) => state !== 'off' && state !== 'booting');
  const loud = worst === 'killed' || worst === 'crashed' || ((worst === 'saturated' || worst === 'frozen' || isDown(worst) || worst === 'ejected') && alive.every((state) => state === worst));
  return loud ? { stroke: healthColors(palette, worst).fill, strokeWidth: 2 } : { stroke: palette.line, strokeWidth: 1.5 };
};

const drawAbsent = (canvas: Canvas, { box, service, traffic }: PlacedCard, { palette, board, lang }: Moment): void => {
  const { x, y, width, height } = box;
  canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 10 });
  canvas.text(x + pad, y + 30, fitted((traffic ?? service)!.title[lang], 20, 600, width - 2 * pad), { size: 20, weight: 600, fill: palette.text3, room: width - 2 * pad });
  canvas.text(x + pad, y + 52, fitted(board.absent, 16, 400, width - 2 * pad), { size: 16, fill: palette.text3, room: width - 2 * pad });
};

const drawTitle = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette, lang } = moment;
  const { x, y, width } = card.box;
  drawGlyph(canvas, card.service!.kind, x + 25, y + 27, 22, { color: palette.text2, cut: palette.s1 });
  const room = width - 46 - pad;
  canvas.text(x + 46, y + 34, fitted(card.service!.title[lang], 22, 600, room), { size: 22, weight: 600, room });
};

/** Below this width the rate stands under the state, not beside it. */
const narrowCard = 236;

/** How it is on the left, how much it gets on the right. */
const drawState = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette, words } = moment;
  const { x, y, width } = card.box;
  const rate = rateText((from, to) => flowInto(card.name, { scene: moment.scene, window: { from, to } }).sent, moment);
  const isNarrow = width < narrowCard && card.hasNote;
  canvas.text(x + width - pad, y + (isNarrow ? 86 : 62), rate, { size: isNarrow ? 18 : 20, weight: 600, anchor: 'end' });
  const room = width - 2 * pad - (isNarrow ? 0 : Math.max(textWidth(rate, 20, 600), textWidth('8.8k/s', 20, 600)) + 8);
  if (moment.veil.has(card.name)) {
    canvas.text(x + pad + 4, y + 62, '?', { size: 22, weight: 800 });
    return;
  }
  const states = statesOf(moment, card.name);
  const worst = worstOf(states);
  if (states.length > 1) return drawTally(canvas, states, x + pad, y + 56, room, moment);
  const colors = healthColors(palette, worst);
  drawGlyph(canvas, healthGlyph(worst), x + 25, y + 56, 19, { color: colors.fill, cut: worst === 'killed' || isDown(worst) ? palette.onFailed : palette.s1, progress: 0.5 });
  canvas.text(x + 42, y + 62, fitted(words.state[worst], 18, 600, room - 28), { size: 18, weight: 600, fill: colors.text, room: room - 28 });
};

/** Signs with counts of what is not healthy, worst first; all healthy is a word. */
const drawTally = (canvas: Canvas, states: readonly (typeof severity)[number][], x: number, y: number, room: number, { palette, words, board }: Moment): void => {
  const counts = severity.filter((state) => state !== 'off').flatMap((state) => {
    const number = states.filter((one) => one === state).length;
    return number > 0 ? [[state, number] as const] : [];
  });
  let left = x;
  const only = counts.length === 1;
  for (const [state, number] of counts) {
    const colors = healthColors(palette, state);
    const text = only ? fitted(board.of(count(number), words.state[state]), 18, 600, room - 28) : count(number);
    if (left + 24 + textWidth(text, 18, 600) > x + room) return;
    drawGlyph(canvas, healthGlyph(state), left + 11, y, 19, { color: colors.fill, cut: palette.s1, progress: 0.5 });
    left = canvas.text(left + 27, y + 6, text, { size: 18, weight: 600, fill: colors.text }) + 12;
  }
};

/** All that reaches it, and how it ended. */
export const flowInto = (name: string, { scene, window }: Pick<Moment, 'scene' | 'window'>): LinkFlow =>
  scene.run.system.links.filter(({ callee }) => callee === name).reduce((sum, link) => addFlow(sum, linkFlow(scene, link, 'reached', window.from, window.to)), { sent: 0, good: 0, declined: 0, refused: 0, failed: 0 });

/** What goes wrong at it; else a used-up quota; else where it runs and what bounds it. */
const drawNote = (canvas: Canvas, card: PlacedCard, service: PictureService, moment: Moment): void => {
  const { palette, words, board } = moment;
  const { x, y, width } = card.box;
  const room = width - 2 * pad - (width < narrowCard ? textWidth('8.8k/s', 18, 600) + 8 : 0);
  const { good, declined, refused, failed } = flowInto(card.name, moment);
  const ended = good + declined + refused + failed;
  const bad: TextRun[] = [
    ...(refused > 0 ? [{ text: refused === ended ? words.allRefused : words.refusedShare(wholePercent(refused / ended)), fill: palette.refusedText }] : []),
    ...(failed > 0 ? [{ text: `${refused > 0 ? '  ' : ''}${failed === ended ? words.allFailed : words.failedShare(wholePercent(failed / ended))}`, fill: palette.failedText }] : []),
  ];
  // A card too narrow for both says the graver one.
  const shown = bad.length > 1 && bad.reduce((sum, { text }) => sum + textWidth(text, 16, 600), 0) > room ? bad.slice(1).map((run) => ({ ...run, text: run.text.trim() })) : bad;
  if (shown.length > 0 && !moment.veil.has(card.name)) {
    if (textWidth(shown[0].text, 16, 600) > room) {
      // No room for the word: the sign says it.
      const text = wholePercent((failed > 0 ? failed : refused) / ended);
      drawGlyph(canvas, failed > 0 ? 'broken' : 'saturated', x + pad + 8, y + 81, 14, { color: failed > 0 ? palette.failed : palette.refused, cut: palette.s1 });
      canvas.text(x + pad + 22, y + 86, text, { size: 16, weight: 600, fill: shown[0].fill!, room: room - 20 });
      return;
    }
    canvas.runs(x + pad, y + 86, shown, { size: 16, weight: 600, room });
    return;
  }
  const throttled = Math.max(0, ...instancesOf(moment, card.name).map((instance) => meanOf([instance.throttled], moment)));
  const note = throttled >= 0.005 && !moment.veil.has(card.name) ? board.quota(wholePercent(Math.min(1, throttled))) : whatFits(placeNotes(service, moment), room);
  canvas.text(x + pad, y + 86, fitted(note, 16, 400, room), { size: 16, fill: throttled >= 0.005 ? palette.refusedText : palette.text3, room });
};

const placeNotes = (service: PictureService, { board, words, scene, tick }: Moment): readonly string[] => {
  const host = scene.run.system.hosts.find(({ name }) => name === service.host);
  // What is as much as its machine has is no bound of its own.
  const cpus = service.cpus === null || service.cpus === host?.cpus ? null : cores(service.cpus);
  const where =
    service.host !== null ? [board.onHost(service.host, cpus)]
    : service.beside !== null ? [board.beside(service.beside), ...(cpus === null ? [] : [board.cores(cpus)])]
    : service.machine ? [board.machine(service.machine.name, cores(service.cpus ?? service.machine.cpus))]
    : cpus === null ? [] : [board.cores(cpus)];
  return [
    ...(service.autoscale === null ? [] : [board.desired(count(numberAt(scene.run.ticks.services[service.name].desired, tick)))]),
    ...(service.consumes === null ? [] : [board.consumes(service.consumes)]),
    ...(service.rateLimit === null ? [] : [board.rateLimit(perSecond(service.rateLimit.perS), service.rateLimit.scope === 'instance' && service.instancesMax > 1)]),
    ...where,
    ...(service.memoryLimitBytes === null || !host || service.memoryLimitBytes === host.memoryBytes ? [] : [bytes(service.memoryLimitBytes)]),
    ...Object.entries(service.stock).filter(([, units]) => units > 0).map(([name, units]) => board.stock(name, count(units))),
    ...(service.instancesMax > 1 ? [service.autoscale ? words.most(service.instancesMax) : words.instances(service.instancesMax)] : []),
  ];
};

/** In the tick of a kill the levels give way to what was lost. */
const drawLost = (canvas: Canvas, { x, y, width }: { x: number; y: number; width: number }, room: number, lost: number, { palette, words }: Moment): void => {
  if (room < 40) return;
  const end = canvas.text(x, y + 34, words.lost(count(lost)), { size: 36, weight: 800 });
  canvas.text(end + 8, y + 34, fitted(words.lostWord, 18, 700, x + width - end - 8), { size: 18, weight: 700, fill: palette.failedText, room: x + width - end - 8 });
};

const drawRotation = (canvas: Canvas, card: PlacedCard, { x, y, width }: Box, moment: Moment): void => {
  const { scene, tick, palette, words } = moment;
  const link = scene.run.system.links.find(({ caller, callee }) => caller === card.rotation!.caller && callee === card.rotation!.callee);
  if (!link) return;
  canvas.line(x, y + 8, x + width, y + 8, { stroke: palette.line, strokeWidth: 1.5 });
  const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
  const open = columns !== undefined && numberAt(columns.failingOpen, tick) === 1 && !moment.veil.has(card.name);
  const end = canvas.text(x, y + 28, fitted(words.rotation, 16, 400, width), { size: 16, fill: palette.text2, room: width });
  const side = open ? words.failingOpen : (nextCheck(moment, link) ?? words.policy[link.policy]);
  const room = x + width - end - 10;
  if (textWidth(side, 16, 400) <= room) canvas.text(x + width, y + 28, side, { size: 16, weight: open ? 600 : 400, fill: open ? palette.failedText : palette.text3, anchor: 'end' });
  for (let i = 0; i < card.rotationRows; i++) drawRotationRow(canvas, x - 16, y + metrics.rotationHead + 19 + i * metrics.rotationRow, width + 26, i, link, moment);
};
