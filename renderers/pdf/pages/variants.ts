import { shareBars, shareText } from '../../charts/bars.js';
import type { Mark } from '../../look/figure.js';
import { clock, condition, count, latency, points, resultValue, share, unknown } from '../../look/numbers.js';
import type { ClaimResult, Run } from '../../../src/study/types.js';
import { goodShare, mainTraffic, shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { bold, clean, faint, judged, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';

/** What each variant changed and what that did, and what the file claims of all this. */
export const variantsPage = (report: ReportContext): void => {
  const { flow, study, words, prose } = report;
  const runs = Object.values(study.runs);
  flow.h1(words.title.variants);
  if (runs.length === 1) flow.paragraph(prose('sections', 'variantsNone'), styles.lead);
  else comparison(report, runs as [Run, ...Run[]]);
  flow.space(12);
  flow.band('counted', '', () => claims(report));
};

const comparison = (report: ReportContext, runs: readonly [Run, ...Run[]]): void => {
  const { flow, words, prose } = report;
  flow.paragraph(prose('sections', 'variants'), styles.lead);
  flow.space(8);
  changes(report, runs);
  flow.band('counted', words.band.counted, () => {
    goodBars(report, runs);
    flow.space(6);
    for (const run of runs) flow.paragraph(sentence(report, run, runs[0]), styles.body);
    flow.space(10);
    effects(report, runs);
  });
};

const changes = ({ flow, words, prose }: ReportContext, runs: readonly Run[]): void => {
  flow.h2(words.title.changes);
  drawTable(flow, {
    title: words.title.changes,
    empty: words.nothing,
    columns: [{ title: words.head.variant, width: 150, weight: 600 }, { title: words.head.setting, width: 251 }, { title: words.head.value, width: 100 }],
    rows: runs.flatMap(({ variant, overrides }): Cell[][] =>
      overrides.length === 0
        ? [[clean(variant), faint(prose('sections', 'reference')), '']]
        : overrides.map(({ path, value }, index) => [index === 0 ? clean(variant) : '', clean(path), bold(say(clean(value), 'chosen'))]),
    ),
  });
  flow.space(8);
};

/** The phase that the comparison is about: where the reference first breaks, else the whole run. */
const totalsIn = (run: Run, scope: string | undefined, traffic: string) => (scope ? run.phases[scope]?.traffic[traffic] : run.traffic[traffic]);

const goodBars = (report: ReportContext, runs: readonly Run[]): void => {
  const { flow, words, lang } = report;
  const traffic = mainTraffic(report);
  if (traffic === null) return;
  const scope = shadedPhase(report)?.name;
  const goal = report.run.system.objectives.find(({ of, metric, low }) => of === traffic && metric === 'good' && low !== null);
  flow.h2(`${markOnly('counted')}${words.title.goodShare}`, clean(scope ?? words.wholeRun), runs.length * 16 + 20);
  const rows = runs.map((run) => {
    const totals = totalsIn(run, scope, traffic);
    const part = totals ? goodShare(totals) : null;
    return { label: clean(run.variant), share: part, text: shareText(part, unknown[lang]) };
  });
  const goalText = goal ? `${words.goal} ${condition(goal.condition)}` : '';
  flow.drawing(shareBars(rows, goal?.low ?? null, goalText, column.width), rows.map(({ label, text }) => `${label} ${text}`).join(', '));
};

const sentence = (report: ReportContext, run: Run, reference: Run): string => {
  const { prose, lang } = report;
  const traffic = mainTraffic(report);
  const scope = shadedPhase(report)?.name;
  const part = (of: Run): number | null => {
    const totals = traffic === null ? undefined : totalsIn(of, scope, traffic);
    return totals ? goodShare(totals) : null;
  };
  const [own, before] = [part(run), part(reference)];
  const shared = { variant: clean(run.variant), scope: scope ? clean(scope) : undefined, share: say(own === null ? unknown[lang] : share(own), 'counted') };
  if (run === reference) return prose('sections', 'variantSentence', { ...shared, reference: true });
  const [ejections, ejectionsBefore] = [ejectionsOf(run), ejectionsOf(reference)];
  const [ooms, oomsBefore] = [oomsOf(run), oomsOf(reference)];
  const number = (value: number): string => say(count(value), 'counted');
  return prose('sections', 'variantSentence', {
    ...shared,
    reference: false,
    change: say(own === null || before === null ? unknown[lang] : points(own - before, lang), 'counted'),
    against: clean(reference.variant),
    ...(ejections === ejectionsBefore ? {} : { ejections: number(ejections), ejectionsBefore: number(ejectionsBefore) }),
    ...(ooms === oomsBefore ? {} : { ooms: number(ooms), oomsBefore: number(oomsBefore) }),
  });
};

const ejectionsOf = (run: Run): number => Object.values(run.links).reduce((sum, { ejections }) => sum + ejections, 0);
const oomsOf = (run: Run): number => Object.values(run.services).reduce((sum, { ooms }) => sum + ooms, 0);

const effects = (report: ReportContext, runs: readonly Run[]): void => {
  const { flow, words, lang } = report;
  const traffic = mainTraffic(report);
  if (traffic === null) return;
  const { head } = words;
  const number = (title: string, width: number) => ({ title, width, align: 'end' as const });
  const phases = [...Object.keys(runs[0].phases), null];
  flow.h2(`${markOnly('counted')}${words.title.comparison}`, clean(traffic), 60);
  drawTable(flow, {
    title: words.title.comparison,
    empty: words.nothing,
    columns: [{ title: head.phase, width: 64, weight: 600 }, { title: head.variant, width: 125 }, number(head.goodShare, 70), number('p95', 66), number(head.refused, 60), number(head.ejections, 58), number(head.ooms, 58)],
    rows: phases.flatMap((phase) =>
      runs.map((run, index): Cell[] => {
        const totals = totalsIn(run, phase ?? undefined, traffic);
        const part = totals ? goodShare(totals) : null;
        const inPhase = (kind: 'ejected' | 'oom'): number => run.eventLog.filter((event) => event.kind === kind && within(run, phase, event.tMs)).length;
        return [
          index === 0 ? clean(phase ?? words.wholeRun) : '',
          clean(run.variant),
          bold(part === null ? unknown[lang] : share(part)),
          totals?.latencyMs ? latency(totals.latencyMs.p95) : unknown[lang],
          totals ? count(Object.values(totals.refused).reduce((sum, value) => sum + value, 0)) : unknown[lang],
          count(inPhase('ejected')),
          count(inPhase('oom')),
        ];
      }),
    ),
  });
};

const within = (run: Run, phase: string | null, tMs: number): boolean => {
  if (phase === null) return true;
  const window = run.phases[phase];
  return window !== undefined && tMs >= window.fromMs && tMs < window.toMs;
};

const claims = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const { head } = words;
  flow.h2(words.title.claims, prose('sections', 'claims'), 60);
  drawTable(flow, {
    title: words.title.claims,
    empty: words.nothing,
    columns: [{ title: head.claim, width: 84, weight: 600 }, { title: head.says, width: 172 }, { title: head.variant, width: 84 }, { title: head.target, width: 62 }, { title: head.actual, width: 47 }, { title: head.verdict, width: 52 }],
    size: 7.6,
    rows: study.claims.map((claim) => [
      clean(claim.claim),
      claim.order ? orderText(claim, report) : clean(claim.says?.[lang] ?? '') || faint(words.none),
      [clean(claim.variant), claim.phase ? faint(`(${clean(claim.phase)})`) : ''].join(' '),
      claim.order ? faint(words.none) : condition(clean(claim.target)).replace('\u00A0', ' '),
      claim.order ? faint(words.none) : bold(say(claim.unit === null ? unknown[lang] : resultValue(claim.actual, claim.unit, lang), 'counted')),
      judged(claim.held, claim.held ? words.held : words.notHeld),
    ]),
  });
};

/** What an order of events promises, with the time of each: `saturated order-api 04:04 → ejected order-api 04:30`. */
const orderText = ({ order = [], says, variant }: ClaimResult, { study, lang }: ReportContext): string => {
  const basisOf = (event: string, tMs: number | null): Mark => study.runs[variant]?.eventLog.find((logged) => logged.tMs === tMs && event.startsWith(logged.kind))?.basis ?? 'counted';
  const events = order.map(({ event, tMs }) => `${clean(event)} ${say(tMs === null ? unknown[lang] : clock(tMs), basisOf(event, tMs))}`).join(' → ');
  return says ? `${clean(says[lang])}: ${events}` : events;
};
