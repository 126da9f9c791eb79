import type { LoggedEvent, PictureService } from '../../../src/study/types.js';
import { numberAt } from '../../../src/study/columns.js';
import { countdown } from '../../look/clock.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { countedBar, estimatedBar } from '../bars.js';
import { healthGlyph, isDown } from '../display-state.js';
import { wrapped } from '../fit.js';
import type { Box } from '../frame.js';
import { drawGround } from '../lane.js';
import { drawFraction, drawLevels, shownLevels, type LevelPlaces } from '../lane-levels.js';
import { detailOf, instanceOf, laneAt, progress, type Lane } from '../lane-state.js';
import type { Moment } from '../scene.js';
import { identity, inset, levelPlaces } from './lane-places.js';
import { wordLines, wordPitch, wordSize, wordsIn } from './lane-words.js';

/** One instance as a column: number, state and why, then its levels. `index` is 0-based. */
export const drawLane = (canvas: Canvas, box: Box, index: number, service: PictureService, moment: Moment): void => {
  const lane = laneAt(canvas, box, index, service, moment);
  const places = levelPlaces(box, shownLevels(moment.scene, service.name));
  drawGround(lane);
  drawIdentity(lane);
  if (lane.veiled) return;
  if (lane.kill) drawKill(lane, lane.kill, places);
  else if (lane.state === 'booting') drawBoot(lane, places);
  else if (lane.state !== 'off') drawLevels(lane, places);
};

const drawIdentity = (lane: Lane): void => {
  const { canvas, box: { x, y, width }, index, moment: { palette, words }, state, veiled, colors, kill } = lane;
  const room = width - 2 * inset;
  if (!veiled) drawGlyph(canvas, healthGlyph(state), x + inset + 13, y + 26, state === 'off' ? 20 : 25, { color: colors.fill, cut: kill || isDown(state) ? palette.onFailed : palette.s2, progress: progress(lane) });
  canvas.text(x + inset + 31, y + 34, `#${index + 1}`, { size: 22, weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  let line = y + identity + 15;
  if (veiled) {
    canvas.text(x + inset + 4, line + 8, '?', { size: 26, weight: 800, fill: colors.text });
    return;
  }
  const said = wordsIn(words.state[state], kill && !hasLostRoom(lane) ? lostText(kill, lane) : detailOf(lane), room, wordLines(room));
  for (const [lines, weight, fill] of [[said.state, 600, colors.text], [said.detail, 400, kill ? palette.failedText : state === 'off' ? palette.text3 : palette.text2]] as const)
    for (const text of lines) {
      canvas.text(x + inset, line, text, { size: wordSize, weight, fill, room });
      line += wordPitch;
    }
};

const drawBoot = (lane: Lane, { slots }: LevelPlaces): void => {
  const { canvas, moment, service, colors } = lane;
  const { palette, words, lang, tick } = moment;
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  const left = numberAt(instanceOf(lane).bootLeftMs, tick);
  const guess = service.autoscale?.bootBasis === 'assumed' || service.autoscale?.bootBasis === 'default';
  estimatedBar(canvas, { ...slots.bar, y: slots.value - 14 }, progress(lane), colors.fill, palette);
  wrapped(words.detail.bootLeft(countdown(left, lang), countdown(total, lang), guess), wordSize, 600, slots.bar.width).forEach((text, i) => canvas.text(slots.bar.x, slots.value + slots.bar.height + 8 + i * wordPitch, text, { size: wordSize, weight: 600, fill: colors.text, room: slots.bar.width }));
};

const lostText = (kill: LoggedEvent, { moment: { words } }: Lane): string => `${words.lost(count(Number(kill.data['lost'] ?? 0)))} ${words.lostWord}`;

/** Whether estimated levels make room for the number of what was lost. */
const hasLostRoom = ({ moment, service }: Lane): boolean => {
  const { cpu, memory } = shownLevels(moment.scene, service.name);
  return cpu && memory;
};

/** In the tick of a kill: what ran and waited struck through, and how much was lost where CPU and memory stand otherwise. */
const drawKill = (lane: Lane, kill: LoggedEvent, places: LevelPlaces): void => {
  const { canvas, moment: { palette, words }, service } = lane;
  const [running, queued, lost] = ['running', 'queued', 'lost'].map((key) => Number(kill.data[key] ?? 0)) as [number, number, number];
  for (const [place, value, total] of [[places.slots, running, service.slots], [places.queue, queued, service.queueLimit]] as const) {
    const { bar } = place;
    drawFraction(canvas, place, value, total, palette.failedText);
    countedBar(canvas, bar, value, total ?? Math.max(1, value), palette.failed, palette);
    const end = bar.x + bar.width * (total === null ? 1 : Math.min(1, value / Math.max(1, total)));
    if (value > 0) canvas.line(bar.x - 3, bar.y + bar.height / 2, end + 2, bar.y + bar.height / 2, { stroke: palette.text, strokeWidth: 3 });
  }
  if (!hasLostRoom(lane)) return;
  const { x, width } = places.cpu.bar;
  const top = places.cpu.value + 18;
  const number = words.lost(count(lost));
  const size = [36, 30, 25].find((px) => textWidth(number, px, 800) <= width) ?? 20;
  canvas.text(x, top, number, { size, weight: 800, room: width });
  wrapped(words.lostWord, wordSize, 700, width).forEach((text, i) => canvas.text(x, top + 22 + i * wordPitch, text, { size: wordSize, weight: 700, fill: palette.failedText, room: width }));
};
