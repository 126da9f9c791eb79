import { basisOfMetric } from '../../../src/study/judging.js';
import { figure } from '../../look/figure.js';
import { textWidth } from '../../look/text-width.js';
import { count, latency, perSecondInFull, share, unknown } from '../../look/numbers.js';
import { intervalText } from '../../look/sureness.js';
import { splitSubject } from '../../../src/study/events.js';
import type { FigureName, Run, SeedFigure, Study, TrafficTotals } from '../../../src/study/types.js';
import { listed } from '../../../src/text/events.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { goodShare, mainTraffic, outcomesOf, type ReportContext } from '../context.js';
import { column as page, styles } from '../flow.js';
import { bold, clean, faint, markOnly } from '../rich.js';
import { drawTable, type Cell, type TableColumn } from '../table.js';

/** What a run did in a phase (or over the whole run) to the traffic of the comparison. */
interface Effect {
  /** Intervals over seeds, as printed; empty where there is none to tell. */
  readonly seeds: { readonly share: string; readonly p95: string };
  readonly share: number | null;
  readonly p95: number | null;
  readonly goodPerS: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
  readonly dropped: number;
  readonly missed: number;
  readonly ejections: number;
  readonly ooms: number;
  readonly launches: number;
}
const counts = ['declined', 'refused', 'failed', 'dropped', 'missed', 'ejections', 'ooms', 'launches'] as const satisfies readonly (keyof Effect)[];

interface Row {
  /** Null = the whole run. */
  readonly phase: string | null;
  /** Of the variants that have the phase. */
  readonly effects: readonly { readonly variant: string; readonly effect: Effect }[];
}

/** A phase's totals of a traffic; of the whole run without a phase. */
export const totalsIn = (run: Run, scope: string | undefined, traffic: string): TrafficTotals | undefined => (scope ? run.phases[scope]?.traffic[traffic] : run.traffic[traffic]);

/** A figure over several seeds; null where one ran. */
export const spreadOf = ({ spread }: Pick<Study, 'spread'>, name: Pick<FigureName, 'variant' | 'of' | 'metric' | 'phase'>): SeedFigure | null =>
  spread?.figures.find(({ variant, of, metric, phase, over, vs }) => variant === name.variant && of === name.of && metric === name.metric && phase === name.phase && over === 'good' && vs === null) ?? null;

/** What the variants did in each phase in which they differ, in the columns that have something to tell. */
export const effects = (report: ReportContext, runs: readonly Run[]): void => {
  const { flow, words, prose, lang } = report;
  const traffic = mainTraffic(report);
  if (traffic === null) return;
  const names = [...new Set(runs.flatMap(({ phases }) => Object.keys(phases)))];
  const rows = [...names, null].map((phase): Row => ({ phase, effects: runs.flatMap((run) => effectIn(report, run, phase, traffic)) }));
  const isSame = ({ phase, effects: own }: Row): boolean => phase !== null && own.length === runs.length && agree(own.map(({ effect }) => effect));
  const [same, different] = [rows.filter(isSame), rows.filter((row) => !isSame(row))];
  const shown = columnsOf(report, traffic, different);
  const widths = widthsOf(different, shown.reduce((sum, part) => sum + part.column.width, 0));
  flow.h2(`${markOnly('counted')}${words.title.comparison}`, [clean(traffic), ...(report.study.spread ? [trialWords[lang].greyOverSeeds] : [])].join('; '));
  drawTable(flow, {
    title: words.title.comparison,
    empty: words.nothing,
    size: 7.6,
    columns: [{ title: words.head.phase, width: widths.phase, weight: 600 }, { title: words.head.variant, width: widths.variant }, ...shown.map((part) => ({ ...part.column, width: part.column.width * widths.scale }))],
    rows: different.flatMap(({ phase, effects: own }) =>
      own.map(({ variant, effect }, index): Cell[] => [
        index === 0 ? clean(phase ?? words.wholeRun) : faint(clean(phase ?? words.wholeRun)),
        clean(variant),
        ...shown.map(({ cell }) => cell(effect)),
      ]),
    ),
  });
  if (same.length > 0) flow.paragraph(prose('sections', 'variantsAgree', { phases: listed(same.map(({ phase }) => clean(phase!)), lang) }), styles.small);
};

/** Nothing of a variant that has no such phase. */
const effectIn = ({ study, lang }: ReportContext, run: Run, phase: string | null, traffic: string): Row['effects'] => {
  const seeds = (metric: 'good' | 'p95', unit: 'share' | 'ms'): string => {
    const own = spreadOf(study, { variant: run.variant, of: traffic, metric, phase });
    return own ? intervalText(own, unit, lang) : '';
  };
  const totals = totalsIn(run, phase ?? undefined, traffic);
  if (!totals) return [];
  const { declined, refused, failed } = outcomesOf(totals);
  const inPhase = (kind: 'ejected' | 'oom'): number => run.eventLog.filter((event) => event.kind === kind && within(run, phase, event.tMs)).length;
  // A sidecar comes with its pod: one launch.
  const isPod = (service: string): boolean => run.system.services.some(({ name, beside }) => name === service && beside === null);
  const launches = phase === null
    ? Object.entries(run.services).reduce((sum, [name, service]) => sum + (isPod(name) ? service.launches : 0), 0)
    : run.eventLog.filter(({ kind, tMs, subject }) => kind === 'booted' && isPod(splitSubject(subject).service) && within(run, phase, tMs)).length;
  const effect: Effect = {
    seeds: { share: seeds('good', 'share'), p95: seeds('p95', 'ms') },
    share: goodShare(totals), p95: totals.latencyMs?.p95 ?? null, goodPerS: totals.goodPerS, declined, refused, failed,
    dropped: totals.dropped, missed: totals.deliveries?.missed ?? 0, ejections: inPhase('ejected'), ooms: inPhase('oom'), launches,
  };
  return [{ variant: run.variant, effect }];
};

const sameP95 = 0.05;

/** Whether variants did the same: equal outcomes, and a p95 that differs by less than 5 %. */
const agree = (effects: readonly Effect[]): boolean => {
  const [first, ...others] = effects;
  const p95s = effects.map(({ p95 }) => p95 ?? 0);
  return others.every((other) => (['share', ...counts] as const).every((key) => other[key] === first[key])) && Math.max(...p95s) <= Math.min(...p95s) * (1 + sameP95);
};

/** Phases and variants take what the numbers leave, at least so much that a name stays readable; numbers give way when they are too many. */
const widthsOf = (rows: readonly Row[], numbers: number): { phase: number; variant: number; scale: number } => {
  const fewest = 160;
  const left = Math.max(fewest, page.width - numbers);
  const longest = Math.max(48, ...rows.map(({ phase }) => textWidth(phase ?? '', 7.6, 600) + 12));
  const phase = Math.min(longest, left * 0.45);
  return { phase, variant: left - phase, scale: (page.width - left) / numbers };
};

const columnsOf = ({ run, words, lang, study }: ReportContext, traffic: string, rows: readonly Row[]): { column: TableColumn; cell: (effect: Effect) => string }[] => {
  const { head } = words;
  const end = (title: string, width: number): TableColumn => ({ title, width, align: 'end' });
  const all = rows.flatMap(({ effects: own }) => own.map(({ effect }) => effect));
  const under = (interval: string): string => (interval === '' ? '' : ` ${faint(interval)}`);
  // Users who wait for their answers send less when answers are slow: their rate is the throughput.
  const closed = run.system.traffic.some(({ name, kind }) => name === traffic && kind === 'closed');
  const tallies = counts.filter((key) => all.some((effect) => effect[key] > 0) || ((key === 'refused' || key === 'failed') && !closed)).map((key) => {
    const guessed = key !== 'missed' && basisOfMetric(key) === 'estimated';
    return { column: { ...end(head[key], guessed ? 53 : 44), ...(guessed ? { mark: 'estimated' as const } : {}) }, cell: (effect: Effect) => (guessed && effect[key] > 0 ? figure(count(effect[key]), 'estimated').text : count(effect[key])) };
  });
  return [
    { column: end(head.goodShare, 58), cell: (effect: Effect) => `${bold(effect.share === null ? unknown[lang] : share(effect.share))}${under(effect.seeds.share)}` },
    ...(closed ? [{ column: end(head.goodRate, 52), cell: ({ goodPerS }: Effect) => perSecondInFull(goodPerS) }] : []),
    { column: end('p95', study.spread ? 62 : 44), cell: ({ p95, seeds }: Effect) => `${p95 === null ? unknown[lang] : latency(p95)}${under(seeds.p95)}` },
    ...tallies,
  ];
};

const within = (run: Run, phase: string | null, tMs: number): boolean => {
  if (phase === null) return true;
  const window = run.phases[phase];
  return window !== undefined && tMs >= window.fromMs && tMs < window.toMs;
};
