import { count, money, resultValue } from '../../look/numbers.js';
import { intervalText, isFew } from '../../look/sureness.js';
import type { Metric, SeedSpread } from '../../../src/study/types.js';
import { undatedBreaks } from '../../../src/study/undated-break.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { bold, clean, faint, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { brokenText } from './sensitivity.js';

/** What the scenario comes to over several seeds: the figures of every traffic of this variant with their intervals, and what breaks first. */
export const seedsPage = (report: ReportContext, { seeds, figures, firstToBreak }: SeedSpread): void => {
  const { flow, run, words, lang, prose } = report;
  const { title } = trialWords[lang];
  const few = isFew({ figures });
  flow.h1(title.seeds);
  flow.band('counted', words.band.counted, () => {
    flow.paragraph(prose('sensitivity', 'seeds', { count: counted(count(seeds.length)), first: String(seeds[0]), few }), styles.lead);
    const first = firstToBreak[run.variant];
    if (run.system.objectives.length > 0) {
      flow.space(4);
      flow.paragraph(prose('sensitivity', 'seedsFirst', { one: first.length === 1, nothing: first[0].objective === null, undated: undatedBreaks(report.study, run.variant).length > 0, what: first.map((one) => `${bold(brokenText(one, report))}${first.length === 1 ? '' : ` (${counted(count(one.seeds))})`}`).join(', ') }), styles.body);
    }
    flow.space(8);
    const own = figures.filter(({ variant, median }) => variant === run.variant && median !== null);
    for (const traffic of Object.keys(run.traffic)) outcomesTable(report, traffic, own.filter(({ of }) => of === traffic), few);
    costs(report, own.filter(({ metric }) => metric === 'cost'));
    flow.space(8);
  });
};

const metrics = ['good', 'refused', 'failed', 'rate', 'p50', 'p95', 'p99'] as const satisfies readonly Metric[];

/** A row a phase: the median of each figure and its interval; figures that are nothing everywhere have no column. */
const outcomesTable = ({ flow, run, words, lang }: ReportContext, traffic: string, own: readonly Seeded[], few: boolean): void => {
  const { title } = trialWords[lang];
  const shown = metrics.filter((metric) => metric === 'good' || own.some((one) => one.metric === metric && one.max !== 0));
  const phases = [...Object.keys(run.phases), null];
  const several = Object.keys(run.traffic).length > 1;
  flow.h2(`${markOnly('counted')}${title.median}, ${few ? title.extremes : title.interval}`, several ? clean(traffic) : '');
  drawTable(flow, {
    title: title.seeds,
    empty: words.nothing,
    size: 7.2,
    columns: [{ title: words.head.phase, width: 501 - shown.length * 61, weight: 600 }, ...shown.map((metric) => ({ title: words.metric[metric] ?? metric, width: 61 }))],
    rows: phases.map((phase): Cell[] => [
      phase === null ? words.wholeRun : clean(phase),
      ...shown.map((metric) => {
        const one = own.find((figure) => figure.metric === metric && figure.phase === phase);
        const interval = one ? intervalText(one, one.unit, lang) : '';
        return one ? `${bold(resultValue(one.median, one.unit, lang))}${interval === '' ? '' : ` ${faint(interval)}`}` : words.none;
      }),
    ]),
  });
  flow.space(8);
};
type Seeded = SeedSpread['figures'][number];

/** What each machine costs over the seeds; nothing where no price is known. */
const costs = ({ flow, run, prose }: ReportContext, own: readonly Seeded[]): void => {
  const { currency } = run.cost;
  if (currency === null || own.length === 0) return;
  const amount = (value: number | null): string => say(`${money(value ?? 0, currency)}/h`, 'estimated');
  flow.paragraph(prose('sensitivity', 'seedsCost', { costs: own.map(({ of, median, min, max }) => `${clean(of)} ${amount(median)}${min === max ? '' : ` (${amount(min)} – ${amount(max)})`}`).join(', ') }), styles.note);
};
