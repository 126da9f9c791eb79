import { shareBars, shareText } from '../../charts/bars.js';
import { clock, condition, count, latency, points, resultValue, share, unknown } from '../../look/numbers.js';
import type { ClaimResult, Run } from '../../../src/study/types.js';
import { comparedText } from '../../../src/text/compared.js';
import { listed } from '../../../src/text/events.js';
import { beganAt, goodShare, mainTraffic, outcomesOf, shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { bold, clean, faint, judged, markOnly, say } from '../rich.js';
import { drawTable, tableHeight, type Cell, type Table } from '../table.js';

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
    flow.space(4);
    flow.paragraph(reaching(report, runs), styles.body);
    flow.space(4);
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
  flow.h2(`${markOnly('counted')}${words.title.goodShare}`, clean(scope ?? words.wholeRun), runs.length * (16 + 18) + 60);
  const rows = runs.map((run) => {
    const totals = totalsIn(run, scope, traffic);
    const part = totals ? goodShare(totals) : null;
    return { label: clean(run.variant), share: part, text: shareText(part, unknown[lang]) };
  });
  const goalText = goal ? `${words.goal} ${condition(goal.condition)}` : '';
  flow.drawing(shareBars(rows, goal?.low ?? null, goalText, column.width), rows.map(({ label, text }) => `${label} ${text}`).join(', '));
};

/** What the variants do to the objective that breaks first: none keeps it, some do, or all. */
const reaching = ({ run, study, prose, lang }: ReportContext, runs: readonly Run[]): string => {
  const first = run.firstToBreak;
  if (!first) return '';
  const objective = run.system.objectives.find(({ name }) => name === first.objective);
  const keeps = ({ variant }: Run): boolean => study.verdicts.some((verdict) => verdict.variant === variant && verdict.objective === first.objective && verdict.phase === first.phase && verdict.met === true);
  const [kept, broken] = [runs.filter(keeps), runs.filter((other) => !keeps(other))];
  const names = (of: readonly Run[]): string => listed(of.map(({ variant }) => clean(variant)), lang);
  return prose('sections', 'reaching', {
    bars: objective?.metric === 'good',
    objective: clean(first.objective),
    phase: first.phase === null ? undefined : clean(first.phase),
    none: kept.length === 0,
    all: broken.length === 0,
    one: kept.length === 1,
    kept: names(kept),
    broken: names(broken),
  });
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

interface Effect {
  readonly share: number | null;
  readonly p95: number | null;
  readonly refused: number;
  readonly failed: number;
  readonly ejections: number;
  readonly ooms: number;
}

/** What a run did in a phase (null: over the whole run) to the traffic of the comparison. */
const effectOf = (run: Run, phase: string | null, traffic: string): Effect => {
  const totals = totalsIn(run, phase ?? undefined, traffic);
  const inPhase = (kind: 'ejected' | 'oom'): number => run.eventLog.filter((event) => event.kind === kind && within(run, phase, event.tMs)).length;
  const { refused, failed } = totals ? outcomesOf(totals) : { refused: 0, failed: 0 };
  return { share: totals ? goodShare(totals) : null, p95: totals?.latencyMs?.p95 ?? null, refused, failed, ejections: inPhase('ejected'), ooms: inPhase('oom') };
};

const sameP95 = 0.05;

/** Whether variants did the same: equal outcomes, and a p95 that differs by less than 5 %. */
const agree = (effects: readonly Effect[]): boolean => {
  const [first, ...others] = effects;
  const p95s = effects.map(({ p95 }) => p95 ?? 0);
  return (
    others.every((other) => (['share', 'refused', 'failed', 'ejections', 'ooms'] as const).every((key) => other[key] === first[key])) &&
    Math.max(...p95s) <= Math.min(...p95s) * (1 + sameP95)
  );
};

const effects = (report: ReportContext, runs: readonly Run[]): void => {
  const { flow, words, prose, lang } = report;
  const traffic = mainTraffic(report);
  if (traffic === null) return;
  const { head } = words;
  const number = (title: string, width: number) => ({ title, width, align: 'end' as const });
  const rows = [...Object.keys(runs[0].phases), null].map((phase) => ({ phase, effects: runs.map((run) => effectOf(run, phase, traffic)) }));
  const [same, different] = [rows.filter(({ phase, effects }) => phase !== null && agree(effects)), rows.filter(({ phase, effects }) => phase === null || !agree(effects))];
  flow.h2(`${markOnly('counted')}${words.title.comparison}`, clean(traffic), 60);
  drawTable(flow, {
    title: words.title.comparison,
    empty: words.nothing,
    size: 7.6,
    columns: [{ title: head.phase, width: 58, weight: 600 }, { title: head.variant, width: 121 }, number(head.goodShare, 64), number('p95', 54), number(head.refused, 52), number(head.failed, 50), number(head.ejections, 52), number(head.ooms, 50)],
    rows: different.flatMap(({ phase, effects }) =>
      effects.map((effect, index): Cell[] => [
        index === 0 ? clean(phase ?? words.wholeRun) : faint(clean(phase ?? words.wholeRun)),
        clean(runs[index].variant),
        bold(effect.share === null ? unknown[lang] : share(effect.share)),
        effect.p95 === null ? unknown[lang] : latency(effect.p95),
        ...[effect.refused, effect.failed, effect.ejections, effect.ooms].map(count),
      ]),
    ),
  });
  if (same.length > 0) flow.paragraph(prose('sections', 'variantsAgree', { phases: listed(same.map(({ phase }) => clean(phase!)), lang) }), styles.small);
};

const within = (run: Run, phase: string | null, tMs: number): boolean => {
  if (phase === null) return true;
  const window = run.phases[phase];
  return window !== undefined && tMs >= window.fromMs && tMs < window.toMs;
};

/** A table lower than this is kept whole under its heading. */
const pageRoom = column.bottom - column.top - 40;

const claims = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const { head } = words;
  const table: Table = {
    title: words.title.claims,
    empty: words.nothing,
    columns: [{ title: head.claim, width: 84, weight: 600 }, { title: head.says, width: 172 }, { title: head.variant, width: 84 }, { title: head.target, width: 62 }, { title: head.actual, width: 47 }, { title: head.verdict, width: 52 }],
    size: 7.6,
    rows: study.claims.map((claim) => [
      clean(claim.claim),
      claim.order ? orderText(claim, report) : clean(claim.says?.[lang] ?? '') || faint(words.none),
      [clean(claim.variant), claim.phase ? faint(`(${clean(claim.phase)})`) : ''].join(' '),
      claim.order ? faint(words.none) : clean(comparedText(condition(clean(claim.target)), claim.vs, claim, lang)).replace('\u00A0', ' '),
      claim.order ? faint(words.none) : bold(say(claim.unit === null ? unknown[lang] : resultValue(claim.actual, claim.unit, lang), 'counted')),
      judged(claim.held, claim.held ? words.held : words.notHeld),
    ]),
  };
  const height = tableHeight(table);
  flow.h2(words.title.claims, prose('sections', 'claims'), height < pageRoom ? height : 60);
  drawTable(flow, table);
};

/** What an order of events promises, with the time of each: `saturated order-api 04:04 → ejected order-api 04:30`. */
const orderText = ({ order = [], says, variant }: ClaimResult, { study, lang }: ReportContext): string => {
  const events = order.map(({ event, tMs }) => {
    const logged = tMs === null ? undefined : study.runs[variant]?.eventLog.find((other) => other.tMs === tMs && event.startsWith(other.kind));
    return `${clean(event)} ${say(tMs === null ? unknown[lang] : clock(logged ? beganAt(logged) : tMs), logged?.basis ?? 'counted')}`;
  }).join(' → ');
  return says ? `${clean(says[lang])}: ${events}` : events;
};
