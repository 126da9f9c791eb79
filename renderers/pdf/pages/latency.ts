import { latencyDistribution, type LatencyPanel } from '../../charts/latency-distribution.js';
import { goalsLeftOut, hasLatencies, latencyGoals, latencyOverTime } from '../../charts/latency-over-time.js';
import { mainPhases } from '../../charts/time-plot.js';
import { count } from '../../look/numbers.js';
import type { TrafficTotals } from '../../../src/study/types.js';
import { chartWords } from '../../../src/text/report-charts.js';
import { counted, type ReportContext } from '../context.js';
import { lettersOf } from '../key-moments.js';
import { column, styles } from '../flow.js';
import { clean, markOnly } from '../rich.js';

/** How long requests of a traffic took: over time with the objectives, and how they are distributed. Nothing for a traffic without a latency. */
export const latencies = (report: ReportContext, traffic: string, explained: boolean): void => {
  const { flow, run, study, prose, lang } = report;
  const words = chartWords[lang];
  const common = { run, traffic, durationMs: run.durationMs, tickMs: study.scenario.tickMs, width: column.width, lang };
  if (hasLatencies(run, traffic)) {
    const drawing = report.remember(`latency ${traffic}`, () => latencyOverTime({ ...common, events: lettersOf(report) }));
    flow.h2(`${markOnly('counted')}${words.title.latency}`, prose('charts', 'latency', { traffic: clean(traffic) }));
    flow.drawing(drawing, prose('charts', 'latencyAlt', { traffic: clean(traffic) }));
    const leftOut = goalsLeftOut(run, traffic);
    if (leftOut > 0) flow.paragraph(prose('verdict', 'moreObjectives', { more: counted(count(leftOut)), one: leftOut === 1, page: flow.pageRef('objectives') || flow.pageRef('verdict') }), styles.small);
    flow.space(8);
  }
  const panels = panelsOf(report, traffic);
  if (panels.length === 0) return;
  const drawing = report.remember(`distribution ${traffic}`, () => latencyDistribution({ panels, width: column.width, lang }));
  flow.h2(`${markOnly('counted')}${words.title.distribution}`, clean(traffic));
  flow.drawing(drawing, prose('charts', 'distributionAlt', { traffic: clean(traffic), panels: panels.map(({ name }) => name).join(', ') }));
  flow.space(3);
  // What the areas are is said once.
  if (explained) flow.paragraph(prose('charts', 'distributionNote', { bad: panels.some(({ totals }) => totals.latencyBuckets.bad.counts.length > 0) }), styles.small);
  flow.space(10);
};

const mostPanels = 3;

/** The phase that breaks between its neighbours; without one, phases while they fit; else the whole run. */
const panelsOf = ({ run, words }: ReportContext, traffic: string): LatencyPanel[] => {
  const objectives = latencyGoals(run.system.objectives, traffic);
  const holds = (totals: TrafficTotals | undefined): totals is TrafficTotals => totals !== undefined && totals.latencyBuckets.good.counts.length + totals.latencyBuckets.bad.counts.length > 0;
  const panel = (name: string): LatencyPanel => ({ name: clean(name), totals: run.phases[name].traffic[traffic], goals: objectives.filter((goal) => goal.in === 'run' || goal.in.includes(name)) });
  const names = mainPhases(Object.entries(run.phases).map(([name, { fromMs, toMs }]) => ({ name, fromMs, toMs }))).map(({ name }) => name).filter((name) => holds(run.phases[name].traffic[traffic]));
  const breaks = names.indexOf(run.firstToBreak?.phase ?? '');
  if (names.length > 1 && names.length <= mostPanels) return names.map(panel);
  if (breaks >= 0) return names.slice(Math.max(0, Math.min(breaks - 1, names.length - mostPanels)), Math.max(0, Math.min(breaks - 1, names.length - mostPanels)) + mostPanels).map(panel);
  return holds(run.traffic[traffic]) ? [{ name: words.wholeRun, totals: run.traffic[traffic], goals: objectives.filter((goal) => goal.in === 'run') }] : [];
};
