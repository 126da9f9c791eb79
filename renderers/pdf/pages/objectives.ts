import { count } from '../../look/numbers.js';
import type { EventKind, Study, Verdict } from '../../../src/study/types.js';
import { counted, shortPath, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { measureKind, type MeasureKind } from '../how-to-measure.js';
import { widestGuesses } from '../measure-first.js';
import { guessPlace, resultPlace } from '../places.js';
import { clean, faint, linkTo } from '../rich.js';
import { drawTable } from '../table.js';
import { goalText, metText, restsOnText, resultText, surenessCell } from '../verdict-words.js';
import { claimsFacts } from './claims.js';
import { inputText, rangeText } from './known.js';

/** What each objective asked and got, how sure that is, and what to measure to be surer. */
export const objectives = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const { head } = words;
  const verdicts = verdictsOf(report);
  const alike = soundAlike(verdicts);
  // Then the headline tells of the claims; here, of those that do not hold.
  if (verdicts.length === 0) return study.claims.every(({ held }) => held) ? undefined : claimsLine(report);
  flow.h2(words.title.objectives);
  drawTable(flow, {
    title: words.title.objectives,
    empty: words.nothing,
    columns: [
      { title: head.phase, width: alike ? 110 : 48, weight: 600 },
      { title: head.objective, width: alike ? 130 : 82 },
      { title: head.result, width: alike ? 90 : 62 },
      { title: head.verdict, width: alike ? 80 : 54 },
      { title: head.howSure, width: alike ? 91 : 64 },
      ...(alike ? [] : [{ title: head.why, width: 191 }]),
    ],
    rows: shownVerdicts(report, verdicts).map((verdict) => [
      clean(verdict.phase ?? words.wholeRun),
      objectiveText(report, verdict),
      linkTo(resultPlace(report, verdict), resultText(verdict, lang)),
      metText(verdict, lang),
      surenessCell(verdict, study.inputs, lang),
      ...(alike ? [] : [restsOnText(verdict, lang)]),
    ]),
  });
  for (const { name, isEach } of report.run.system.objectives) if (isEach) flow.paragraph(firstStair(report, verdicts.filter(({ objective }) => objective === name)), styles.note);
  if (alike) flow.paragraph(prose('verdict', 'soundAlike', { all: words.allOf(verdicts.length), one: verdicts.length === 1, untested: alike.sure === 'untested', rests: alike.restsOn.length > 0, guesses: count(alike.restsOn.length), single: alike.restsOn.length === 1, page: flow.pageRef('register') }), styles.note);
  claimsLine(report);
  measureFirst(report);
};

/** What an objective asks: with its traffic where objectives are of several, and whose latencies where not those of good requests alone. */
const objectiveText = ({ run, words, lang }: ReportContext, verdict: Verdict): string => {
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
const claimsLine = (report: ReportContext): void => {
  const { flow, study, prose } = report;
  if (study.claims.length > 0) flow.paragraph(prose('verdict', 'claims', { ...claimsFacts(report), page: flow.pageRef('claims') }), styles.note);
};

/** Of an objective for every stair only the last that keeps it and the first that breaks it, or the highest where none does: "Each phase" has all of them. */
const shownVerdicts = ({ run }: ReportContext, verdicts: readonly Verdict[]): Verdict[] =>
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

/** The verdict that stands for all: equally firm or untested, on as many of the same guesses. Null when rows differ, or each hinges on its own value. */
export const soundAlike = (verdicts: readonly Verdict[]): Verdict | null => {
  const [first, ...others] = verdicts;
  if (!first || first.sure === 'hinges') return null;
  return others.every(({ sure, restsOn }) => sure === first.sure && restsOn.join(' ') === first.restsOn.join(' ')) ? first : null;
};

const measureFirst = ({ flow, study, words, prose, lang }: ReportContext): void => {
  const inputs = widestGuesses(study, (input) => isCalledFor(measureKind(input, study.scenario.text), study));
  if (inputs.length === 0) return;
  flow.space(2);
  flow.h3(words.title.measureFirst);
  for (const input of inputs) {
    const { path, range } = input;
    flow.paragraph(prose('verdict', 'measureFirst', { name: linkTo(guessPlace(path), clean(shortPath(path))), value: inputText(input, lang), range: range ? rangeText(input, lang) : undefined, how: prose('measure', measureKind(input, study.scenario.text)) }), styles.note);
  }
};
