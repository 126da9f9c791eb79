import type { Paper } from '../../renderers/pdf/paper.js';
import type { Lang, Study } from '../study/types.js';
import { firstVariant } from './look.js';

/** The command that makes a study's film and report again, as one types it beside the scenario's file. Made from the study alone. */
export const againCommand = (study: Study, { variant, lang, paper = 'a4' }: { readonly variant: string; readonly lang: Lang; readonly paper?: Paper }): string =>
  [
    `faultreel run ${scenarioFileName(study)} --seed ${study.scenario.seed}`,
    ...study.scenario.set.map(({ path, value }) => `--set ${quoted(`${path}=${value}`)}`),
    ...(variant === firstVariant(study) ? [] : [`--variant ${variant}`]),
    ...(lang === 'en' ? [] : [`--lang ${lang}`]),
    ...(paper === 'a4' ? [] : [`--paper ${paper}`]),
  ].join(' ');

/** The scenario's file, by what its text is: JSON begins with a brace. */
export const scenarioFileName = ({ scenario }: Study): string => `${scenario.name}.${/^\s*\{/.test(scenario.text) ? 'json' : 'yaml'}`;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
