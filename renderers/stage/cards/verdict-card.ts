import type { PictureObjective, Study, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas, Drawing } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, condition, count, inputValue, resultValue } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted, wrapped } from '../fit.js';
import { flowOf, momentOf, type Moment, type StageOptions } from '../scene.js';
import { newCanvas } from '../stage.js';
import { drawStrip } from '../strip.js';

const left = 112;
const right = 1808;

/** What breaks first and why, every objective with how sure that is, and the whole run for the first time. */
export const verdictCard = (study: Study, variant: string, options: Pick<StageOptions, 'lang' | 'theme'>): Drawing => {
  const last = study.runs[variant].ticks.count - 1;
  const moment = momentOf(study, variant, last, options);
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const canvas = newCanvas(moment);
  const end = canvas.text(left, 116, words.verdict, { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(end + 18, 116, fitted(`${study.scenario.title[lang]} · ${variant}`, 26, 400, right - end - 18), { size: 26, fill: palette.text3 });
  const headline = headlineOf(moment);
  const size = [84, 68, 54].find((px) => textWidth(headline, px, 800) <= right - left) ?? 44;
  canvas.text(left - 4, 218, fitted(headline, size, 800, right - left), { size, weight: 800, room: right - left });
  wrapped(whyOf(moment), 30, 400, 1600).slice(0, 2).forEach((line, i) => canvas.text(left, 282 + i * 42, line, { size: 30, fill: palette.text2, room: right - left }));
  drawTable(canvas, study.verdicts.filter((verdict) => verdict.variant === variant), moment);
  drawStrip(canvas, { left: 262, right: 1540, marks: 748, marksBelow: 771, top: 790, bottom: 926, objective: 938, latencyTop: 960, latencyBottom: 1006, axis: 1040, size: 18 }, last, moment, false);
  drawTotals(canvas, moment);
  return canvas.drawing();
};

/** The headline of the verdict; it also heads the film's last chapter. */
export const headlineOf = ({ scene, lang, words: stage }: Moment): string => {
  const words = cardWords[lang];
  const first = scene.run.firstToBreak;
  if (!first) return words.nothingBreaks;
  const objective = namedObjective(first.objective, scene.run.system.objectives, stage);
  if (!first.resource) return words.breaks(sentence(objective), clock(first.tMs));
  const guess = first.resource.what === 'cpu' || first.resource.what === 'memory' ? '≈' : '';
  return words.breaksFirst(words.resource[first.resource.what], `${guess}${clock(first.resource.sinceMs)}`);
};

const whyOf = ({ scene, lang, words: stage }: Moment): string => {
  const words = cardWords[lang];
  const first = scene.run.firstToBreak;
  const flow = flowOf(scene.run, 0, scene.run.ticks.count - 1);
  const bad = flow.refused + flow.failed;
  const totals = bad > 0 ? words.wentWrong(count(bad), count(flow.offered), count(flow.refused), count(flow.failed)) : words.allWentWell(count(flow.offered));
  if (!first) return totals;
  const objective = namedObjective(first.objective, scene.run.system.objectives, stage);
  if (!first.resource) return `${words.whyNone(objective, clock(first.tMs))} ${totals}`;
  const { service, instance, what, sinceMs } = first.resource;
  const name = scene.structure.services.find((candidate) => candidate.name === service)?.instancesMax === 1 ? service : `${service} #${instance}`;
  const guess = what === 'cpu' || what === 'memory' ? '≈ ' : '';
  return `${words.why(name, `${guess}${stage[what === 'pool' ? 'slots' : what]}`, clock(sinceMs), objective, clock(first.tMs))} ${totals}`;
};

const namedObjective = (name: string, objectives: readonly PictureObjective[], words: Moment['words']): string => {
  const objective = objectives.find((candidate) => candidate.name === name);
  return objective ? `${objectiveText(objective.metric, words)} ${condition(objective.condition)}` : name;
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const objectiveText = (metric: string, words: Moment['words']): string => (metric in words.outcome ? words.outcome[metric as keyof typeof words.outcome] : metric);

const columns = { phase: left, objective: 330, result: 600, met: 800, sure: 980, note: 1180 } as const;
const table = { top: 398, pitch: 48, most: 6 } as const;

const drawTable = (canvas: Canvas, verdicts: readonly Verdict[], moment: Moment): void => {
  const { palette, lang } = moment;
  const words = cardWords[lang];
  for (const [key, label] of [['phase', words.phase], ['objective', words.objective], ['result', words.result], ['sure', words.howSure]] as const) canvas.text(columns[key], table.top, label, { size: 20, fill: palette.text3 });
  const shown = verdicts.length > table.most ? verdicts.slice(0, table.most - 1) : verdicts;
  shown.forEach((verdict, row) => drawRow(canvas, verdict, table.top + 48 + row * table.pitch, moment));
  if (shown.length < verdicts.length) canvas.text(left, table.top + 48 + shown.length * table.pitch, words.moreRows(verdicts.length - shown.length), { size: 22, fill: palette.text2 });
};

const drawRow = (canvas: Canvas, verdict: Verdict, y: number, moment: Moment): void => {
  const { palette, lang, words: stage } = moment;
  const words = cardWords[lang];
  canvas.line(left, y - 34, right, y - 34, { stroke: palette.line, strokeWidth: 1.2 });
  canvas.text(columns.phase, y, fitted(verdict.phase ?? words.wholeRun, 26, 600, 205), { size: 26, weight: 600, room: 210 });
  canvas.text(columns.objective, y, fitted(`${objectiveText(verdict.metric, stage)} ${condition(verdict.target)}`, 26, 400, 255), { size: 26, fill: palette.text2, room: 260 });
  const color = verdict.met === null ? palette.text2 : verdict.met ? palette.goodText : palette.failedText;
  drawBasis(canvas, verdict.basis, columns.result + 8, y - 9, 16, palette.text2);
  const guess = verdict.basis === 'estimated' ? '≈' : '';
  canvas.text(columns.result + 28, y, `${verdict.actual === null ? '' : guess}${resultValue(verdict.actual, verdict.unit, lang)}`, { size: 28, weight: 700, fill: color, room: 165 });
  if (verdict.met !== null) drawGlyph(canvas, verdict.met ? 'kept' : 'broken', columns.met + 10, y - 9, 22, { color, cut: palette.bg });
  canvas.text(columns.met + 32, y, verdict.met === null ? words.unknown : verdict.met ? words.kept : words.broken, { size: 26, weight: 600, fill: color, room: 140 });
  drawSureness(canvas, verdict, y, moment);
  canvas.text(columns.note, y, fitted(noteOf(verdict, moment), 22, 400, right - columns.note), { size: 22, fill: palette.text2, room: right - columns.note });
};

/** Firm is plain; what a guess could still turn is a hatched chip. */
const drawSureness = (canvas: Canvas, { sure }: Verdict, y: number, { palette, lang }: Moment): void => {
  const text = cardWords[lang].sure[sure];
  if (sure === 'firm') {
    canvas.text(columns.sure, y, text, { size: 26, weight: 600 });
    return;
  }
  const width = textWidth(text, 24, 700) + 44;
  canvas.rect(columns.sure - 2, y - 27, width, 37, { fill: { color: palette.line2, ground: palette.bg, period: 9, stripe: 2 }, stroke: palette.text, strokeWidth: 2, radius: 6 });
  canvas.rect(columns.sure + 10, y - 21, width - 24, 26, { fill: palette.bg, radius: 3 });
  canvas.text(columns.sure - 2 + width / 2, y, text, { size: 24, weight: 700, anchor: 'middle', room: width - 26 });
};

const noteOf = (verdict: Verdict, { scene, lang }: Moment): string => {
  const words = cardWords[lang];
  if (verdict.sure === 'firm') return words.firmNote;
  if (verdict.sure === 'hinges' && verdict.flipsAt) {
    const input = scene.study.inputs.find(({ path }) => path === verdict.flipsAt!.path);
    return words.hingesNote(shortName(verdict.flipsAt.path), inputValue(verdict.flipsAt.value, input?.unit ?? 'count', lang, input?.currency));
  }
  const names = verdict.restsOn.slice(0, 3).map(shortName);
  return names.length > 0 ? words.untestedNote(names.join(', '), verdict.restsOn.length - names.length) : '';
};

/** `values.order-cpu` → `order-cpu`; other paths keep their last two names. */
const shortName = (path: string): string => (path.startsWith('values.') ? path.slice(7) : path.split('.').slice(-2).join('.'));

const drawTotals = (canvas: Canvas, { scene, palette, words, lang }: Moment): void => {
  const x = 1576;
  const flow = flowOf(scene.run, 0, scene.run.ticks.count - 1);
  drawBasis(canvas, 'counted', x + 8, 772, 16, palette.text2);
  canvas.text(x + 28, 778, cardWords[lang].requests, { size: 18, fill: palette.text3, room: right - x - 28 });
  ([['good', palette.goodArea, palette.goodText], ['refused', palette.refusedArea, palette.refusedText], ['failed', palette.failed, palette.failedText]] as const).forEach(([key, fill, ink], i) => {
    const y = 810 + i * 34;
    canvas.rect(x, y - 15, 16, 16, { fill });
    canvas.text(x + 28, y, words.outcome[key], { size: 20 });
    canvas.text(right, y, count(flow[key]), { size: 22, weight: 700, fill: ink, anchor: 'end' });
  });
};
