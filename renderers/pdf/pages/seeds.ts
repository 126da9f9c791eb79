import { count, resultValue } from '../../look/numbers.js';
import { basisOfMetric } from '../../../src/study/judging.js';
import type { SeedSpread } from '../../../src/study/types.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { bold, clean, faint, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { intervalText } from '../verdict-words.js';
import { brokenText } from './sensitivity.js';

/** What the scenario comes to over several seeds: the figures of every traffic of this variant with their intervals, and what breaks first. */
export const seedsPage = (report: ReportContext, { seeds, figures, firstToBreak }: SeedSpread): void => {
  const { flow, run, words, lang, prose } = report;
  const { title, head } = trialWords[lang];
  const few = figures.every(({ low }) => low === null);
  flow.h1(title.seeds);
  flow.band('counted', words.band.counted, () => {
    flow.paragraph(prose('sensitivity', 'seeds', { count: counted(count(seeds.length)), first: String(seeds[0]), few }), styles.lead);
    const first = firstToBreak[run.variant];
    if (run.system.objectives.length > 0) {
      flow.space(4);
      flow.paragraph(prose('sensitivity', 'seedsFirst', { one: first.length === 1, what: first.map((one) => `${bold(brokenText(one, report))}${first.length === 1 ? '' : ` (${counted(count(one.seeds))})`}`).join(', ') }), styles.body);
    }
    flow.space(8);
    const own = figures.filter(({ variant, median, min, max, metric }) => variant === run.variant && median !== null && (metric === 'good' || min !== 0 || max !== 0));
    const single = Object.keys(run.traffic).length === 1;
    drawTable(flow, {
      title: title.seeds,
      empty: words.nothing,
      size: 7.6,
      columns: [{ title: words.head.phase, width: single ? 120 : 180, weight: 600 }, { title: head.figure, width: 100 }, { title: title.median, width: 90 }, { title: few ? title.extremes : title.interval, width: 131 }],
      rows: own.map((one, index): Cell[] => {
        const place = `${single ? '' : `${clean(one.of)}, `}${one.phase === null ? words.wholeRun : clean(one.phase)}`;
        const before = own[index - 1];
        const repeated = before?.of === one.of && before.phase === one.phase;
        const basis = basisOfMetric(one.metric);
        return [repeated ? faint(place) : place, words.metric[one.metric] ?? one.metric, bold(say(resultValue(one.median, one.unit, lang), basis)), `${markOnly(basis)}${intervalText(one, one.unit, lang)}`];
      }),
    });
    flow.space(8);
  });
};
