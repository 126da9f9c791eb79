import type { Checked, CheckedScenario } from '../../src/study/checked.js';
import { nbsp } from '../look/numbers.js';
import { findingTexts, outcomeText, some } from './check-words.js';
import { plain } from './plain.js';

/** One line for a scenario, and under it what has to be known of one that did not pass. */
export const checkedLines = (scenario: CheckedScenario): string => {
  const findings = scenario.passed && scenario.baseline !== 'written' ? [] : findingTexts(scenario);
  return [`${marks[scenario.status]}  ${scenario.file}  ${outcomeText(scenario)}`, ...findings.map((line) => `        ${line}`)].map((line) => `${spaced(line)}\n`).join('');
};

const marks = { passed: 'ok     ', failed: 'FAILED ', invalid: 'INVALID' } as const;

/** How the check ended, and what to do when it failed. */
export const checkedEnding = ({ scenarios, leftOut, orphans, seeds }: Checked): string => {
  const passed = scenarios.filter((scenario) => scenario.passed).length;
  const leftOutText = [...(leftOut.unchanged.length > 0 ? [`${leftOut.unchanged.length} unchanged`] : []), ...(leftOut.otherShard.length > 0 ? [`${leftOut.otherShard.length} in other shards`] : [])].join(', ');
  const written = scenarios.some(({ baseline }) => baseline === 'written');
  const drifted = scenarios.some(({ baseline }) => baseline === 'changed' || baseline === 'missing');
  return [
    `${passed} of ${some(scenarios.length, 'scenario')} passed under ${some(seeds, 'seed')}${leftOutText === '' ? '' : `; not checked: ${leftOutText}`}`,
    ...(written ? [`The baselines were written${passed < scenarios.length ? '; what is not as told fails all the same' : ''}.`] : []),
    ...(drifted ? ['When the change is meant, write the baselines anew with --update and commit them.'] : []),
    ...orphans.map((file) => `${file} belongs to no scenario that is here: remove it when the scenario is gone for good`),
  ].map((line) => `${spaced(line)}\n`).join('');
};

const spaced = (line: string): string => plain(line).replaceAll(nbsp, ' ');
