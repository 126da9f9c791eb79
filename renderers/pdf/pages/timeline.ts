import { count } from '../../look/numbers.js';
import { bold, clean, faint, say } from '../rich.js';
import { styles } from '../flow.js';
import { counted, type ReportContext } from '../context.js';
import { frames } from './frames.js';
import { drawTable } from '../table.js';
import { tellingRows, timelineRows } from '../timeline-rows.js';

/** What happened in the variant, in order of time: a row for each tick in which something did. */
export const timelinePage = (report: ReportContext): void => {
  const { flow, study, run, words, prose, lang } = report;
  flow.h1(words.title.timeline);
  flow.band('counted', words.band.timeline, () => {
    flow.paragraph(prose('sections', 'timeline', { variant: clean(run.variant) }), styles.lead);
    flow.space(8);
    const { rows, leftOut } = tellingRows(timelineRows(run.eventLog, study.scenario.tickMs, lang));
    const explains = rows.some(({ why }) => why !== '');
    drawTable(flow, {
      title: words.title.timeline,
      empty: words.nothing,
      columns: [
        { title: words.head.time, width: 82 },
        { title: words.head.what, width: explains ? 199 : 419 },
        ...(explains ? [{ title: words.head.why, width: 220 }] : []),
      ],
      rows: rows.map(({ time, basis, what, why }) => [say(time, basis), bold(what), ...(explains ? [why || faint(words.none)] : [])]),
    });
    if (leftOut.length > 0) {
      flow.space(4);
      flow.paragraph(prose('frames', 'leftOut', { rows: count(leftOut.length), events: counted(count(leftOut.reduce((sum, { events }) => sum + events.length, 0))), all: counted(count(run.eventLog.length)) }), styles.small);
    }
    flow.space(12);
    frames(report);
  });
};
