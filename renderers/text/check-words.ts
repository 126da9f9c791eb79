import { surprisesIn, type CheckedGoal, type CheckedScenario } from '../../src/study/checked.js';
import type { ChangedFigure, Turned } from '../../src/study/drift.js';
import type { FigureName, Unit } from '../../src/study/types.js';
import { comparedText } from '../../src/text/compared.js';
import { condition, latency, nbsp, nearInput, resultValue, unknown } from '../look/numbers.js';

/** What a check found, in sentences that terminal, Markdown, JUnit and annotations share. Texts of the scenario are not yet escaped. */

/** What a scenario came to, in one line. */
export const outcomeText = (scenario: CheckedScenario): string => {
  const { status, problems, goals, cached } = scenario;
  if (status === 'invalid') return `invalid: ${some(problems.length, 'problem')}`;
  const tally = (kind: CheckedGoal['kind']): string => {
    const own = goals.filter((goal) => goal.kind === kind);
    return `${own.filter(({ asTold }) => asTold).length} of ${some(own.length, kind)}`;
  };
  const parts = (['objective', 'claim'] as const).flatMap((kind) => (goals.some((goal) => goal.kind === kind) ? [tally(kind)] : []));
  const told = parts.length > 0 ? `${parts.join(', ')} as told` : 'nothing to judge';
  const blind = goals.filter((goal) => goal.blind).length;
  return [told, ...(blind > 0 ? [`${blind} not judged, because their load was not made`] : []), ...baselineText(scenario), ...(cached ? ['simulated before'] : [])].join('; ');
};

const baselineText = ({ baseline, drift, goals }: CheckedScenario): string[] => {
  const seeds = goals[0]?.seeds?.of ?? 0;
  if (baseline === 'absent') return [];
  if (baseline === 'missing') return ['no baseline yet'];
  const moved = drift ? [...(drift.changed.length > 0 ? [`${some(drift.changed.length, 'figure')} changed`] : []), ...(drift.turned.length > 0 ? [`${drift.turned.length} turned`] : []), ...(drift.appeared.length > 0 ? [`${drift.appeared.length} new`] : []), ...(drift.gone.length > 0 ? [`${drift.gone.length} gone`] : [])] : [];
  const said = moved.length > 0 ? moved.join(', ') : 'unchanged';
  const under = drift && drift.seeds < seeds ? ` (compared under ${drift.seeds} seeds)` : '';
  return [baseline === 'written' ? `baseline written${moved.length > 0 ? `: ${said}` : ''}` : `baseline: ${said}${under}`];
};

/** Everything that a reader has to know beyond that line, in the order of its weight. */
export const findingTexts = (scenario: CheckedScenario): string[] => {
  const { problems, drift, baseline } = scenario;
  return [
    ...problems.map(({ message, hint, line, column }) => `${line === null ? '' : `${line}:${column}: `}${message}${hint === null ? '' : ` (${hint})`}`),
    ...surprisesIn(scenario).map(surpriseText),
    ...(baseline === 'missing' ? ['there is no baseline of this scenario: write it with --update'] : []),
    ...(drift ? [...drift.turned.map(turnedText), ...drift.changed.map(changedText), ...drift.appeared.map((name) => `new: ${name}`), ...drift.gone.map((name) => `gone: ${name}`)] : []),
  ];
};

/** `objective latency of as-it-is in event: orders p95 ≤ 300 ms is told to hold, found 1.37 s (met under 2 of 10 seeds)`. */
export const surpriseText = (goal: CheckedGoal): string => {
  const { kind, name, metric, target, vs, expected, met, actual, unit, basis, seeds } = goal;
  const what = [goal.of, ...(kind === 'objective' ? [metric] : []), comparedText(condition(target), vs, goal, 'en')].filter((part) => part !== null).join(' ');
  const value = actual === null || unit === null ? '' : ` ${basis === 'estimated' ? '≈' : ''}${resultValue(actual, unit, 'en')}`;
  const found = met === null ? 'cannot be judged' : `${met ? 'held' : 'did not hold'}${value === '' ? '' : `: found${value}`}`;
  const under = seeds === null || met === null ? '' : ` (${kind === 'objective' ? 'met' : 'held'} under ${seeds.met} of ${seeds.of} seeds)`;
  return `${kind} ${name}${placeText(goal)}: ${what} is told to ${expected ? 'hold' : 'break'}, and ${found}${under}`;
};

/** `orders p95 in event of as-it-is: 1.37 s → 1.52 s (median change +0.11 s to +0.19 s)`. */
export const changedText = ({ figure, before, after, change }: ChangedFigure): string => {
  const interval = change === null ? '' : ` (95% interval of the change: ${signed(change[0], figure.unit)} to ${signed(change[1], figure.unit)})`;
  return `${figureText(figure)}: ${sidesText(before, after, figure.unit).join(' → ')}${interval}`;
};

export const figureText = (figure: FigureName): string => `${figure.of} ${figure.metric}${figure.over === 'good' ? '' : ` of ${figure.over} requests`}${comparedText('', figure.vs, figure, 'en')}${placeText(figure)}`;

export const turnedText = ({ kind, name, now, before, after, of, ...place }: Turned): string =>
  kind === 'first to break' ? `what breaks first in ${place.variant}: ${name} under ${before} → ${after} of ${of} seeds, now most often ${now}` : `${kind} ${name}${placeText(place)}: ${kind === 'objective' ? 'met' : 'held'} under ${before} → ${after} of ${of} seeds`;

const placeText = ({ variant, phase }: { readonly variant: string; readonly phase: string | null }): string => `${phase === null ? '' : ` in ${phase}`} (${variant})`;

/** Both sides, as exactly as it takes to see that they are not the same. */
export const sidesText = (before: number | null, after: number | null, unit: Unit): readonly [string, string] => {
  const usual = [resultValue(before, unit, 'en'), resultValue(after, unit, 'en')] as const;
  if (usual[0] !== usual[1] && !(unit === 'share' && (isNearlyAll(before) || isNearlyAll(after)))) return usual;
  const exact = (value: number | null): string => (value === null ? unknown.en : unit === 'share' ? `${trimmed(value * 100)}%` : nearInput(value, unit, 'en', undefined, 5));
  return [exact(before), exact(after)];
};

/** Where the share that is missing is what counts. */
const isNearlyAll = (value: number | null): boolean => value !== null && value > 0.99 && value < 1;

/** Three digits behind the point at most, cut off: nothing becomes 100% that is less. */
const trimmed = (percent: number): string => String(Math.floor(percent * 1000 + 1e-6) / 1000);

/** A change with its sign, in the unit of the figure; shares in points. */
export const signed = (change: number, unit: Unit): string => {
  const sign = change === 0 ? '' : change > 0 ? '+' : '\u2212';
  const size = Math.abs(change);
  if (unit === 'share') return `${sign}${Number((size * 100).toPrecision(2))}${nbsp}points`;
  return `${sign}${unit === 'ms' ? latency(size) : nearInput(size, unit, 'en', undefined, 2)}`;
};

export const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
