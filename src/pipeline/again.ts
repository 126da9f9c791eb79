import type { Paper } from '../../renderers/pdf/paper.js';
import { writeQuantity } from '../scenario/quantities.js';
import type { Lang, Study } from '../study/types.js';
import { firstVariant } from './look.js';

/** The command that makes a study's film and report again, as one types it beside the scenario's file. Made from the study alone. */
export const againCommand = (study: Study, { variant, lang, paper = 'a4' }: { readonly variant: string; readonly lang: Lang; readonly paper?: Paper }): string =>
  [
    `faultreel run ${scenarioFileName(study)} --seed ${study.scenario.seed}`,
    ...study.scenario.set.map(({ path, value }) => `--set ${quoted(`${path}=${value}`)}`),
    ...(study.spread === null ? [] : [`--seeds ${study.spread.seeds.length}`]),
    ...sensitivityFlag(study, variant),
    ...study.sweeps.map(({ path, values, unit, currency }) => `--sweep ${quoted(`${path}=${writeQuantity(values[0], unit, currency)}..${writeQuantity(values.at(-1)!, unit, currency)}:${values.length}`)}`),
    ...(variant === firstVariant(study) ? [] : [`--variant ${variant}`]),
    ...(lang === 'en' ? [] : [`--lang ${lang}`]),
    ...(paper === 'a4' ? [] : [`--paper ${paper}`]),
  ].join(' ');

/** What was tested, where it is not the shown variant alone. */
const sensitivityFlag = ({ sensitivity, runs }: Study, shown: string): string[] => {
  const tested = Object.keys(sensitivity ?? {});
  if (tested.length === 1 && tested[0] === shown) return [];
  return [`--sensitivity ${tested.length === 0 ? 'off' : tested.length === Object.keys(runs).length ? 'all' : 'ends'}`];
};

/** The scenario's file, by what its text is: JSON begins with a brace. */
export const scenarioFileName = ({ scenario }: Study): string => `${scenario.name}.${/^\s*\{/.test(scenario.text) ? 'json' : 'yaml'}`;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
