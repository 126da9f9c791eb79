import { count, resultValue } from '../../look/numbers.js';
import { flipFigure, isFew, shortPath } from '../../look/sureness.js';
import { brokenFirst, timesSame } from '../../../src/study/broken-first.js';
import type { EventKind, Lang, Study, Verdict } from '../../../src/study/types.js';
import { undatedBreaks } from '../../../src/study/undated-break.js';
import { reportWords } from '../../../src/text/report.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { measureKind, type MeasureKind } from '../how-to-measure.js';
import { settlingFirst } from '../../look/settling.js';
import { guessPlace, resultPlace } from '../places.js';
import { clean, faint, inline, linkTo, say } from '../rich.js';
import { drawTable, type Cell, type TableColumn } from '../table.js';
import { goalText, metText, resultText, surenessCell, whyText } from '../verdict-words.js';
import { claimsFacts } from './claims.js';
import { inputText } from './known.js';

/** How much of what can be shorter is shown. */
export interface Extent {
  /** Of the table of objectives. */
  readonly rows: number;
  /** What to measure first. */
  readonly measurements: number;
}

/** What each objective asked and got, how sure that is, and what to measure to be surer. */
export const objectives = (report: ReportContext, { rows, measurements }: Extent): void => {
  const { flow, study, words, prose } = report;
  const verdicts = verdictsOf(report);
  const alike = soundAlike(verdicts);
  // Then the headline tells of the claims; here, of those that do not hold.
  if (verdicts.length === 0) return study.claims.every(({ held }) => held) ? undefined : flow.paragraph(claimsText(report), styles.note);
  const all = shownVerdicts(report, verdicts);
  const shown = firstRows(all, rows);
  flow.h2(words.title.objectives);
  drawTable(flow, {
    title: words.title.objectives,
    empty: words.nothing,
    columns: verdictColumns(report, alike === null),
    rows: shown.map((verdict) => verdictCells(report, verdict, alike === null)),
  });
  const notes = [
    shown.length < all.length ? prose('verdict', 'moreObjectives', { more: counted(count(all.length - shown.length)), one: all.length === shown.length + 1, page: flow.pageRef('objectives') }) : '',
    ...report.run.system.objectives.filter(({ isEach }) => isEach).map(({ name }) => firstStair(report, verdicts.filter(({ objective }) => objective === name))),
    alike ? prose('verdict', 'soundAlike', { all: counted(words.allOf(verdicts.length)), one: verdicts.length === 1, untested: alike.sure === 'untested', rests: alike.restsOn.length > 0, guesses: counted(count(alike.restsOn.length)), single: alike.restsOn.length === 1, page: flow.pageRef('register') }) : '',
    firstHolds(report),
    claimsText(report),
  ];
  flow.space(1);
  flow.paragraph(notes.filter(Boolean).join(' '), styles.note);
  measureFirst(report, measurements);
};

/** Rows of the first page: as a rule, and at least when the page is short of room. */
const usualRows = 8;
const leastRows = 4;
/** So few more are shown with the others where the page has room, and alone on the next page where it has not. */
const fewLeft = 2;

/** How much the first page may show, the most first: fewer rows, then fewer measurements. */
export const extents = (report: ReportContext): readonly [Extent, ...Extent[]] => {
  const all = shownVerdicts(report, verdictsOf(report)).length;
  const most = all <= usualRows + fewLeft ? all : usualRows;
  const measurements = settlingOfRun(report).length;
  const fewerRows = Array.from({ length: Math.max(0, most - leastRows) }, (_, index): Extent => ({ rows: most - 1 - index, measurements }));
  const fewerMeasurements = Array.from({ length: Math.max(0, measurements - 1) }, (_, index): Extent => ({ rows: Math.min(most, leastRows), measurements: measurements - 1 - index }));
  return [{ rows: most, measurements }, ...fewerRows, ...fewerMeasurements];
};

/** Those that are broken, then those that hinge, first; in the order of the file. */
const firstRows = (verdicts: readonly Verdict[], rows: number): readonly Verdict[] => {
  if (verdicts.length <= rows) return verdicts;
  const rank = ({ met, sure }: Verdict): number => (met === false ? 0 : sure === 'hinges' ? 1 : 2);
  const chosen = new Set(verdicts.toSorted((a, b) => rank(a) - rank(b)).slice(0, rows));
  return verdicts.filter((verdict) => chosen.has(verdict));
};

/** Every objective in every phase, where the first page has not all of them; the few that it has not, where they are few. */
export const allObjectives = (report: ReportContext, rowsBefore: number): void => {
  const { flow, words, lang } = report;
  const all = shownVerdicts(report, verdictsOf(report));
  const before = firstRows(all, rowsBefore);
  const left = all.filter((verdict) => !before.includes(verdict));
  if (left.length === 0) return;
  const verdicts = left.length > fewLeft ? all : left;
  flow.anchor('objectives');
  flow.band('counted', words.band.counted, () => {
    flow.h2(left.length > fewLeft ? words.title.allObjectives : trialWords[lang].title.otherSwings);
    drawTable(flow, { title: words.title.objectives, empty: words.nothing, size: 7.6, columns: verdictColumns(report, true), rows: verdicts.map((verdict) => verdictCells(report, verdict, true)) });
    flow.space(8);
  });
};

const verdictColumns = ({ study, lang, words: { head } }: ReportContext, withWhy: boolean): TableColumn[] => [
  { title: head.phase, width: withWhy ? 48 : 110, weight: 600 },
  { title: head.objective, width: withWhy ? 80 : 130, mark: 'chosen' },
  { title: resultHead(study, lang), width: withWhy ? (study.spread ? 78 : 56) : 90 },
  { title: head.verdict, width: withWhy ? 50 : 80 },
  { title: head.howSure, width: withWhy ? 56 : 91 },
  ...(withWhy ? [{ title: head.why, width: study.spread ? 189 : 211, mark: 'counted' as const }] : []),
];

const verdictCells = (report: ReportContext, verdict: Verdict, withWhy: boolean): Cell[] => {
  const { study, words, lang } = report;
  return [
    clean(verdict.phase ?? words.wholeRun),
    objectiveText(report, verdict),
    linkTo(resultPlace(report, verdict), resultText(verdict, lang)),
    metText(verdict, lang),
    surenessCell(verdict, lang),
    ...(withWhy ? [whyText(verdict, study.inputs, lang)] : []),
  ];
};

/** A result alone, or what stands beside it where several seeds ran. */
export const resultHead = ({ spread }: Pick<Study, 'spread'>, lang: Lang): string => (spread ? trialWords[lang].result[isFew(spread) ? 'extremes' : 'interval'] : reportWords[lang].head.result);

/** At how many ends of the ranges, and under how many seeds, the same breaks first. */
const firstHolds = ({ flow, study, run, prose }: ReportContext): string => {
  const ends = study.sensitivity?.[run.variant]?.ends ?? [];
  if (ends.length === 0) return '';
  // Where something is broken all the same, that nothing breaks is not what the ends say.
  if (undatedBreaks(study, run.variant).length > 0) return '';
  const first = brokenFirst(run.firstToBreak);
  const same = timesSame(ends.map(({ firstToBreak }) => firstToBreak), first);
  const seeds = study.spread?.firstToBreak[run.variant];
  return prose('verdict', 'firstHolds', {
    ends: counted(count(ends.length)),
    same: counted(count(same)),
    all: same === ends.length,
    nothing: first.objective === null,
    page: flow.pageRef('sensitivity'),
    ...(seeds ? { seeds: counted(count(study.spread.seeds.length)), seedsSame: counted(count(timesSame(seeds, first))) } : {}),
  });
};

/** What an objective asks: with its traffic where objectives are of several, and whose latencies where not those of good requests alone. */
export const objectiveText = ({ run, words, lang }: ReportContext, verdict: Verdict): string => {
  const { objectives: all } = run.system;
  const own = all.find(({ name }) => name === verdict.objective);
  const source = new Set(all.map(({ of }) => of)).size > 1 ? `${clean(verdict.of)}: ` : '';
  return `${source}${goalText(verdict, lang)}${own && own.over !== 'good' && own.unit === 'ms' ? ` ${faint(words.over[own.over])}` : ''}`;
};

/** Nobody need measure how long a process takes to come back where none ever went away, nor how long one boots where none was launched. */
const isCalledFor = (kind: MeasureKind, { runs }: Study): boolean => {
  const happened = (kinds: readonly EventKind[]): boolean => Object.values(runs).some(({ eventLog }) => eventLog.some((event) => kinds.includes(event.kind)));
  if (kind === 'recovery') return happened(['oom', 'crashed', 'back', 'deployed']);
  return kind === 'boot' ? happened(['scale-out', 'booted']) : true;
};

/** How many of the file's claims end as it says. */
const claimsText = (report: ReportContext): string => {
  const { flow, study, prose } = report;
  return study.claims.length > 0 ? prose('verdict', 'claims', { ...claimsFacts(report), page: flow.pageRef('claims') }) : '';
};

/** Of an objective for every stair only the last that keeps it and the first that breaks it, or the highest where none does: "Each phase" has all of them. */
export const shownVerdicts = ({ run }: ReportContext, verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.filter((verdict) => {
    if (!run.system.objectives.some(({ name, isEach }) => isEach && name === verdict.objective)) return true;
    const stairs = verdicts.filter(({ objective }) => objective === verdict.objective);
    const first = stairs.findIndex(({ met }) => met === false);
    const index = stairs.indexOf(verdict);
    return index === (first < 0 ? stairs.length - 1 : first) || index === stairs.slice(0, first < 0 ? stairs.length : first).findLastIndex(keeps);
  });

/** A stair whose load was not made keeps nothing. */
const keeps = ({ met, blind }: Verdict): boolean => met === true && !blind;

/** Which stair is the first to break an objective. */
const firstStair = ({ prose }: ReportContext, stairs: readonly Verdict[]): string => {
  const first = stairs.find(({ met }) => met === false);
  const kept = stairs.filter(keeps).length;
  return prose('verdict', 'firstStair', {
    objective: clean(stairs[0]?.objective ?? ''),
    stair: first?.phase ? clean(first.phase) : undefined,
    stairs: counted(count(stairs.length)),
    kept: counted(count(kept)),
    all: kept === stairs.length,
    blind: first?.blind === true,
  });
};

/** Of the variant that the pages are about. */
export const verdictsOf = ({ study, run }: ReportContext): Verdict[] => study.verdicts.filter(({ variant }) => variant === run.variant);

/** The verdict that stands for all where nothing was tried: equally firm or untested, on the same guesses. Null when rows differ. */
export const soundAlike = (verdicts: readonly Verdict[]): Verdict | null => {
  const [first, ...others] = verdicts;
  if (!first || first.sure === 'hinges' || verdicts.some(({ tested, seeds }) => tested !== null || seeds !== null)) return null;
  return others.every(({ sure, restsOn }) => sure === first.sure && restsOn.join(' ') === first.restsOn.join(' ')) ? first : null;
};

const settlingOfRun = ({ study, run }: ReportContext): ReturnType<typeof settlingFirst> => settlingFirst(study, run.variant, (input) => isCalledFor(measureKind(input, study.scenario.text), study));

/** The measurements that would settle most, in their order: what a guess turns, or how far it moves the objective that it moves most. */
const measureFirst = (report: ReportContext, most: number): void => {
  const { flow, study, words, prose, lang } = report;
  const settling = settlingOfRun(report).slice(0, most);
  if (settling.length === 0) return;
  flow.space(2);
  flow.h3(words.title.measureFirst);
  const told = new Set<string>();
  for (const { input, turns, most: mostMoved } of settling) {
    const { path } = input;
    const kind = measureKind(input, study.scenario.text);
    const alike = told.has(kind);
    told.add(kind);
    flow.paragraph(prose('verdict', 'measureFirst', {
      name: linkTo(guessPlace(path), clean(shortPath(path))),
      value: inputText(input, lang),
      how: alike ? trialWords[lang].alike : prose('measure', kind),
      ...(turns[0] ? { turns: verdictName(turns[0].verdict, report), turnsAt: inline(flipFigure({ path, ...turns[0] }, study.inputs, lang)), others: turns.length > 1 ? counted(String(turns.length - 1)) : undefined } : {}),
      ...(mostMoved && !turns[0] ? { moves: verdictName(mostMoved.verdict, report), from: endText(mostMoved.low, mostMoved.verdict, lang), to: endText(mostMoved.high, mostMoved.verdict, lang) } : {}),
    }), styles.note);
  }
};

const endText = (value: number | null, { unit, basis }: Verdict, lang: ReportContext['lang']): string => say(resultValue(value, unit, lang), basis);

/** `good in event`: an objective by its metric, with its phase. */
export const verdictName = ({ of, metric, phase, variant }: Pick<Verdict, 'of' | 'metric' | 'phase' | 'variant'>, { run, words, lang, study }: Pick<ReportContext, 'run' | 'words' | 'lang' | 'study'>): string => {
  const several = new Set(run.system.objectives.map((objective) => objective.of)).size > 1;
  return trialWords[lang].figure(`${several ? `${clean(of)} ` : ''}${words.metric[metric] ?? metric}`, phase === null ? null : clean(phase), Object.keys(study.runs).length > 1 && variant !== run.variant ? clean(variant) : null);
};
