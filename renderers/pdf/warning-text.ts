import { count, share } from '../look/numbers.js';
import type { Warning } from '../../src/study/types.js';
import { warningTexts } from '../../src/text/warnings.js';
import { counted, type ReportContext } from './context.js';
import { styles } from './flow.js';
import { linkName } from './link-name.js';
import { bold, clean, say, type TextStyle } from './rich.js';

/** Warnings of the run that are meant, each as a paragraph. */
export const warningParagraphs = ({ flow, run, study, lang, words }: ReportContext, isMeant: (warning: Warning) => boolean = () => true, style: TextStyle = styles.body): void => {
  const texts = warningTexts(run.warnings.filter(isMeant), lang, {
    subject: (name) => linkName(name, run.system.links),
    count: (value) => counted(count(value)),
    share: (value) => counted(share(value)),
    setting: (text, link) => say(clean(text), study.inputs.find(({ path }) => path.endsWith(`${link.replace('.', '.to.')}.outlier.maxEjected`))?.basis ?? 'default'),
  });
  for (const text of texts) {
    flow.space(3);
    flow.paragraph(`${bold(`${words.warning}:`)} ${text}`, style);
  }
};
