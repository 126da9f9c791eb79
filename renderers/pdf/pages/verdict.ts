import { trailingMs } from '../../../src/study/judging.js';
import { outcomesChart, usualPlotHeight } from '../../charts/outcomes.js';
import { clock, count, money, perSecondInFull, resultValue, share, span, unknown } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import { brokenFirst, isSameFirst } from '../../../src/study/broken-first.js';
import { splitSubject } from '../../../src/study/events.js';
import { undatedBreaks } from '../../../src/study/undated-break.js';
import { withParticle } from '../../../src/text/particles.js';
import { listed } from '../../../src/text/events.js';
import type { LoggedEvent } from '../../../src/study/types.js';
import { placedReasonText } from '../../../src/text/reasons.js';
import { counted, estimated, goodShare, guessesOf, mainTraffic, outcomesOf, shadedPhase, type ReportContext } from '../context.js';
import { column, Flow, styles } from '../flow.js';
import { drawn, lineShapes } from '../line-ink.js';
import { lettersOf, type KeyMoment } from '../key-moments.js';
import type { Facts } from '../prose.js';
import { bold, breakLines, clean, markOnly, say, type Line, type TextStyle } from '../rich.js';
import { goalText } from '../verdict-words.js';
import { warningParagraphs } from '../warning-text.js';
import { claimsFacts } from './claims.js';
import { extents, objectives, soundAlike, verdictsOf, type Extent } from './objectives.js';
import { whatWentIn } from './what-went-in.js';

/** Of the plot of the first page, pt: it takes what the rest leaves. */
const plotHeights = { least: 34, most: 120 } as const;

/** How much of what can be shorter stands on page 1. */
export interface FirstPage extends Extent {
  readonly plotHeight: number;
}

/** The most with which all of page 1 is on one page, and a plot as high as what is left; as usual where it overflows all the same. */
export const firstPage = (report: ReportContext): FirstPage => {
  const choices = extents(report);
  for (const extent of choices) {
    const left = leftBelow(report, { ...extent, plotHeight: plotHeights.least });
    if (left === null) continue;
    const plotHeight = Math.min(plotHeights.most, plotHeights.least + Math.floor(left));
    return { ...extent, plotHeight: leftBelow(report, { ...extent, plotHeight }) === null ? Math.max(plotHeights.least, plotHeight - headingRoom) : plotHeight };
  }
  return { ...choices[0], plotHeight: usualPlotHeight };
};

/** What the last headings ask for beyond the one line that may stand under them, pt. */
const headingRoom = 16;

/** What is left of one page when all else is on it; null when it is not. */
const leftBelow = (report: ReportContext, first: FirstPage): number | null => {
  const { lang, paper, before } = report.flow;
  const trial = new Flow(lang, paper, before);
  verdictPage({ ...report, flow: trial }, first);
  return trial.page > 0 ? null : trial.left;
};

/** Page 1: what breaks first, when and why; how sure that is; what went in, what it cost, and what the run does not say. */
export const verdictPage = (report: ReportContext, { plotHeight, ...extent }: FirstPage): void => {
  const { flow, words, prose } = report;
  flow.h1(prose('verdict', 'headline', headlineFacts(report)));
  flow.paragraph(prose('verdict', 'why', whyFacts(report)), styles.lead);
  warningParagraphs(report);
  flow.space(5);
  flow.band('counted', '', () => objectives(report, extent));
  flow.space(5);
  flow.band('counted', words.band.counted, () => whatHappened(report, plotHeight));
  flow.space(4);
  whatWentIn(report);
  flow.space(5);
  flow.beside(44, [
    () => flow.band('guessed', '', () => {
      flow.h2(words.title.cost);
      flow.paragraph(prose('verdict', 'cost', costFacts(report)), styles.note);
    }),
    () => {
      flow.h2(words.title.limits);
      flow.paragraph(limitsText(report), styles.note);
    },
  ]);
};

/** What the file says that it does not prove, and what the run leaves open by itself. */
const limitsText = (report: ReportContext): string => {
  const { sensitivity, spread, inputs, scenario } = report.study;
  const stated = scenario.limits.map((limit) => clean(limit[report.lang]));
  // That no guess was moved stands under the objectives already, unless their rows differ.
  const unmoved = sensitivity?.[report.run.variant] === undefined && soundAlike(verdictsOf(report)) === null && guessesOf(inputs).length > 0;
  const oneSeed = spread === null;
  return [...stated, report.prose('verdict', 'limits', { guesses: unmoved, oneSeed, bare: stated.length === 0 && !unmoved && !oneSeed })].join(' ');
};

/** What is known of the first break, as the headline needs it. CPU and memory are estimated, and so is when they were full. */
const headlineFacts = (report: ReportContext): Facts => {
  const { run, words } = report;
  const first = run.firstToBreak;
  if (!first) return { breaks: false, undated: undatedFacts(report), objectives: run.system.objectives.length > 0, blind: verdictsOf(report).some(({ blind }) => blind), unjudged: verdictsOf(report).every(({ met }) => met === null), ...claimsFacts(report) };
  const { resource } = first;
  const by = resource && (resource.what === 'cpu' || resource.what === 'memory') ? estimated : counted;
  const fault = faultAt(report, first);
  return {
    breaks: true,
    objective: clean(first.objective),
    breaksAt: counted(clock(first.tMs)),
    ...(fault ? { fault: clean(fault.subject), faultAt: counted(clock(fault.tMs)), target: targetText(fault) } : {}),
    ...(resource ? { lock: resource.what === 'lock', resource: words.resource[resource.what], service: clean(resource.service), since: by(clock(resource.sinceMs)) } : {}),
  };
};

/** What is broken where nobody knows since when. */
const undatedFacts = ({ study, run, lang }: ReportContext): Facts | undefined => {
  const verdict = undatedBreaks(study, run.variant)[0];
  if (!verdict) return undefined;
  const { objective, phase, actual, unit, basis } = verdict;
  return { objective: clean(objective), said: clean(lang === 'ko' ? withParticle(objective, '을/를') : objective), phase: phase === null ? undefined : clean(phase), condition: goalText(verdict, lang, true), result: say(resultValue(actual, unit, lang), basis) };
};

/**
 * The fault behind the first break: it hits something when the objective breaks, or hit it in the ten seconds by which a break is seen.
 * Where a resource is behind it, only a fault from before that was full: it filled it.
 */
const faultAt = ({ run }: ReportContext, { tMs, resource }: NonNullable<ReportContext['run']['firstToBreak']>): LoggedEvent | undefined => {
  const begun = run.eventLog.filter(({ kind, tMs: at, cause }) => kind === 'fault' && cause !== 'deploy' && at <= Math.min(tMs, resource?.sinceMs ?? tMs)).at(-1);
  if (!begun) return undefined;
  const end = run.eventLog.find(({ kind, subject, tMs: at }) => kind === 'fault-end' && subject === begun.subject && at >= begun.tMs);
  return end === undefined || end.tMs >= tMs - trailingMs ? begun : undefined;
};

/** `api #2`, `app → db`: what a fault hits. */
const targetText = ({ data }: LoggedEvent): string | undefined => {
  if (data['target'] === undefined) return undefined;
  const { service, instance } = splitSubject(String(data['target']));
  return instance === null ? clean(String(data['target'])) : `${clean(service)} #${instance}`;
};

const whyFacts = (report: ReportContext): Facts => {
  const { run, lang } = report;
  const first = run.firstToBreak;
  const traffic = mainTraffic(report);
  const scope = shadedPhase(report)?.name;
  const totals = traffic === null ? undefined : (scope ? run.phases[scope]?.traffic[traffic] : run.traffic[traffic]);
  const objective = run.system.objectives.find(({ name }) => name === first?.objective);
  const of = (kind: LoggedEvent['kind']): LoggedEvent[] => run.eventLog.filter((event) => event.kind === kind);
  const ooms = of('oom');
  const ejections = of('ejected').length;
  const some = (value: number): string | undefined => (value > 0 ? counted(count(value)) : undefined);
  return {
    ...headlineFacts(report),
    ...(first?.phase ? { phase: clean(first.phase), early: first.tMs < run.phases[first.phase].fromMs } : {}),
    ...(scope ? { scope: clean(scope) } : {}),
    source: traffic !== null && Object.keys(run.traffic).length > 1 ? clean(traffic) : undefined,
    result: brokenResult(report),
    elsewhere: underMostSeeds(report),
    seeds: report.study.spread ? counted(count(report.study.spread.seeds.length)) : undefined,
    seed: report.study.spread ? String(report.study.scenario.seed) : undefined,
    condition: objective ? goalText({ ...objective, target: objective.condition, phase: first?.phase ?? null, variant: run.variant }, lang, true) : '',
    ...(totals ? totalsFacts(totals, windowMs(report), lang) : { offered: counted('0'), good: counted('0'), share: counted(unknown[lang]) }),
    scale: scaleFacts(of('scale-out')[0], of('booted')[0]),
    ejections: some(ejections),
    checks: of('ejected').every(({ cause }) => cause !== 'outlier'),
    one: ejections === 1,
    ...othersFacts(report),
    ooms: some(ooms.length),
    oomsKills: ooms.length === 1 ? 'kill' : 'kills',
    lost: some(ooms.reduce((sum, { data }) => sum + Number(data['lost'] ?? 0), 0)),
  };
};

/** Variants in which something breaks, where in this one nothing does. */
const othersFacts = ({ study, run, lang, flow }: ReportContext): Facts => {
  if (run.firstToBreak || run.system.objectives.length === 0) return {};
  const others = new Set(study.verdicts.filter(({ variant, met, blind }) => variant !== run.variant && met === false && !blind).map(({ variant }) => clean(variant)));
  return others.size > 0 ? { others: listed([...others], lang), page: flow.pageRef('variants') } : {};
};

/** What the objective that breaks first comes to over its phase, where the shares of the next sentence do not say it. */
const brokenResult = (report: ReportContext): string | undefined => {
  const first = report.run.firstToBreak;
  const verdict = verdictsOf(report).find(({ objective, phase }) => objective === first?.objective && phase === first.phase);
  return verdict && verdict.metric !== 'good' ? say(resultValue(verdict.actual, verdict.unit, report.lang), verdict.basis) : undefined;
};

/** What breaks first under more seeds than what breaks first under the one that is shown. */
const underMostSeeds = ({ study: { spread }, run, words }: ReportContext): Facts | undefined => {
  const [most, ...others] = spread?.firstToBreak[run.variant] ?? [];
  const shown = brokenFirst(run.firstToBreak);
  if (!spread || !most || isSameFirst(most, shown) || others.some((one) => isSameFirst(one, shown) && one.seeds === most.seeds)) return undefined;
  const { objective, service, what, seeds } = most;
  const resource = service !== null && what !== null ? `${clean(service)} ${words.resource[what]}` : undefined;
  return { count: counted(count(seeds)), seeds: counted(count(spread.seeds.length)), what: objective === null ? undefined : (resource ?? clean(objective)) };
};

/** Length of the phase that the first page is about, or of the run. */
const windowMs = (report: ReportContext): number => {
  const phase = shadedPhase(report);
  return phase ? phase.toMs - phase.fromMs : report.run.durationMs;
};

const totalsFacts = (totals: Parameters<typeof outcomesOf>[0], lengthMs: number, lang: ReportContext['lang']): Facts => {
  const { offered, good, declined, refused, failed } = outcomesOf(totals);
  const part = goodShare(totals);
  return {
    offered: counted(count(offered)),
    offeredPerS: counted(perSecondInFull((offered * 1000) / lengthMs)),
    good: counted(count(good)),
    goodPerS: counted(perSecondInFull((good * 1000) / lengthMs)),
    share: counted(part === null ? unknown[lang] : share(part)),
    declined: declined > 0 ? counted(count(declined)) : undefined,
    refused: refused > 0 ? counted(count(refused)) : undefined,
    failed: failed > 0 ? counted(count(failed)) : undefined,
    ...mainReason('refused', totals.refused, refused, lang),
    ...mainReason('failed', totals.failed, failed, lang),
  };
};

/** Why most were refused, or failed: `refusedWhy`, with how many, and whether it was all of them. */
const mainReason = (outcome: 'refused' | 'failed', reasons: Readonly<Record<string, number>>, all: number, lang: ReportContext['lang']): Facts => {
  const [reason, times] = Object.entries(reasons).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (reason === undefined || times === undefined) return {};
  return { [`${outcome}All`]: times === all, [`${outcome}Why`]: clean(placedReasonText(reason, lang)), [`${outcome}Most`]: counted(count(times)) };
};

const scaleFacts = (asked: LoggedEvent | undefined, booted: LoggedEvent | undefined): Facts | undefined =>
  asked && { at: say(clock(asked.tMs), asked.basis), ...(booted ? { bootedAt: say(clock(booted.tMs), booted.basis) } : {}) };

const whatHappened = (report: ReportContext, plotHeight: number): void => {
  const { flow, run, study, lang, words, prose } = report;
  const traffic = mainTraffic(report);
  const { durationMs } = run;
  const { tickMs } = study.scenario;
  const sub = [prose('verdict', 'happened', { duration: say(span(durationMs, lang), 'chosen'), seed: study.spread ? String(study.scenario.seed) : undefined }), flow.pageRef('timeline', words.title.timeline)].filter(Boolean).join(', ');
  if (traffic === null) {
    flow.h2(words.title.whatHappened, sub);
    return flow.paragraph(words.nothing, styles.note);
  }
  const events = lettersOf(report);
  const drawing = report.remember(`what happened ${plotHeight}`, () => outcomesChart({ run, traffic, durationMs, tickMs, width: column.width, lang, events, plotHeight }));
  flow.h2(`${markOnly('counted')}${words.title.whatHappened}`, sub);
  flow.drawing(drawing, `${words.title.whatHappened}: ${clean(traffic)}. ${prose('verdict', 'why', whyFacts(report))}`);
  flow.space(4);
  eventKey(report, events);
};

const keyStyle = { ...styles.note, size: 7.8, lineHeight: 9.8 } as const satisfies TextStyle;
const keyGap = 12;
/** Of a disc and the space after it. */
const discWidth = 14;

/** What the letters of the chart stand for, in two columns as equal in height as whole entries allow. */
const eventKey = ({ flow }: ReportContext, moments: readonly KeyMoment[]): void => {
  if (moments.length === 0) return;
  const times = moments.map(({ tMs, basis }) => breakLines(bold(say(clock(tMs), basis)), 80, keyStyle)[0]);
  const indent = discWidth + Math.max(...times.map(({ width }) => width)) + 6;
  const width = (column.width - keyGap) / 2;
  const laid = moments.map(({ letter, lead, rest }, index): KeyEntry => ({ letter, time: times[index], lines: breakLines(`${bold(lead)} ${rest}`, width - indent, keyStyle) }));
  const columns = laid.map((_, index) => [laid.slice(0, index + 1), laid.slice(index + 1)]).toSorted((a, b) => tallest(a) - tallest(b))[0];
  flow.need(tallest(columns));
  const top = flow.y;
  columns.forEach((entries, index) => {
    flow.y = top;
    for (const entry of entries) drawEntry(flow, entry, column.left + index * (width + keyGap), indent);
  });
  flow.y = top + tallest(columns);
};

interface KeyEntry {
  readonly letter: string;
  readonly time: Line;
  readonly lines: readonly Line[];
}

const entryHeight = ({ lines }: KeyEntry): number => lines.length * keyStyle.lineHeight + 2.5;
const tallest = (columns: readonly (readonly KeyEntry[])[]): number => Math.max(...columns.map((entries) => entries.reduce((sum, entry) => sum + entryHeight(entry), 0)));

const drawEntry = (flow: Flow, entry: KeyEntry, x: number, indent: number): void => {
  const baseline = flow.y + 7.6;
  const disc = drawn((canvas) => {
    canvas.circle(x + 5, baseline - 2.8, 5, { fill: print.text });
    canvas.text(x + 5, baseline - 0.4, entry.letter, { size: 6.8, weight: 700, fill: print.bg, anchor: 'middle' });
  });
  const at = lineShapes(entry.time, x + discWidth, baseline, { ...keyStyle, fill: print.text });
  const text = entry.lines.flatMap((line, k) => lineShapes(line, x + indent, baseline + k * keyStyle.lineHeight, keyStyle));
  flow.add('P', [{ page: flow.page, shapes: [...disc, ...at, ...text] }]);
  flow.y += entryHeight(entry);
};

const costFacts = ({ run, lang }: ReportContext): Facts => {
  const { amount, currency, services, unknown: unpriced } = run.cost;
  const total = (pick: (service: (typeof services)[string]) => number): number => Math.round(Object.values(services).reduce((sum, service) => sum + pick(service), 0));
  const time = (seconds: number): string => estimated(span(seconds * 1000, lang));
  const extra = total(({ extraS }) => extraS);
  return amount === null || currency === null
    ? { known: false, unpriced: unpriced.map(clean).join(', '), unknown: unknown[lang] }
    : { known: true, amount: bold(estimated(money(amount, currency))), billed: time(total(({ billedS }) => billedS)), extra: extra > 0 ? time(extra) : undefined };
};
