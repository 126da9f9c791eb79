import type { Lang, Study } from '../../src/study/types.js';
import { terminalWords } from '../../src/text/terminal.js';
import { plain } from './plain.js';
import { summaryOf, type SummaryTable } from './summary.js';

/** summary.md: what a pull request or a chat needs to know, in Markdown. */
export const summaryMarkdown = (study: Study, { variant, lang }: { readonly variant: string; readonly lang: Lang }): string => {
  const words = terminalWords[lang];
  const summary = summaryOf(study, study.runs[variant], lang);
  return [
    `# ${markdown(summary.title)}`,
    `${markdown(variant)}: ${markdown(summary.simulated)}`,
    `**${words.firstToBreak}:** ${markdown(summary.firstToBreak)}`,
    ...(summary.warnings.length > 0 ? [list(summary.warnings.map((line) => `${words.warning}: ${line}`))] : []),
    ...table(summary.objectives),
    ...(summary.sureness.length > 0 ? [list(summary.sureness)] : []),
    ...(summary.measureFirst.length > 0 ? [`**${words.measureFirst}:**`, list(summary.measureFirst)] : []),
    ...summary.sweeps.flatMap(table),
    ...table(summary.claims),
    ...table(summary.totals),
    ...(summary.reasons.length > 0 ? [list(summary.reasons)] : []),
    list(summary.conservation.map((line) => `${words.conservation}: ${line}`)),
    `**${words.cost}:** ${markdown(summary.cost)}`,
    ...(summary.limits.length > 0 ? [`## ${words.limits}`, list(summary.limits)] : []),
    `*${markdown(summary.basisNote)}*`,
  ].join('\n\n') + '\n';
};

const table = ({ title, columns, rows }: SummaryTable): string[] =>
  rows.length === 0
    ? []
    : [
        `## ${title}`,
        [columns.map((column) => column.title), columns.map(({ align }) => (align === 'right' ? '---:' : '---')), ...rows.map((row) => row.map(markdown))]
          .map((row) => `| ${row.join(' | ')} |`)
          .join('\n'),
      ];

const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdown(line)}`).join('\n');

/** A text that Markdown, and HTML inside it, shows as it is. */
export const markdown = (text: string): string =>
  plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]#!|~@]/g, '\\$&')
    // A bare address would become a link; a colon written as an entity does not.
    .replace(/(https?|ftp):\/\//gi, '$1&#58;//')
    .replace(/^(\s*\d+)([.)])(?=\s)/, '$1\\$2')
    .replace(/^(\s*)-(?=\s)/, '$1\\-');
