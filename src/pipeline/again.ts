import type { Paper } from '../../renderers/pdf/paper.js';
import { writeQuantity } from '../scenario/quantities.js';
import type { Lang, Study } from '../study/types.js';
import { firstVariant } from './look.js';

/**
 * The command that makes a study's film and report again, as one types it beside the scenario's file. Made from the study alone. What was tested or swept for another variant than
 * the one that is shown takes two commands: a run of that one, and a rendering of the other.
 */
export const againCommand = (study: Study, { variant, lang, paper = 'a4' }: { readonly variant: string; readonly lang: Lang; readonly paper?: Paper }): string => {
  const ran = ranVariant(study, variant);
  const look = [...(lang === 'en' ? [] : [`--lang ${lang}`]), ...(paper === 'a4' ? [] : [`--paper ${paper}`])];
  const run = [
    `faultreel run ${scenarioFileName(study)} --seed ${study.scenario.seed}`,
    ...study.scenario.set.map(({ path, value }) => `--set ${quoted(`${path}=${value}`)}`),
    ...(study.spread === null ? [] : [`--seeds ${study.spread.seeds.length}`]),
    ...sensitivityFlag(study),
    ...study.sweeps.map(({ path, values, unit, currency }) => `--sweep ${quoted(`${path}=${writeQuantity(values[0], unit, currency)}..${writeQuantity(values.at(-1)!, unit, currency)}:${values.length}`)}`),
    ...(ran === firstVariant(study) ? [] : [`--variant ${ran}`]),
  ];
  if (ran === variant) return [...run, ...look].join(' ');
  return `${run.join(' ')} && ${[`faultreel render out/${study.scenario.name}/study.json --variant ${variant}`, ...look].join(' ')}`;
};

/** The variant that was asked for when the study was made: the one that was tested or swept alone, else the shown one. */
const ranVariant = ({ sensitivity, sweeps }: Study, shown: string): string => {
  const tested = Object.keys(sensitivity ?? {});
  return sweeps[0]?.variant ?? (tested.length === 1 ? tested[0] : shown);
};

/** What was tested, where it is not the one variant that was asked for. */
const sensitivityFlag = ({ sensitivity, runs }: Study): string[] => {
  const tested = Object.keys(sensitivity ?? {}).length;
  if (tested === 0) return ['--sensitivity off'];
  return tested > 1 && tested === Object.keys(runs).length ? ['--sensitivity all'] : [];
};

/** The scenario's file, by what its text is: JSON begins with a brace. */
export const scenarioFileName = ({ scenario }: Study): string => `${scenario.name}.${/^\s*\{/.test(scenario.text) ? 'json' : 'yaml'}`;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
