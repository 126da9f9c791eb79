import { sweepCurve, type SweepPanel } from '../../charts/curves.js';
import { axisUnit, count, inputValue, nearInput, unknown } from '../../look/numbers.js';
import { basisOfMetric } from '../../../src/study/judging.js';
import type { Input, Sweep, Verdict } from '../../../src/study/types.js';
import { chartWords } from '../../../src/text/report-charts.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, mainTraffic, shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { clean, plainText, say } from '../rich.js';
import { verdictName, verdictsOf } from './objectives.js';
import { goalOf, ticksOf } from './sensitivity.js';

/** Panels of one sweep. */
const mostPanels = 9;

/** One value moved over a range, curve by curve: the objectives, then good requests per second and p95 where no objective asks for them. */
export const sweepsPage = (report: ReportContext): void => {
  const { flow, study, run, words, lang } = report;
  flow.h1(trialWords[lang].title.sweeps);
  flow.band('counted', words.band.counted, () => {
    for (const sweep of study.sweeps) if (sweep.variant === run.variant) oneSweep(report, sweep);
  });
};

const oneSweep = (report: ReportContext, sweep: Sweep): void => {
  const { flow, study, lang, prose } = report;
  const { path, unit, currency, values, written } = sweep;
  const text = (value: number): string => inputValue(value, unit, lang, currency);
  const basis = study.inputs.find((input) => input.path === path)?.basis ?? 'chosen';
  const per = axisUnit(unit, Math.max(...values));
  const shown = shownOf(report, sweep);
  const panels = panelsOf(shown, report, sweep, per);
  const drawing = sweepCurve({
    width: column.width,
    panels,
    input: { label: clean(path), tick: (value) => (value === 0 ? '0' : nearInput(value * per, unit, lang, currency)) },
    written: written === null ? null : { input: written / per, text: trialWords[lang].asWritten(null) },
  });
  flow.h2(clean(path), prose('sensitivity', 'sweep', { points: counted(count(values.length)), from: say(text(values[0]), basis), to: say(text(values.at(-1)!), basis), written: written === null ? undefined : say(text(written), basis) }));
  flow.drawing(drawing, panels.map(({ title, points, tick, knee }) => `${title}: ${points.map(({ input, value }) => `${text(input * per)}: ${value === null ? unknown[lang] : tick(value)}`).join(', ')}${knee ? `; ${knee.text}` : ''}`).join('. '));
  flow.paragraph(kneesText(shown, sweep, basis, report), styles.note);
  flow.space(10);
};

interface Shown {
  readonly index: number;
  readonly title: string;
  readonly goal: SweepPanel['goal'];
}

/** Inputs in units of the axis. */
const panelsOf = (shown: readonly Shown[], report: ReportContext, sweep: Sweep, per: number): SweepPanel[] =>
  shown.map(({ index, title, goal }) => {
    const { unit, metric } = sweep.figures[index];
    const knee = sweep.knees[index];
    return {
      title,
      tick: ticksOf([...sweep.at.map((row) => row[index]), goal?.value ?? null], unit, report.lang),
      points: sweep.values.map((input, i) => ({ input: input / per, value: sweep.at[i][index] })),
      goal,
      knee: knee === null ? null : { input: knee / per, text: chartWords[report.lang].knee(nearInput(knee, sweep.unit, report.lang, sweep.currency)) },
      isEstimated: basisOfMetric(metric) === 'estimated',
    };
  });

/** The objectives whose figures move, then the main traffic's good rate, share and p95 in the phase that breaks. */
const shownOf = (report: ReportContext, sweep: Sweep): Shown[] => {
  const { run } = report;
  const verdicts = verdictsOf(report);
  const judged = verdicts.map((verdict, index): Shown => ({ index, title: plainText(verdictName(verdict, report)), goal: goalText(report, verdict) }));
  const scope = shadedPhase(report)?.name ?? null;
  const traffic = mainTraffic(report);
  const more = sweep.figures.flatMap((name, index): Shown[] => {
    if (index < verdicts.length || name.of !== traffic || name.phase !== scope || name.vs !== null || !['rate', 'good', 'p95'].includes(name.metric)) return [];
    return verdicts.some((verdict) => verdict.of === name.of && verdict.metric === name.metric && verdict.phase === name.phase) ? [] : [{ index, title: plainText(verdictName({ ...name, variant: run.variant }, report)), goal: null }];
  });
  const known = [...judged, ...more].filter(({ index }) => sweep.at.some((row) => row[index] !== null));
  const moving = known.filter(({ index }) => new Set(sweep.at.map((row) => row[index])).size > 1);
  return (moving.length > 0 ? moving : known).slice(0, mostPanels);
};

const goalText = (report: ReportContext, verdict: Verdict): SweepPanel['goal'] => {
  const goal = goalOf(report, verdict);
  return goal && { value: goal.value, text: `${report.words.goal} ${goal.text}` };
};

/** The knees that are shown, in a sentence. */
const kneesText = (shown: readonly Shown[], sweep: Sweep, basis: Input['basis'], report: ReportContext): string => {
  const words = trialWords[report.lang];
  const found = shown.flatMap(({ index, title }) => (sweep.knees[index] === null ? [] : [`${title}: ${words.kneeAt(say(nearInput(sweep.knees[index], sweep.unit, report.lang, sweep.currency), basis))}`]));
  return found.length === 0 ? words.noKnee : found.join(' ');
};
