import { surprisesIn, type CheckedScenario } from '../../src/study/checked.js';
import type { Drift } from '../../src/study/drift.js';
import { changedText, some, surpriseText, turnedText } from './check-words.js';
import { plain } from './plain.js';

/** At most so many of a scenario: GitHub shows ten errors of a step, and the summary has all. */
const most = 10;

/**
 * Workflow commands of GitHub Actions: a message at file and line, in the list of changes of a pull request.
 * @param file as it is named from the root of the repository
 */
export const annotations = (scenario: CheckedScenario, file: string): string => {
  const { problems, drift, baseline } = scenario;
  const errors = [
    ...problems.map(({ message, hint, line, column }) => ({ message: hint === null ? message : `${message}. ${hint}`, line: line ?? 1, column: column ?? 1, title: 'Scenario invalid' })),
    ...surprisesIn(scenario).map((goal) => ({ message: surpriseText(goal), line: goal.line, column: goal.column, title: `${goal.kind === 'claim' ? 'Claim' : 'Objective'} ended otherwise than told` })),
    ...(drift && baseline === 'changed' ? [...drift.turned.map(turnedText), ...changedInOne(drift)].map((message) => ({ message, line: 1, column: 1, title: 'Changed against the baseline' })) : []),
    ...(baseline === 'missing' ? [{ message: 'There is no baseline of this scenario: write it with faultreel check --update', line: 1, column: 1, title: 'No baseline' }] : []),
  ];
  return errors.slice(0, most).map(({ message, line, column, title }) => `::error file=${property(file)},line=${line},col=${column},title=${property(title)}::${data(message)}\n`).join('');
};

/** One message: the list of a step has room for few. */
const changedInOne = ({ changed }: Drift): string[] => (changed.length === 0 ? [] : [`${some(changed.length, 'figure')} changed: ${changed.slice(0, 3).map(changedText).join('; ')}${changed.length > 3 ? '; …' : ''}`]);

/** What ends a command, or a property of it, is written as a code. */
const data = (text: string): string => plain(text).replaceAll('%', '%25');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
