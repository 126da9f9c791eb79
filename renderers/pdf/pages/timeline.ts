import { bold, clean, faint } from '../rich.js';
import { styles } from '../flow.js';
import { momentOf, sentenceOf, type ReportContext } from '../context.js';
import { drawTable } from '../table.js';

/** The event log of the variant, in order of time. */
export const timelinePage = (report: ReportContext): void => {
  const { flow, run, words, prose, lang } = report;
  flow.h1(words.title.timeline);
  flow.paragraph(prose('sections', 'timeline', { variant: clean(run.variant) }), styles.lead);
  flow.space(8);
  drawTable(flow, {
    title: words.title.eventLog,
    empty: words.nothing,
    columns: [
      { title: words.head.time, width: 60 },
      { title: words.head.what, width: 181 },
      { title: words.head.why, width: 260 },
    ],
    rows: run.eventLog.map((event) => {
      const { lead, rest } = sentenceOf(event, lang);
      return [momentOf(event), bold(lead), rest || faint(words.none)];
    }),
  });
};
