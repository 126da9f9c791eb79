import { brokenFirst, timesSame } from '../../src/study/broken-first.js';
import { inputsOf } from '../../src/study/inputs.js';
import { undatedBreaks } from '../../src/study/undated-break.js';
import type { FirstToBreak, Lang, Run, Study, Sweep, TrafficTotals, Verdict } from '../../src/study/types.js';
import { comparedText } from '../../src/text/compared.js';
import { placedReasonText } from '../../src/text/reasons.js';
import { surenessWords } from '../../src/text/sureness.js';
import { terminalWords, type TerminalWords } from '../../src/text/terminal.js';
import { warningTexts } from '../../src/text/warnings.js';
import { figure } from '../look/figure.js';
import { clock, condition, count, inputValue, latency, money, nearInput, resultValue, share, unknown } from '../look/numbers.js';
import { settlingFirst } from '../look/settling.js';
import { flipFigure, intervalText, isFew, whySure } from '../look/sureness.js';
import type { Column } from './table.js';

export interface SummaryTable {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** What terminal and summary.md say after a run: the same figures, laid out by each in its own way. Texts of the scenario are not yet escaped. */
export interface Summary {
  readonly title: string;
  readonly simulated: string;
  readonly firstToBreak: string;
  /** What must be known before a figure is trusted. */
  readonly warnings: readonly string[];
  readonly totals: SummaryTable;
  readonly reasons: readonly string[];
  readonly conservation: readonly string[];
  readonly objectives: SummaryTable;
  /** Why each verdict is as sure as it is, and how often the same breaks first. */
  readonly sureness: readonly string[];
  /** The guesses whose measurement would settle most, in their order. */
  readonly measureFirst: readonly string[];
  readonly sweeps: readonly SummaryTable[];
  readonly claims: SummaryTable;
  readonly cost: string;
  readonly limits: readonly string[];
  readonly basisNote: string;
}

export const summaryOf = (study: Study, run: Run, lang: Lang): Summary => {
  const words = terminalWords[lang];
  return {
    title: study.scenario.title[lang],
    simulated: `${words.simulated(count(run.requests), count(run.events), study.scenario.seed)}${study.spread ? `; ${words.overSeeds(study.spread.seeds.length, !isFew(study.spread))}` : ''}`,
    firstToBreak: firstToBreakText(run, study, words, lang),
    warnings: warningTexts(run.warnings, lang, { subject: (name) => name, count, share, setting: (text) => text }),
    totals: totalsTable(study, words),
    reasons: [...reasonLines(run, words, lang), ...deliveryLines(run, words)],
    conservation: Object.entries(run.traffic).map(([name, totals]) => conservationLine(name, totals, words)),
    objectives: objectivesTable(study, words, lang),
    sureness: surenessLines(study, run, words, lang),
    measureFirst: measureFirstLines(study, run, words, lang),
    sweeps: study.sweeps.filter(({ variant }) => variant === run.variant).map((sweep) => sweepTable(sweep, study, words, lang)),
    claims: claimsTable(study, words, lang),
    cost: `${Object.keys(study.runs).length > 1 ? `${run.variant}: ` : ''}${costText(run, words)}`,
    limits: study.scenario.limits.map((limit) => limit[lang]),
    basisNote: words.basisNote,
  };
};

const left = (title: string): Column => ({ title, align: 'left' });
const right = (title: string): Column => ({ title, align: 'right' });

const firstToBreakText = ({ firstToBreak, system, variant, phases }: Run, study: Study, words: TerminalWords, lang: Lang): string => {
  const { verdicts, spread } = study;
  const [undated, ...more] = undatedBreaks(study, variant);
  if (undated) return words.undated(verdictName(undated), figure(resultValue(undated.actual, undated.unit, lang), undated.basis).text, comparedText(condition(undated.target), undated.vs, undated, lang), more.length);
  if (!firstToBreak) return system.objectives.length === 0 ? words.nothingAsked : verdicts.some((verdict) => verdict.variant === variant && verdict.met !== null) ? words.nothingBroke : words.noSample;
  const { objective, phase, tMs, resource } = firstToBreak;
  const what = resource ? `${resource.service}${resource.instance === null ? '' : `.${resource.instance}`} ${words.resources[resource.what]}, ${words.saturatedSince} ${isEstimated(resource.what) ? '≈' : ''}${clock(resource.sinceMs)}` : words.noResource;
  const where = phase ? ` (${tMs < phases[phase].fromMs ? words.before(phase) : phase})` : '';
  const same = timesSame(spread?.firstToBreak[variant] ?? [], brokenFirst(firstToBreak));
  const seeds = spread && same < spread.seeds.length ? `; ${words.underSeeds(same, spread.seeds.length)}` : '';
  return `${clock(tMs)} ${objective}${where}: ${what}${seeds}`;
};

/** `backlog (after)`; of the whole run the objective alone. */
export const verdictName = ({ objective, phase }: Pick<Verdict, 'objective' | 'phase'>): string => (phase === null ? objective : `${objective} (${phase})`);

/** CPU and memory are formulas; slots, pools and locks are counted. */
const isEstimated = (what: NonNullable<FirstToBreak['resource']>['what']): boolean => what === 'cpu' || what === 'memory';

const totalsTable = (study: Study, words: TerminalWords): SummaryTable => ({
  title: words.totals,
  columns: [
    ...[left(words.variant), left(words.traffic), right(words.offered), right(words.good), right(words.declined), right(words.refused), right(words.failed)],
    ...[right(words.inFlight), right(words.dropped), right(words.ofValid), right('p50'), right('p95'), right(words.p99)],
  ],
  rows: Object.values(study.runs).flatMap((run) => Object.entries(run.traffic).map(([name, totals]) => [run.variant, name, ...totalsCells(totals)])),
});

const totalsCells = (totals: TrafficTotals): string[] => {
  const { offered, good, inFlight, dropped, latencyMs } = totals;
  const [declined, refused, failed] = [sum(totals.declined), sum(totals.refused), sum(totals.failed)];
  const valid = good + refused + failed;
  const times = latencyMs ? [latencyMs.p50, latencyMs.p95, latencyMs.p99].map(latency) : ['–', '–', '–'];
  return [...[offered, good, declined, refused, failed, inFlight, dropped].map(count), valid > 0 ? share(good / valid) : '–', ...times];
};

const reasonLines = (run: Run, words: TerminalWords, lang: Lang): string[] =>
  Object.entries(run.traffic).flatMap(([name, totals]) =>
    (['declined', 'refused', 'failed'] as const).flatMap((outcome) => {
      const reasons = Object.entries(totals[outcome]).filter(([, requests]) => requests > 0);
      if (reasons.length === 0) return [];
      reasons.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
      return [`${name} ${words[outcome]}: ${reasons.map(([reason, requests]) => `${placedReasonText(reason, lang)} ${count(requests)}`).join(' · ')}`];
    }),
  );

const deliveryLines = (run: Run, words: TerminalWords): string[] =>
  Object.entries(run.traffic).flatMap(([name, { deliveries }]) => (deliveries ? [`${name}: ${words.deliveries(count(deliveries.made), count(deliveries.missed))}`] : []));

/** The equality of whole numbers that every run is held to, written out. */
const conservationLine = (name: string, totals: TrafficTotals, words: TerminalWords): string => {
  const { offered, good, inFlight } = totals;
  const parts = [good, sum(totals.declined), sum(totals.refused), sum(totals.failed), inFlight];
  const names = [words.good, words.declined, words.refused, words.failed, words.inFlight];
  const equal = parts.reduce((a, b) => a + b, 0) === offered;
  return `${name}: ${count(offered)} ${words.offered} = ${parts.map((part, i) => `${count(part)} ${names[i] ?? ''}`).join(' + ')}: ${equal ? words.addsUp : words.doesNotAddUp}`;
};

const objectivesTable = (study: Study, words: TerminalWords, lang: Lang): SummaryTable => ({
  title: words.objectives,
  columns: [left(words.objective), left(words.phase), left(words.variant), left(words.target), right(words.actual), left(words.verdict)],
  rows: study.verdicts.map((verdict) => [
    ...[verdict.objective, verdict.phase ?? words.wholeRun, verdict.variant, `${verdict.of} ${verdict.metric} ${comparedText(condition(verdict.target), verdict.vs, verdict, lang)}`],
    `${figure(resultValue(verdict.actual, verdict.unit, lang), verdict.basis).text}${seedsText(verdict, lang)}`,
    verdictText(verdict, words, lang),
  ]),
});

/** The interval over seeds in brackets. */
const seedsText = ({ seeds, unit }: Verdict, lang: Lang): string => {
  const text = seeds ? intervalText(seeds, unit, lang) : '';
  return text === '' ? '' : ` (${text})`;
};

/** Of every variant; only what was tried has something to say. */
const surenessLines = (study: Study, run: Run, words: TerminalWords, lang: Lang): string[] => {
  const { verdicts, sensitivity } = study;
  const tried = verdicts.filter(({ tested, seeds }) => tested !== null || seeds !== null);
  const several = tried.some(({ variant }) => variant !== run.variant);
  const lines = tried.map((verdict) => `${several ? `${verdict.variant}, ` : ''}${verdictName(verdict)}: ${surenessWords[lang].sure[verdict.sure]}. ${whySure(verdict, inputsOf(study, verdict.variant), lang)}`);
  const ends = sensitivity?.[run.variant]?.ends ?? [];
  if (lines.length === 0 || ends.length === 0) return lines;
  const same = timesSame(ends.map(({ firstToBreak }) => firstToBreak), brokenFirst(run.firstToBreak));
  return run.firstToBreak === null && (same === ends.length || undatedBreaks(study, run.variant).length > 0) ? lines : [...lines, words.sameFirst(count(same), count(ends.length))];
};

const measureFirstLines = (study: Study, { variant }: Run, words: TerminalWords, lang: Lang): string[] =>
  settlingFirst({ ...study, inputs: inputsOf(study, variant) }, variant).map(({ input: { path, value, range, unit, currency, basis }, turns, most }) => {
    const own = (one: number | null): string => inputValue(one, unit, lang, currency);
    const what = `${path} ${figure(own(value), basis).text}${range ? ` (${range.map(own).join(' – ')})` : ''}`;
    if (turns[0]) return `${what}: ${words.turns(turns.map(({ verdict, ...flip }) => `${verdictName(verdict)} ${flipFigure({ path, ...flip }, inputsOf(study, variant), lang).text}`).join(', '))}`;
    return most ? `${what}: ${words.moves(verdictName(most.verdict), resultValue(most.low, most.verdict.unit, lang), resultValue(most.high, most.verdict.unit, lang))}` : what;
  });

/** A sweep with the objectives that it moves as columns, at most six. */
const sweepTable = ({ path, unit, currency, values, figures, at, knees }: Sweep, { verdicts }: Study, words: TerminalWords, lang: Lang): SummaryTable => {
  const judged = verdicts.filter(({ variant }) => variant === figures[0]?.variant).length;
  const headOf = ({ of, metric, phase, vs }: Sweep['figures'][number]): string => `${of} ${metric}${phase === null ? '' : ` (${phase})`}${vs === null ? '' : ` ${comparedText('×', vs, { phase, variant: figures[0].variant }, lang)}`}`;
  const isShown = (name: Sweep['figures'][number], i: number): boolean => i < judged || (name.phase === null && ['rate', 'good', 'p95'].includes(name.metric));
  const moving = figures.flatMap((name, i) => (isShown(name, i) && figures.findIndex((other) => headOf(other) === headOf(name)) === i && new Set(at.map((row) => row[i])).size > 1 ? [i] : [])).slice(0, 6);
  const own = (value: number): string => nearInput(value, unit, lang, currency, 4);
  return {
    title: `${words.sweep} ${path}`,
    columns: [left(path), ...moving.map((i) => right(headOf(figures[i])))],
    rows: [
      ...values.map((value, row) => [own(value), ...moving.map((i) => resultValue(at[row][i], figures[i].unit, lang))]),
      [words.knee, ...moving.map((i) => (knees[i] === null ? '–' : own(knees[i])))],
    ],
  };
};

const verdictText = ({ met, expected, sure, blind }: Verdict, words: TerminalWords, lang: Lang): string => {
  if (blind) return words.blind;
  if (met === null) return words.unknownVerdict;
  return [met ? words.met : words.missed, met === expected ? words.asExpected : words.unexpected, surenessWords[lang].sure[sure]].join(' · ');
};

const claimsTable = (study: Study, words: TerminalWords, lang: Lang): SummaryTable => ({
  title: words.claims,
  columns: [left(words.claim), left(words.variant), left(words.phase), left(words.target), left(words.actual), left(words.verdict)],
  rows: study.claims.map(({ claim, variant, phase, target, unit, vs, actual, order, held }) => [
    ...[claim, variant, phase ?? words.wholeRun, order ? words.inThisOrder : comparedText(condition(target), vs, { phase, variant }, lang)],
    order ? order.map(({ event, tMs }) => `${event} ${tMs === null ? '–' : clock(tMs)}`).join(' → ') : unit ? resultValue(actual, unit, lang) : unknown[lang],
    held ? words.held : words.notHeld,
  ]),
});

const costText = ({ cost }: Run, words: TerminalWords): string => {
  const price = cost.amount === null ? null : figure(money(cost.amount, cost.currency ?? ''), 'estimated').text;
  const unpriced = cost.unknown.length > 0 ? `${words.unknownPrice} ${cost.unknown.join(', ')}` : null;
  return [price, unpriced].filter((part) => part !== null).join('; ') || '–';
};

const sum = (byReason: Readonly<Record<string, number>>): number => Object.values(byReason).reduce((a, b) => a + b, 0);
