import { valueBars, type BarRow } from '../../charts/bars.js';
import { condition, count, latency, percent, points, share, unknown } from '../../look/numbers.js';
import { intervalText } from '../../look/sureness.js';
import type { Lang, PictureObjective, Run, SeedFigure, Verdict } from '../../../src/study/types.js';
import { listed } from '../../../src/text/events.js';
import { counted, goodShare, mainTraffic, shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import type { Facts } from '../prose.js';
import { bold, clean, markOnly } from '../rich.js';
import { spreadOf, totalsIn } from './effects.js';

/** What a variant comes to in the figure that the variants are compared by. */
interface Compared {
  readonly run: Run;
  /** Share of 0..1, or ms; null = no sample. */
  readonly value: number | null;
  /** The variant has no such phase. */
  readonly isAbsent: boolean;
  /** Its generator did not make the load. */
  readonly isBlind: boolean;
  readonly text: string;
  /** Over several seeds; null where one ran. */
  readonly seeds: SeedFigure | null;
}

/** Variants by one figure, as bars and sentences: the objective that breaks first where it is a time, else the share of good requests. */
export const compared = (report: ReportContext, runs: readonly [Run, ...Run[]]): void => {
  const { flow, prose } = report;
  const traffic = mainTraffic(report);
  if (traffic === null) return;
  const scope = shadedPhase(report)?.name;
  const time = brokenTime(report);
  const figures = runs.map((run) => figureOf(report, run, time, traffic));
  const [reference] = figures;
  if (!time && figures.every(({ value, isBlind }) => value === reference.value && !isBlind)) {
    flow.paragraph(bold(prose('sections', 'sameShare', { scope: scope ? clean(scope) : undefined, share: reference.text })), styles.body);
    return flow.space(8);
  }
  bars(report, figures, time, traffic);
  flow.space(4);
  flow.paragraph(reaching(report, runs), styles.body);
  flow.space(4);
  for (const figure of figures) flow.paragraph(prose('sections', 'variantSentence', sentenceFacts(report, figure, reference, time)), styles.body);
  flow.space(10);
};

/** The objective that breaks first, where it is a time. */
const brokenTime = ({ run }: ReportContext): PictureObjective | undefined => run.system.objectives.find(({ name, unit }) => name === run.firstToBreak?.objective && unit === 'ms');

const figureOf = (report: ReportContext, run: Run, time: PictureObjective | undefined, traffic: string): Compared => {
  const { words, lang, study } = report;
  const scope = shadedPhase(report)?.name;
  const judged = study.verdicts.filter(({ variant, phase }) => variant === run.variant && phase === (scope ?? null));
  const totals = totalsIn(run, scope, traffic);
  const verdict = time && judged.find(({ objective }) => objective === time.name);
  const seeds = time ? (verdict?.seeds ?? null) : spreadOf(study, { variant: run.variant, of: traffic, metric: 'good', phase: scope ?? null });
  const value = time ? (verdict?.actual ?? null) : (seeds?.median ?? (totals ? goodShare(totals) : null));
  const isAbsent = scope !== undefined && run.phases[scope] === undefined;
  const isBlind = judged.some(({ of, blind }) => of === traffic && blind);
  const text = value === null ? (isAbsent ? words.noPhase : unknown[lang]) : (time ? latency : share)(value);
  return { run, value, isAbsent, isBlind, text, seeds };
};

/** The interval over seeds as `said`; nothing where one seed ran, or all agree. */
const intervalOf = (seeds: SeedFigure | null, time: PictureObjective | undefined, lang: Lang, said: (interval: string) => string): string | undefined => {
  const interval = seeds ? intervalText(seeds, time ? time.unit : 'share', lang) : '';
  return interval === '' ? undefined : said(interval);
};

const bars = ({ flow, run, words, ...report }: ReportContext, figures: readonly Compared[], time: PictureObjective | undefined, traffic: string): void => {
  const scope = shadedPhase({ flow, run, words, ...report })?.name;
  const goal = time ?? run.system.objectives.find(({ of, metric, low }) => of === traffic && metric === 'good' && low !== null);
  const title = time ? `${clean(time.name)}, ${words.metric[time.metric] ?? time.metric}` : words.title.goodShare;
  flow.h2(`${markOnly('counted')}${title}`, clean(scope ?? words.wholeRun));
  const rows = figures.map(({ run: { variant }, value, text, isBlind, seeds }): BarRow => ({ label: clean(variant), value, text: [text, intervalOf(seeds, time, report.lang, (interval) => `(${interval})`), isBlind ? words.blind : ''].filter(Boolean).join(' ') }));
  const drawing = valueBars(rows, {
    most: time ? null : 1,
    tick: time ? latency : percent,
    goal: (time ? goal?.high : goal?.low) ?? null,
    goalText: goal ? `${words.goal} ${condition(goal.condition)}` : '',
    width: column.width,
  });
  flow.drawing(drawing, rows.map(({ label, text }) => `${label} ${text}`).join(', '));
};

/** What the variants do to the objective that breaks first: none keeps it, some do, or all; and of which of them nothing can be said. */
const reaching = ({ run, study, prose, lang }: ReportContext, runs: readonly Run[]): string => {
  const first = run.firstToBreak;
  if (!first) return '';
  const objective = run.system.objectives.find(({ name }) => name === first.objective);
  const verdictOf = ({ variant }: Run): Verdict | undefined => study.verdicts.find((verdict) => verdict.variant === variant && verdict.objective === first.objective && verdict.phase === first.phase && !verdict.blind && verdict.met !== null);
  const judged = runs.filter((own) => verdictOf(own) !== undefined);
  const [kept, broken] = [judged.filter((own) => verdictOf(own)!.met), judged.filter((own) => !verdictOf(own)!.met)];
  const silent = runs.filter((own) => !judged.includes(own));
  const names = (of: readonly Run[]): string => listed(of.map(({ variant }) => clean(variant)), lang);
  return prose('sections', 'reaching', {
    bars: objective?.metric === 'good' && silent.length === 0,
    objective: clean(first.objective),
    phase: first.phase === null ? undefined : clean(first.phase),
    none: kept.length === 0,
    all: broken.length === 0 && silent.length === 0,
    one: kept.length === 1,
    kept: names(kept),
    broken: broken.length > 0 ? names(broken) : undefined,
    silent: silent.length > 0 ? names(silent) : undefined,
  });
};

const sentenceFacts = (report: ReportContext, own: Compared, reference: Compared, time: PictureObjective | undefined): Facts => {
  const { words, lang } = report;
  const scope = shadedPhase(report)?.name;
  const shared = {
    variant: clean(own.run.variant),
    scope: scope ? clean(scope) : undefined,
    absent: own.isAbsent,
    blind: own.isBlind,
    time: time ? (words.metric[time.metric] ?? time.metric) : undefined,
    value: counted(own.text),
    reference: own === reference,
    interval: intervalOf(own.seeds, time, lang, counted),
  };
  if (own === reference) return shared;
  const [ejections, ejectionsBefore] = [ejectionsOf(own.run), ejectionsOf(reference.run)];
  const [ooms, oomsBefore] = [oomsOf(own.run), oomsOf(reference.run)];
  return {
    ...shared,
    change: time || own.isBlind || own.value === null || reference.value === null ? undefined : counted(points(own.value - reference.value, lang)),
    against: clean(reference.run.variant),
    noise: !own.isBlind && own.seeds !== null && reference.seeds !== null && overlap(own.seeds, reference.seeds),
    ...(ejections === ejectionsBefore ? {} : { ejections: counted(count(ejections)), ejectionsBefore: counted(count(ejectionsBefore)) }),
    ...(ooms === oomsBefore ? {} : { ooms: counted(count(ooms)), oomsBefore: counted(count(oomsBefore)) }),
  };
};

/** Whether two intervals, or extremes where the seeds are too few for one, have a value in common. */
const overlap = (one: SeedFigure, other: SeedFigure): boolean => {
  const [a, b] = [one, other].map(({ low, high, min, max }) => [low ?? min ?? NaN, high ?? max ?? NaN]);
  return a[0] <= b[1] && b[0] <= a[1];
};

const ejectionsOf = (run: Run): number => Object.values(run.links).reduce((sum, { ejections }) => sum + ejections, 0);
const oomsOf = (run: Run): number => Object.values(run.services).reduce((sum, { ooms }) => sum + ooms, 0);
