import { costBars } from '../../charts/cost-bars.js';
import { clock, money, span, unknown } from '../../look/numbers.js';
import type { Billed } from '../../../src/study/types.js';
import { frameWords } from '../../../src/text/report-frames.js';
import { figure } from '../../look/figure.js';
import { estimated, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { bold, clean, faint, markOnly, plainText } from '../rich.js';
import { drawTable, type Cell } from '../table.js';

/** What was billed, by service and shared host, in each phase and the whole run; and what surviving the event cost. */
export const costTable = (report: ReportContext): void => {
  const { flow, run, words, prose, lang } = report;
  const { services, amount, phases } = run.cost;
  // The first page says that the cost is unknown.
  const names = Object.keys(services);
  if (names.length === 0) return;
  flow.h2(`${markOnly('estimated')}${words.title.costTable}`);
  flow.paragraph(survivalText(report), styles.note);
  flow.space(3);
  flow.paragraph(prose('cost', 'note', { several: Object.keys(phases).length > 1 }), styles.small);
  flow.space(4);
  const windows = [...Object.entries(phases).map(([phase, of]) => ({ label: clean(phase), ...of })), { label: words.wholeRun, services, amount }];
  bars(report, windows);
  const paid = (value: number | null): string => bold(estimated(paidText(report, value)));
  const seconds = (value: number): string => estimated(span(Math.round(value) * 1000, lang));
  const row = (label: string, name: string, { billedS, extraS, amount: own }: Billed): Cell[] => [label, name, seconds(billedS), extraS > 0 ? seconds(extraS) : words.none, paid(own)];
  drawTable(flow, {
    title: words.title.costTable,
    empty: words.nothing,
    columns: [{ title: words.head.phase, width: 96, weight: 600 }, { title: words.head.service, width: 150 }, { title: words.head.billed, width: 85 }, { title: words.head.extra, width: 85 }, { title: words.head.amount, width: 85 }],
    rows: windows.flatMap(({ label, services: of, amount: sum }) => [
      ...names.map((name, i) => row(i === 0 ? label : '', `${clean(name)} ${faint(clean(services[name].machine))}`, of[name])),
      ...(names.length > 1 ? [['', frameWords[lang].total, '', '', paid(sum)]] : []),
    ]),
  });
};

const paidText = ({ run: { cost }, lang }: ReportContext, value: number | null): string => (value === null || cost.currency === null ? unknown[lang] : money(value, cost.currency));

/** What was billed beyond the start, and what is missing where its price is unknown. */
const survivalText = (report: ReportContext): string => {
  const { run: { cost }, prose, lang } = report;
  const { survival, unknown: unpriced } = cost;
  return prose('cost', 'survival', {
    any: survival !== null,
    from: survival && estimated(clock(survival.fromMs)),
    extra: survival && estimated(span(Math.round(survival.extraS) * 1000, lang)),
    amount: survival && bold(survival.amount === null ? unknown[lang] : estimated(paidText(report, survival.amount))),
    known: survival !== null && survival.amount !== null,
    unpriced: unpriced.map(clean).join(', '),
  });
};

const bars = (report: ReportContext, windows: readonly { readonly label: string; readonly services: Readonly<Record<string, Billed>>; readonly amount: number | null }[]): void => {
  const { flow, run: { cost }, words, lang } = report;
  if (cost.currency === null || Object.values(cost.services).every(({ amount }) => amount === null)) return;
  const currency = cost.currency;
  const sumText = (amount: number | null): string => (amount === null ? unknown[lang] : figure(money(amount, currency), 'estimated').text);
  const drawing = costBars({
    width: column.width,
    rows: windows.map(({ label, services, amount }) => ({ label: plainText(label), parts: Object.entries(services).map(([name, own]) => ({ name: clean(name), amount: own.amount })), text: sumText(amount) })),
    tick: (value) => money(value, currency),
    unknown: (names) => `${unknown[lang]}: ${names.join(', ')}`,
  });
  flow.drawing(drawing, `${words.title.costTable}: ${windows.map(({ label, amount }) => `${plainText(label)} ${sumText(amount)}`).join(', ')}`);
  flow.space(6);
};
