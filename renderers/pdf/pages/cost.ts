import { money, span, unknown } from '../../look/numbers.js';
import type { ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { bold, clean, markOnly, say } from '../rich.js';
import { drawTable } from '../table.js';

/** What was billed, by service and shared host. */
export const costTable = ({ flow, run, words, prose, lang }: ReportContext): void => {
  const { services, currency, amount } = run.cost;
  // The first page says that the cost is unknown.
  if (Object.keys(services).length === 0) return;
  flow.h2(`${markOnly('estimated')}${words.title.costTable}`, '', 60);
  flow.paragraph(prose('sections', 'costNote'), styles.small);
  flow.space(4);
  const paid = (value: number | null): string => bold(say(value === null || currency === null ? unknown[lang] : money(value, currency), 'estimated'));
  const seconds = (value: number): string => say(span(Math.round(value) * 1000, lang), 'estimated');
  drawTable(flow, {
    title: words.title.costTable,
    empty: words.nothing,
    columns: [{ title: words.head.service, width: 120, weight: 600 }, { title: words.head.machine, width: 96 }, { title: words.head.billed, width: 95 }, { title: words.head.extra, width: 95 }, { title: words.head.amount, width: 95 }],
    rows: [
      ...Object.entries(services).map(([name, service]) => [clean(name), clean(service.machine), seconds(service.billedS), service.extraS > 0 ? seconds(service.extraS) : words.none, paid(service.amount)]),
      ...(Object.keys(services).length > 1 ? [[words.wholeRun, '', '', '', paid(amount)]] : []),
    ],
  });
};
