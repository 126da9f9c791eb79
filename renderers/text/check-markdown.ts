import { surprisesIn, type Checked, type CheckedScenario } from '../../src/study/checked.js';
import { figureText, outcomeText, sidesText, signed, some, surpriseText, turnedText } from './check-words.js';
import { markdown } from './markdown.js';
import { plain } from './plain.js';

/** What GitHub takes as the summary of a step. */
const mostBytes = 2 ** 20;

/**
 * The summary of a check: what turned, what changed, scenario by scenario, those that did not pass first. Never longer than GitHub takes; what does not fit is counted.
 * @param artefacts files that `faultreel run` makes of a scenario, by their path in what CI uploads
 */
export const checkMarkdown = (checked: Checked, artefacts: (scenario: CheckedScenario) => readonly string[]): string => {
  const { scenarios, seeds, leftOut, orphans, passed } = checked;
  const failed = scenarios.filter((scenario) => !scenario.passed);
  const head = [
    `## faultreel: ${passed ? 'as told' : `${some(failed.length, 'scenario')} not as told`}`,
    `${scenarios.length - failed.length} of ${some(scenarios.length, 'scenario')} passed under ${some(seeds, 'seed')}${leftOut.unchanged.length > 0 ? `; ${leftOut.unchanged.length} unchanged` : ''}${leftOut.otherShard.length > 0 ? `; ${leftOut.otherShard.length} in other shards` : ''}.`,
    ...(scenarios.length === 0 ? [] : [overview(scenarios)]),
    ...(orphans.length > 0 ? [`Baselines without a scenario: ${orphans.map(markdown).join(', ')}`] : []),
  ];
  const told = [...failed, ...scenarios.filter((scenario) => scenario.passed && hasNews(scenario))];
  const closing = '*Everything here was simulated: counted or, behind ≈, estimated; nothing was measured in a real system. A figure has changed when its change is larger than what other draws make of it.*';
  return `${fitting(head, told.map((scenario) => section(scenario, artefacts(scenario))), closing)}\n`;
};

const marks = { passed: '✓', failed: '✗', invalid: '✗' } as const;

const overview = (scenarios: readonly CheckedScenario[]): string => {
  const rows = scenarios.slice(0, mostRows).map((scenario) => `| ${marks[scenario.status]} | ${markdown(scenario.file)} | ${markdown(outcomeText(scenario))} |`);
  return ['|   | scenario | outcome |', '|---|---|---|', ...rows, ...(scenarios.length > mostRows ? [`|   | ${scenarios.length - mostRows} more | |`] : [])].join('\n');
};
const mostRows = 200;

const hasNews = ({ drift }: CheckedScenario): boolean => drift !== null && drift.changed.length + drift.turned.length + drift.appeared.length + drift.gone.length > 0;

const section = (scenario: CheckedScenario, artefacts: readonly string[]): string => {
  const { file, problems, drift, baseline } = scenario;
  const lines = [
    ...problems.map(({ message, hint, line }) => `${line === null ? '' : `line ${line}: `}${message}${hint === null ? '' : ` (${hint})`}`),
    ...surprisesIn(scenario).map(surpriseText),
    ...(baseline === 'missing' ? ['there is no baseline of this scenario yet'] : []),
    ...(drift ? [...drift.turned.map(turnedText), ...drift.appeared.map((name) => `new: ${name}`), ...drift.gone.map((name) => `gone: ${name}`)] : []),
  ];
  return [
    `### ${markdown(file)}`,
    ...(lines.length > 0 ? [[...lines.slice(0, mostRows), ...(lines.length > mostRows ? [`${lines.length - mostRows} more`] : [])].map((line) => `- ${markdown(line)}`).join('\n')] : []),
    ...(drift && drift.changed.length > 0 ? [changes(drift.changed)] : []),
    ...(drift && drift.noisy > 0 ? [`${some(drift.noisy, 'other figure')} moved no further than chance, or not visibly.`] : []),
    ...(artefacts.length > 0 ? [`\`faultreel run\` makes of it ${artefacts.map((name) => `\`${plain(name).replaceAll('`', '')}\``).join(', ')}`] : []),
  ].join('\n\n');
};

const changes = (changed: NonNullable<CheckedScenario['drift']>['changed']): string =>
  [
    '| figure | baseline | now | 95% interval of the change |',
    '|---|---:|---:|---|',
    ...changed.slice(0, mostRows).map(({ figure, before, after, change }) => `| ${[figureText(figure), ...sidesText(before, after, figure.unit), change === null ? '–' : `${signed(change[0], figure.unit)} to ${signed(change[1], figure.unit)}`].map(markdown).join(' | ')} |`),
    ...(changed.length > mostRows ? [`| ${changed.length - mostRows} more | | | |`] : []),
  ].join('\n');

/** As many sections as there is room for. */
const fitting = (head: readonly string[], sections: readonly string[], closing: string): string => {
  const parts = [...head];
  const bytesOf = (text: string): number => new TextEncoder().encode(text).length + 2;
  let room = mostBytes - bytesOf(closing) - 200 - parts.reduce((sum, part) => sum + bytesOf(part), 0);
  let left = 0;
  for (const own of sections) {
    const fits = bytesOf(own) <= room;
    if (fits) parts.push(own);
    room -= fits ? bytesOf(own) : 0;
    left += fits ? 0 : 1;
  }
  if (left > 0) parts.push(`${some(left, 'more scenario')} did not fit here; \`faultreel check --json\` has them.`);
  return [...parts, closing].join('\n\n');
};
