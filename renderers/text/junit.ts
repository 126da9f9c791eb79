import type { Checked, CheckedGoal, CheckedScenario } from '../../src/study/checked.js';
import { changedText, surpriseText, turnedText } from './check-words.js';
import { plain } from './plain.js';

/** JUnit XML, as CI systems read it: a suite a scenario, a case an objective, a claim, the file and its baseline. Times are left out, so that bytes repeat. */
export const junitXml = ({ scenarios }: Checked): string => {
  const suites = scenarios.map((scenario) => ({ scenario, cases: casesOf(scenario) }));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="faultreel" ${counts(all)}>`,
    ...suites.flatMap(({ scenario, cases }) => [`  <testsuite name="${xml(scenario.file)}" ${counts(cases)}>`, ...cases.map((one) => `    ${caseXml(one, scenario)}`), '  </testsuite>']),
    '</testsuites>',
    '',
  ].join('\n');
};

interface Case {
  readonly name: string;
  readonly line: number | null;
  /** Null where it passed. */
  readonly failure: string | null;
}

const casesOf = (scenario: CheckedScenario): readonly Case[] => {
  const { problems, goals, baseline, drift } = scenario;
  const invalid = problems.map(({ message, hint, line, column }) => `${line === null ? '' : `${line}:${column}: `}${message}${hint === null ? '' : `\n  ${hint}`}`);
  const moved = drift && baseline === 'changed' ? [...drift.turned.map(turnedText), ...drift.changed.map(changedText), ...drift.appeared.map((name) => `new: ${name}`), ...drift.gone.map((name) => `gone: ${name}`)] : [];
  return [
    { name: 'is valid', line: problems[0]?.line ?? null, failure: invalid.length > 0 ? invalid.join('\n') : null },
    ...goals.map((goal) => ({ name: goalName(goal), line: goal.line, failure: goal.asTold ? null : surpriseText(goal) })),
    ...(baseline === 'absent' ? [] : [{ name: 'is as its baseline', line: null, failure: baseline === 'missing' ? 'there is no baseline of this scenario' : moved.length > 0 ? moved.join('\n') : null }]),
  ];
};

const goalName = ({ kind, name, variant, phase, expected }: CheckedGoal): string => `${kind} ${name}${phase === null ? '' : ` in ${phase}`} (${variant}) ${expected ? 'holds' : 'breaks'}`;

const caseXml = ({ name, line, failure }: Case, { file }: CheckedScenario): string => {
  const head = `<testcase classname="${xml(file)}" name="${xml(name)}" file="${xml(file)}"${line === null ? '' : ` line="${line}"`}`;
  if (failure === null) return `${head}/>`;
  const [first] = failure.split('\n');
  return `${head}><failure message="${xml(first)}">${failure.split('\n').map(xml).join('\n')}</failure></testcase>`;
};

const counts = (cases: readonly Case[]): string => `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== null).length}" errors="0" skipped="0"`;

const xml = (text: string): string => plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

