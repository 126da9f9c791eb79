import type { Lang, Study } from '../../src/study/types.js';
import { inputsOf } from '../../src/study/inputs.js';
import { isAsTold } from '../../src/study/judging.js';
import { terminalWords } from '../../src/text/terminal.js';
import { nbsp } from '../look/numbers.js';
import { plain } from './plain.js';
import { summaryOf, verdictName } from './summary.js';

/** What a run came to, in a few lines for the end of a terminal: what broke first, how objectives and claims ended, and what must be known before a figure is trusted. */
export const closingText = (study: Study, variant: string, lang: Lang): string => {
  const words = terminalWords[lang];
  const { firstToBreak, warnings } = summaryOf(study, study.runs[variant], lang);
  const { verdicts } = study;
  const kept = verdicts.filter(({ met, blind }) => met === true && !blind).length;
  const news = verdicts.filter(({ met, expected, blind }) => !blind && met !== null && met !== expected).map((verdict) => (verdict.variant === variant ? verdictName(verdict) : words.ofVariant(verdictName(verdict), verdict.variant)));
  const denied = study.claims.filter((claim) => !isAsTold(claim)).map(({ claim }) => claim);
  const own = verdicts.filter((verdict) => verdict.variant === variant);
  const open = own.filter(({ sure, tested, blind }) => sure === 'untested' && tested !== null && !blind);
  const unranged = [...new Set(open.flatMap(({ restsOn }) => restsOn))].filter((path) => inputsOf(study, variant).find((input) => input.path === path)?.range === undefined);
  return [
    `${words.firstToBreak}: ${plain(firstToBreak)}`,
    ...warnings.map((line) => `${words.warning}: ${plain(line)}`),
    ...(verdicts.length > 0 ? [words.objectivesKept(kept, verdicts.length, news.map(plain).join(', '))] : []),
    ...(unranged.length > 0 ? [words.untested(open.length, own.length, own.length < verdicts.length ? variant : null, unranged.slice(0, 3).map(plain).join(', '), unranged.length > 3)] : []),
    ...(study.claims.length > 0 ? [words.claimsKept(study.claims.length - denied.length, study.claims.length, denied.map(plain).join(', '))] : []),
    '',
  ].join('\n').replaceAll(nbsp, ' ');
};
