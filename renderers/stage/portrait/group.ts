import type { PictureService } from '../../../src/study/types.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas } from '../../look/drawing.js';
import type { Mark } from '../../look/figure.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, span } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted, wrapped } from '../fit.js';
import { windowS } from '../flows.js';
import { decision, drawSquares, fleetOf, inThisRun, machineText, shortGibibytes } from '../group.js';
import { shownLevels } from '../lane-levels.js';
import type { PlacedGroup } from '../layout.js';
import type { Moment } from '../scene.js';
import { drawLane } from './lane.js';
import { labelColumn, levelPlaces } from './lane-places.js';

const pad = 16;

/** The service whose instances stand side by side: a column for each, the names of the levels once, and at the foot what it is and what scales it. */
export const drawGroup = (canvas: Canvas, group: PlacedGroup, moment: Moment): void => {
  const { palette, scene, lang } = moment;
  const { x, y, width, height } = group.box;
  const service = inThisRun(group, moment);
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 12 });
  const foot = group.lanes[0].y + group.lanes[0].height;
  drawGlyph(canvas, service.kind, x + 28, foot + 24, 24, { color: palette.text2, cut: palette.s1 });
  const machine = machineText(service, moment);
  const room = width - 50 - pad - textWidth(machine, 17) - 20;
  canvas.text(x + 50, foot + 32, fitted(service.title[lang], 24, 700, room), { size: 24, weight: 700, room });
  canvas.text(x + width - pad, foot + 31, machine, { size: 17, fill: palette.text3, anchor: 'end' });
  if (service.autoscale) drawAutoscaler(canvas, group, foot, service, moment);
  drawLabels(canvas, group, service, moment);
  // Another variant may have more instances: their lanes stay empty here.
  group.lanes.slice(0, scene.run.ticks.services[service.name].instances.length).forEach((lane, index) => drawLane(canvas, lane, index, service, moment));
};

const drawAutoscaler = (canvas: Canvas, { box: { x, width } }: PlacedGroup, y: number, service: PictureService, moment: Moment): void => {
  const { palette, words } = moment;
  const { line, states } = fleetOf(service, moment);
  drawBasis(canvas, 'estimated', x + pad + 7, y + 50, 14, palette.text2);
  const end = canvas.text(x + pad + 20, y + 56, `≈ ${words.autoscaler}`, { size: 17, fill: palette.text2 });
  drawSquares(canvas, states, end + 12, y + 41, moment);
  canvas.text(x + width - pad, y + 56, line, { size: 20, weight: 600, anchor: 'end', room: width - pad - 12 - (end + 12 + states.length * 20 - x) });
  const text = decision(service.name, moment);
  const size = [17, 16].find((px) => textWidth(text, px) <= width - 2 * pad) ?? 16;
  canvas.text(x + pad, y + 79, text, { size, fill: palette.text2, room: width - 2 * pad });
};

/** Left of the lanes, with the mark of how the figures are known and what they are of. */
const drawLabels = (canvas: Canvas, { box, lanes }: PlacedGroup, service: PictureService, moment: Moment): void => {
  const { palette, words, window, lang, scene } = moment;
  const shown = shownLevels(scene, service.name);
  const places = levelPlaces(lanes[0], shown);
  const x = box.x + 12;
  if (window.to > window.from) wrapped(words.meanOf(span(windowS(moment) * 1000, lang)), 16, 400, labelColumn).forEach((text, i) => canvas.text(x, lanes[0].y + 32 + i * 19, text, { size: 16, fill: palette.text3, room: labelColumn }));
  const label = (key: keyof typeof places, mark: Mark, name: string, total: string): void => {
    const { value, bar } = places[key];
    drawBasis(canvas, mark, x + 7, value - 6, 14, palette.text2);
    canvas.text(x + 18, value, mark === 'estimated' ? `≈ ${name}` : name, { size: 16, weight: 500, fill: palette.text2, room: labelColumn - 20 });
    if (total) canvas.text(x + 18, bar.y + 12, words.of(total), { size: 16, fill: palette.text3, room: labelColumn - 20 });
  };
  label('slots', 'counted', words.slots, service.slots === null ? '' : count(service.slots));
  label('queue', 'counted', words.queue, service.queueLimit === null ? '' : count(service.queueLimit));
  if (shown.cpu) label('cpu', 'estimated', words.cpu, '');
  if (shown.memory) label('memory', 'estimated', words.memory, service.memoryLimitBytes === null ? '' : shortGibibytes(service.memoryLimitBytes));
};
