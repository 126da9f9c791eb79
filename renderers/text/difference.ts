import type { Comparison, Ends } from '../../src/study/comparison.js';
import type { Lang } from '../../src/study/types.js';
import { compareWords, type CompareWords } from '../../src/text/compare.js';
import { terminalWords } from '../../src/text/terminal.js';
import { differenceText } from '../look/difference.js';
import { clock, condition, count, inputValue, resultValue, share, signedCount, unknown } from '../look/numbers.js';
import { markdown } from './markdown.js';

export interface DifferenceOptions {
  readonly lang: Lang;
  /** The sentence that the comparison comes to, and the line of its terms. */
  readonly closing: string;
  readonly terms: string;
  readonly hasReport: boolean;
}

/** summary.md of a comparison: what was different, what that did, what happened on one side only. */
export const differenceMarkdown = (comparison: Comparison, { lang, closing, terms, hasReport }: DifferenceOptions): string => {
  const words = compareWords[lang];
  const { summary } = words;
  return [
    `# ${markdown(summary.title(comparison.sides.map(({ letter, name }) => `${letter} ${name}`)))}`,
    `**${markdown(closing)}**`,
    markdown(terms),
    ...section(summary.inputs, inputsTable(comparison, words, lang), words.unchanged),
    ...section(summary.objectives, objectivesTable(comparison, words, lang), words.noObjective),
    ...section(summary.ends, endsTable(comparison, words, lang), ''),
    ...section(summary.events, eventsTable(comparison, words), summary.noEvents),
    `## ${summary.firstToBreak}`,
    comparison.sides.map((side, i) => `- ${side.letter} ${markdown(side.name)}: ${markdown(isUnjudged(comparison, i) ? terminalWords[lang].noSample : firstToBreak(side, brokenIn(comparison, i), words, lang))}`).join('\n'),
    ...(hasReport ? [] : [summary.noReport]),
    `*${markdown(summary.basisNote)}*`,
  ].join('\n\n') + '\n';
};

interface Table {
  readonly head: readonly string[];
  /** Columns from here on are figures. */
  readonly figuresFrom: number;
  readonly rows: readonly (readonly string[])[];
}

const section = (title: string, { head, figuresFrom, rows }: Table, empty: string): readonly string[] =>
  rows.length === 0
    ? [`## ${title}`, markdown(empty)]
    : [`## ${title}`, [head.map(markdown), head.map((_, i) => (i >= figuresFrom ? '---:' : '---')), ...rows.map((row) => row.map(markdown))].map((row) => `| ${row.join(' | ')} |`).join('\n')];

const sidesOf = ({ sides }: Comparison): readonly string[] => sides.map(({ letter, name }) => `${letter} ${name}`);

/** What each side but the first has more than the first. */
const differenceHeads = ({ sides }: Comparison, words: CompareWords): readonly string[] => sides.slice(1).map(({ letter }) => words.minus(letter, sides[0].letter));

const inputsTable = (comparison: Comparison, words: CompareWords, lang: Lang): Table => ({
  head: [words.summary.input, ...sidesOf(comparison)],
  figuresFrom: Infinity,
  rows: comparison.changes.map(({ path, isWhole, values }) => [
    path,
    ...values.map(({ text, filledIn }) => {
      if (isWhole) return text === null ? words.hasNot : words.has;
      if (text !== null) return condition(text);
      if (filledIn === null) return words.notSet;
      return filledIn.unit === null || typeof filledIn.value === 'string' ? String(filledIn.value) : inputValue(filledIn.value, filledIn.unit, lang, filledIn.currency);
    }),
  ]),
});

const objectivesTable = (comparison: Comparison, words: CompareWords, lang: Lang): Table => ({
  head: [words.objective, words.phase, words.summary.target, ...sidesOf(comparison), ...differenceHeads(comparison, words)],
  figuresFrom: 3,
  rows: comparison.objectives.map(({ objective, phase, of, metric, targets, values, met, unit, basis }) => [
    objective,
    phase ?? words.wholeRun,
    `${of} ${metric} ${[...new Set(targets)].map(condition).join(' / ')}`,
    ...values.map((value, i) => (value === null ? unknown[lang] : `${basis === 'estimated' ? '≈' : ''}${resultValue(value, unit, lang)} ${met[i] === null ? '' : met[i] ? words.kept : words.broken}`.trim())),
    ...values.slice(1).map((value) => (value === null || values[0] === null ? '–' : differenceText(values[0], value, unit, lang))),
  ]),
});

const ends = ['offered', 'good', 'declined', 'refused', 'failed', 'inFlight'] as const;

/** A row for each side; those after the first with what they have more. */
const endsTable = ({ traffic, sides }: Comparison, words: CompareWords, lang: Lang): Table => {
  const { columns, all } = words.summary;
  return {
    head: [words.phase, words.summary.traffic, words.summary.side, ...ends.map((key) => columns[key]), columns.share],
    figuresFrom: 3,
    rows: traffic.flatMap((row) => {
      const first = row.sides[0];
      return row.sides.flatMap((side, i) =>
        side === null ? [] : [[row.phase ?? words.wholeRun, row.traffic ?? all, sides[i].letter, ...ends.map((key) => withMore(side[key], i === 0 ? null : (first?.[key] ?? null))), shareText(side, i === 0 ? null : first, lang)]],
      );
    }),
  };
};

const withMore = (value: number, first: number | null): string => (first === null || first === value ? count(value) : `${count(value)} (${signedCount(value - first)})`);

const shareText = ({ goodShare }: Ends, first: Ends | null, lang: Lang): string => {
  if (goodShare === null) return '–';
  if (first === null || first.goodShare === null || share(first.goodShare) === share(goodShare)) return share(goodShare);
  return `${share(goodShare)} (${differenceText(first.goodShare, goodShare, 'share', lang)})`;
};

const eventsTable = (comparison: Comparison, words: CompareWords): Table => ({
  head: [words.summary.event, words.summary.subject, ...sidesOf(comparison)],
  figuresFrom: 2,
  rows: comparison.events.map(({ kind, subject, counts, firstMs }) => [kind, subject, ...counts.map((times, i) => (times === 0 || firstMs[i] === null ? '–' : words.summary.first(count(times), clock(firstMs[i]))))]),
});

/** It has objectives, and no request that they are about ended. */
const isUnjudged = ({ objectives, sides }: Comparison, side: number): boolean => sides[side].firstToBreak === null && objectives.length > 0 && objectives.every(({ values }) => values[side] === null);

/** Objectives that a side breaks, with their phases. */
const brokenIn = ({ objectives }: Comparison, side: number): readonly string[] => objectives.flatMap(({ objective, phase, met }) => (met[side] === false ? [`${objective}${phase === null ? '' : ` (${phase})`}`] : []));

const firstToBreak = ({ firstToBreak: first }: Comparison['sides'][number], broken: readonly string[], words: CompareWords, lang: Lang): string => {
  if (!first) return broken.length > 0 ? words.summary.undated(broken.join(', ')) : words.summary.nothingBroke;
  const resource = first.resource ? words.summary.since(`${first.resource.service}${first.resource.instance === null ? '' : `.${first.resource.instance}`} ${terminalWords[lang].resources[first.resource.what]}`, `${first.resource.what === 'cpu' || first.resource.what === 'memory' ? '≈' : ''}${clock(first.resource.sinceMs)}`) : terminalWords[lang].noResource;
  return `${clock(first.tMs)} ${first.objective}${first.phase === null ? '' : ` (${first.phase})`}: ${resource}`;
};
