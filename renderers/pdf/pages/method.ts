import { bytes, count, span } from '../../look/numbers.js';
import type { ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { bold, clean, say } from '../rich.js';
import { drawTable } from '../table.js';

/** How the figures came to be, and everything that is needed to get them again. */
export const methodPage = ({ flow, study, run, words, prose, lang, command, attachments }: ReportContext): void => {
  const { scenario, tool } = study;
  // Its last rows alone on a page would be a page for nothing.
  const over = height(attachments.length + scenario.set.length) - flow.left;
  if (flow.y > column.top && over > 0 && over < fewest) flow.turn();
  flow.h1(words.title.method);
  flow.paragraph(prose('sections', 'method1'), styles.body);
  flow.space(5);
  flow.paragraph(prose('sections', 'method2'), styles.body);
  flow.space(5);
  flow.paragraph(prose('sections', 'method3', { variant: clean(run.variant), events: say(count(run.events), 'counted'), requests: say(count(run.requests), 'counted'), tick: say(span(scenario.tickMs, lang), 'chosen') }), styles.body);
  flow.space(8);
  flow.h2(words.title.command);
  flow.paragraph(bold(clean(command)), styles.body);
  flow.paragraph(prose('sections', 'repeat', { version: tool.version }), styles.note);
  flow.space(8);
  flow.h2(words.title.versions);
  drawTable(flow, {
    title: words.title.versions,
    size: 7.6,
    empty: words.nothing,
    columns: [{ title: words.head.name, width: 130, weight: 600 }, { title: words.head.value, width: 371 }],
    rows: [
      ['faultreel', clean(tool.version)],
      [clean(study.schema.split('/')[0]), clean(study.schema)],
      [clean(scenario.name), `${words.repeatsFrom} ${clean(scenario.sha256)}`],
      [words.seed(scenario.seed), say(span(run.durationMs, lang), 'chosen')],
      ...scenario.set.map(({ path, value }) => ['--set', `${clean(path)}=${clean(value)}`]),
    ],
  });
  flow.space(8);
  flow.h2(words.title.attachments);
  drawTable(flow, {
    title: words.title.attachments,
    size: 7.6,
    empty: words.nothing,
    columns: [{ title: words.head.file, width: 130, weight: 600 }, { title: words.head.size, width: 60 }, { title: words.repeatsFrom, width: 311 }],
    rows: attachments.map(({ name, bytes: content, sha256 }) => [clean(name), bytes(content.length), sha256]),
  });
};

/** Of this part with so many rows that depend on the study, pt. */
const height = (rows: number): number => 350 + rows * 16;

/** Less than this is not worth a page of its own, pt. */
const fewest = 140;
