import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { clock, span } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { fitted } from './fit.js';
import { appliesAt, followedObjectives, goalText, isKept, isTelling, valueAt, valueText, type FollowedObjective } from './objectives.js';
import { phaseAt, type Moment } from './scene.js';

/** A long title is set smaller before it is cut. */
const titleSizes = [34, 29, 25] as const;
const titleRoom = 648;
const labelY = 50;
const valueY = 84;

/** Title and variant, phase, objectives, speed of time, clock. */
export const drawHeader = (canvas: Canvas, moment: Moment): void => {
  const { scene, palette, words, lang } = moment;
  const { study, run, frame } = scene;
  const title = study.scenario.title[lang];
  const size = titleSizes.find((px) => textWidth(title, px, 700) <= titleRoom) ?? titleSizes.at(-1)!;
  canvas.text(frame.margin, 62, fitted(title, size, 700, titleRoom), { size, weight: 700, room: titleRoom + 2 });
  canvas.text(frame.margin, 92, `${fitted(run.variant, 18, 400, 420)} · ${words.seed(study.scenario.seed)}`, { size: 18, fill: palette.text3, room: 580 });
  drawPhase(canvas, moment);
  followedObjectives(scene).forEach((followed, index) => drawObjective(canvas, index === 0 ? 850 : 1134, followed, moment));
  drawSpeed(canvas, moment);
  canvas.runs(frame.right, 88, [{ text: clock(moment.tick * scene.tickMs), size: 66, weight: 700 }, { text: ` / ${clock(run.durationMs)}`, size: 22, fill: palette.text3 }], { anchor: 'end', room: 330 });
  canvas.line(frame.margin, 110, frame.right, 110, { stroke: palette.line, strokeWidth: 1.5 });
};

const phaseSizes = [28, 22, 18] as const;

const drawPhase = (canvas: Canvas, { scene, tick, palette, words }: Moment): void => {
  const phase = phaseAt(scene, tick);
  const x = 706;
  const width = 120;
  canvas.text(x, labelY, words.phase, { size: 17, fill: palette.text3 });
  const size = phase ? (phaseSizes.find((px) => textWidth(phase.name, px, 600) <= 126) ?? 18) : 28;
  canvas.text(x, valueY, phase ? fitted(phase.name, size, 600, 132) : words.noPhase, { size, weight: 600, fill: phase ? palette.text : palette.text3, room: 134 });
  if (!phase) return;
  const done = ((tick + 1) * scene.tickMs - phase.fromMs) / (phase.toMs - phase.fromMs);
  canvas.rect(x, 95, width, 4, { fill: palette.s3, radius: 2 });
  canvas.rect(x, 95, width * Math.min(1, done), 4, { fill: palette.text2, radius: 2 });
};

const drawObjective = (canvas: Canvas, x: number, followed: FollowedObjective, moment: Moment): void => {
  const { scene, tick, palette, words } = moment;
  const name = followed.kind === 'share' ? words.outcome.good : followed.objective.metric;
  const applies = appliesAt(followed, scene, tick);
  const label = followed.kind === 'latency' ? words.metricNow(name) : phaseAt(scene, tick) ? words.metricPhase(name) : words.metricSoFar(name);
  // Of several sources it is said whose it is.
  const whose = scene.run.system.traffic.length > 1 ? `${fitted(followed.objective.of, 17, 400, Math.max(60, 252 - textWidth(label, 17, 400)))}: ` : '';
  canvas.text(x, labelY, `${whose}${label}`, { size: 17, fill: palette.text3, room: 276 });
  const value = valueAt(followed, moment);
  const widest = textWidth(followed.kind === 'share' ? '88.8%' : '88.8 ms', 28, 700);
  const end = x + 28 + widest;
  const judged = value !== null && applies && isTelling(followed, value, moment);
  const kept = value !== null && isKept(followed, value);
  const color = !judged ? palette.text2 : kept ? palette.goodText : palette.failedText;
  if (judged) drawGlyph(canvas, kept ? 'kept' : 'broken', x + 10, 74, 18, { color, cut: palette.bg });
  canvas.text(end, valueY, value === null ? words.noPhase : valueText(followed, value), { size: 28, weight: 700, fill: color, anchor: 'end', room: widest });
  if (applies) canvas.text(end + 10, valueY, `${words.goal} ${goalText(followed)}`, { size: 18, fill: palette.text3 });
};

const drawSpeed = (canvas: Canvas, { speed, heldS, palette, words, lang }: Moment): void => {
  const x = 1426;
  const held = heldS !== null;
  canvas.text(x, labelY, held ? words.heldNote(heldS) : words.speedNote(span(speed * 1000, lang)), { size: 17, fill: palette.text3, room: 174 });
  drawGlyph(canvas, held ? 'pause' : 'play', x + 9, 73, 20, { color: palette.text2, cut: palette.bg });
  canvas.text(x + 28, valueY, held ? words.held : `${Number(speed.toFixed(1))}×`, { size: 28, weight: 600 });
};
