import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { clock, speedSpan, speedText } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { fitted } from './fit.js';
import { appliesAt, goalText, isBetweenPhases, isKept, isTelling, objectivesAt, valueAt, valueText, type FollowedObjective } from './objectives.js';
import { phaseAt, type Moment } from './scene.js';

/** Title and variant, phase, objectives, speed of time, clock. */
export const drawHeader = (canvas: Canvas, moment: Moment): void => {
  const { scene, palette, words, lang } = moment;
  const { study, run, frame } = scene;
  const { title, variant, objectives, clock: time, rule } = frame.header;
  const text = study.scenario.title[lang];
  const size = title.sizes.find((px) => textWidth(text, px, 700) <= title.room) ?? title.sizes.at(-1)!;
  canvas.text(frame.margin, title.y, fitted(text, size, 700, title.room), { size, weight: 700, room: title.room + 2 });
  canvas.text(frame.margin, variant.y, `${fitted(run.variant, 18, 400, variant.room - 160)} · ${words.seed(study.scenario.seed)}`, { size: 18, fill: palette.text3, room: variant.room });
  drawPhase(canvas, moment);
  objectivesAt(scene, moment.tick).forEach((followed, place) => followed && drawObjective(canvas, objectives[place], followed, moment));
  drawSpeed(canvas, moment);
  canvas.runs(frame.right, time.y, [{ text: clock(moment.tick * scene.tickMs), size: time.size, weight: 700 }, { text: ` / ${clock(run.durationMs)}`, size: 22, fill: palette.text3 }], { anchor: 'end', room: 330 });
  canvas.line(frame.margin, rule, frame.right, rule, { stroke: palette.line, strokeWidth: 1.5 });
};

const phaseSizes = [28, 22, 18] as const;

const drawPhase = (canvas: Canvas, { scene, tick, palette, words }: Moment): void => {
  const phase = phaseAt(scene, tick);
  const { phase: { x, bar }, label, value } = scene.frame.header;
  const width = 120;
  canvas.text(x, label, words.phase, { size: 17, fill: palette.text3 });
  const size = phase ? (phaseSizes.find((px) => textWidth(phase.name, px, 600) <= 126) ?? 18) : 28;
  canvas.text(x, value, phase ? fitted(phase.name, size, 600, 132) : words.noPhase, { size, weight: 600, fill: phase ? palette.text : palette.text3, room: 134 });
  if (!phase) return;
  const done = ((tick + 1) * scene.tickMs - phase.fromMs) / (phase.toMs - phase.fromMs);
  canvas.rect(x, bar, width, 4, { fill: palette.s3, radius: 2 });
  canvas.rect(x, bar, width * Math.min(1, done), 4, { fill: palette.text2, radius: 2 });
};

const drawObjective = (canvas: Canvas, x: number, followed: FollowedObjective, moment: Moment): void => {
  const { scene, tick, palette, words } = moment;
  const { label: labelY, value: valueY, objectiveRoom, goal } = scene.frame.header;
  const name = followed.kind === 'share' ? words.outcome.good : followed.objective.metric;
  const between = isBetweenPhases(scene, moment.window.to);
  const applies = between || appliesAt(followed, scene, tick);
  const label = followed.kind === 'latency' ? words.metricNow(name) : between ? words.goodNow : phaseAt(scene, tick) ? words.metricPhase(name) : words.metricSoFar(name);
  canvas.text(x, labelY, scene.run.system.traffic.length > 1 ? labelOf(followed.objective.of, name, label, objectiveRoom, goal !== null) : label, { size: 17, fill: palette.text3, room: objectiveRoom });
  const value = valueAt(followed, moment);
  const widest = textWidth(followed.kind === 'share' ? '88.8%' : '88.8 ms', 28, 700);
  const judged = value !== null && applies && isTelling(followed, value, moment);
  const kept = value !== null && isKept(followed, value);
  const color = !judged ? palette.text2 : kept ? palette.goodText : palette.failedText;
  const end = canvas.text(x, valueY, value === null ? words.noPhase : valueText(followed, value), { size: 28, weight: 700, fill: color, room: widest });
  if (judged) drawGlyph(canvas, kept ? 'kept' : 'broken', end + 17, valueY - 10, 18, { color, cut: palette.bg });
  if (applies) canvas.text(goal === null ? x + widest + 35 : x, goal ?? valueY, `${words.goal} ${goalText(followed)}`, { size: 18, fill: palette.text3 });
};

/** Of several sources it is said whose objective it is; in a narrow place then only what it is, not what it is taken over. */
const labelOf = (of: string, metric: string, label: string, room: number, isNarrow: boolean): string => {
  const said = isNarrow && textWidth(`${of}: ${label}`, 17) > room ? metric : label;
  const rest = isNarrow ? textWidth(`: ${said}`, 17) : textWidth(said, 17) + 24;
  return `${fitted(of, 17, 400, Math.max(60, room - rest))}: ${said}`;
};

const drawSpeed = (canvas: Canvas, { scene, speed, heldS, palette, words, lang }: Moment): void => {
  const { speed: { x, room }, label, value } = scene.frame.header;
  const held = heldS !== null;
  canvas.text(x, label, held ? words.heldNote(heldS) : words.speedNote(speedSpan(speed, lang)), { size: 17, fill: palette.text3, room });
  drawGlyph(canvas, held ? 'pause' : 'play', x + 9, value - 11, 20, { color: palette.text2, cut: palette.bg });
  canvas.text(x + 28, value, held ? words.held : speedText(speed), { size: 28, weight: 600 });
};
