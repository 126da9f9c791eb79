import { trailingMs } from '../../../src/study/judging.js';
import { outcomesChart } from '../../charts/outcomes.js';
import { clock, count, money, perSecondInFull, resultValue, share, span, unknown } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import type { LoggedEvent } from '../../../src/study/types.js';
import { placedReasonText } from '../../../src/text/reasons.js';
import { counted, estimated, goodShare, guessesOf, mainTraffic, outcomesOf, shadedPhase, type ReportContext } from '../context.js';
import { column, drawn, lineShapes, styles } from '../flow.js';
import { keyMoments, type KeyMoment } from '../key-moments.js';
import type { Facts } from '../prose.js';
import { bold, breakLines, clean, say, type TextStyle } from '../rich.js';
import { goalText } from '../verdict-words.js';
import { warningParagraphs } from '../warning-text.js';
import { claimsFacts } from './claims.js';
import { objectives, soundAlike, verdictsOf } from './objectives.js';
import { whatWentIn } from './what-went-in.js';

/** Page 1: what breaks first, when and why; how sure that is; what went in, what it cost, and what the run does not say. */
export const verdictPage = (report: ReportContext): void => {
  const { flow, words, prose } = report;
  flow.h1(prose('verdict', 'headline', headlineFacts(report)));
  flow.paragraph(prose('verdict', 'why', whyFacts(report)), styles.lead);
  warningParagraphs(report);
  flow.space(5);
  flow.band('counted', '', () => objectives(report));
  flow.space(6);
  flow.band('counted', words.band.counted, () => whatHappened(report));
  flow.space(5);
  whatWentIn(report);
  flow.space(4);
  flow.beside(60, [
    () => flow.band('guessed', '', () => {
      flow.h2(words.title.cost, '', 20);
      flow.paragraph(prose('verdict', 'cost', costFacts(report)), styles.note);
    }),
    () => {
      flow.h2(words.title.limits, '', 20);
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
  return [...stated, report.prose('verdict', 'limits', { guesses: unmoved, oneSeed: spread === null })].join(' ');
};

/** What is known of the first break, as the headline needs it. CPU and memory are estimated, and so is when they were full. */
const headlineFacts = (report: ReportContext): Facts => {
  const { run, words } = report;
  const first = run.firstToBreak;
  if (!first) return { breaks: false, objectives: run.system.objectives.length > 0, blind: verdictsOf(report).some(({ blind }) => blind), unjudged: verdictsOf(report).every(({ met }) => met === null), ...claimsFacts(report) };
  const { resource } = first;
  const by = resource && (resource.what === 'cpu' || resource.what === 'memory') ? estimated : counted;
  return {
    breaks: true,
    objective: clean(first.objective),
    breaksAt: counted(clock(first.tMs)),
    fault: faultAt(report, first.tMs),
    ...(resource ? { lock: resource.what === 'lock', resource: words.resource[resource.what], service: clean(resource.service), since: by(clock(resource.sinceMs)) } : {}),
  };
};

/** The fault that hits something when the first objective breaks, or that hit it in the ten seconds by which a break is seen. */
const faultAt = ({ run }: ReportContext, tMs: number): string | undefined => {
  const begun = run.eventLog.filter(({ kind, tMs: at, cause }) => kind === 'fault' && cause !== 'deploy' && at <= tMs).at(-1);
  if (!begun) return undefined;
  const end = run.eventLog.find(({ kind, subject, tMs: at }) => kind === 'fault-end' && subject === begun.subject && at >= begun.tMs);
  return end === undefined || end.tMs >= tMs - trailingMs ? clean(begun.subject) : undefined;
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
    condition: objective ? goalText({ ...objective, target: objective.condition, phase: first?.phase ?? null, variant: run.variant }, lang) : '',
    ...(totals ? totalsFacts(totals, windowMs(report), lang) : { offered: counted('0'), good: counted('0'), share: counted(unknown[lang]) }),
    scale: scaleFacts(of('scale-out')[0], of('booted')[0]),
    ejections: some(ejections),
    checks: of('ejected').every(({ cause }) => cause !== 'outlier'),
    ejectionsTimes: ejections === 1 ? 'time' : 'times',
    ooms: some(ooms.length),
    oomsKills: ooms.length === 1 ? 'kill' : 'kills',
    lost: some(ooms.reduce((sum, { data }) => sum + Number(data['lost'] ?? 0), 0)),
  };
};

/** What the objective that breaks first comes to over its phase, where the shares of the next sentence do not say it. */
const brokenResult = (report: ReportContext): string | undefined => {
  const first = report.run.firstToBreak;
  const verdict = verdictsOf(report).find(({ objective, phase }) => objective === first?.objective && phase === first.phase);
  return verdict && verdict.metric !== 'good' ? say(resultValue(verdict.actual, verdict.unit, report.lang), verdict.basis) : undefined;
};

/** Length of the phase that the first page is about, or of the run. */
const windowMs = (report: ReportContext): number => {
  const phase = shadedPhase(report);
  return phase ? phase.toMs - phase.fromMs : report.run.durationMs;
};

const totalsFacts = (totals: Parameters<typeof outcomesOf>[0], lengthMs: number, lang: ReportContext['lang']): Facts => {
  const { offered, good, declined, refused, failed } = outcomesOf(totals);
  const part = goodShare(totals);
  const worst = Object.entries(totals.refused).sort(([, a], [, b]) => b - a)[0];
  return {
    offered: counted(count(offered)),
    offeredPerS: counted(perSecondInFull((offered * 1000) / lengthMs)),
    good: counted(count(good)),
    goodPerS: counted(perSecondInFull((good * 1000) / lengthMs)),
    share: counted(part === null ? unknown[lang] : share(part)),
    declined: declined > 0 ? counted(count(declined)) : undefined,
    refused: refused > 0 ? counted(count(refused)) : undefined,
    failed: failed > 0 ? counted(count(failed)) : undefined,
    refusedAll: worst !== undefined && worst[1] === refused,
    refusedWhy: worst ? `${clean(placedReasonText(worst[0], lang))} (${counted(count(worst[1]))})` : undefined,
  };
};

const scaleFacts = (asked: LoggedEvent | undefined, booted: LoggedEvent | undefined): Facts | undefined =>
  asked && { at: say(clock(asked.tMs), asked.basis), ...(booted ? { bootedAt: say(clock(booted.tMs), booted.basis) } : {}) };

const whatHappened = (report: ReportContext): void => {
  const { flow, run, study, lang, words, prose } = report;
  const traffic = mainTraffic(report);
  const { durationMs } = run;
  const { tickMs } = study.scenario;
  flow.h2(words.title.whatHappened, [prose('verdict', 'happened', { duration: span(durationMs, lang), seed: study.spread ? String(study.scenario.seed) : undefined }), flow.pageRef('timeline', words.title.timeline)].filter(Boolean).join(', '), 180);
  if (traffic === null) return flow.paragraph(words.nothing, styles.note);
  const events = report.remember('key moments', () => keyMoments(run, traffic, tickMs, lang));
  const drawing = report.remember('what happened', () => outcomesChart({ run, traffic, durationMs, tickMs, width: column.width, lang, events }));
  flow.drawing(drawing, `${words.title.whatHappened}: ${clean(traffic)}. ${prose('verdict', 'why', whyFacts(report))}`);
  flow.space(5);
  eventKey(report, events);
};

/** What the letters of the chart stand for, in two columns. */
const eventKey = ({ flow }: ReportContext, moments: readonly KeyMoment[]): void => {
  const style: TextStyle = { ...styles.note, size: 7.8, lineHeight: 9.8 };
  const width = column.width / 2 - 60;
  const laid = moments.map((moment) => ({ letter: moment.letter, ...keyLines(moment, width, style) }));
  const heightOf = (lines: readonly unknown[]): number => lines.length * 9.8 + 3.5;
  const heightOfAll = (entries: typeof laid): number => entries.reduce((sum, { lines }) => sum + heightOf(lines), 0);
  const splits = laid.map((_, index) => [laid.slice(0, index + 1), laid.slice(index + 1)]);
  const tallest = (split: (typeof laid)[]): number => Math.max(...split.map(heightOfAll));
  const columns = splits.toSorted((a, b) => tallest(a) - tallest(b))[0] ?? [];
  if (columns.length === 0) return;
  flow.need(tallest(columns));
  const top = flow.y;
  const ends = columns.map((entries, index) => {
    let y = top;
    for (const { letter, time, lines } of entries) {
      const x = column.left + index * (column.width / 2 + 6);
      const baseline = y + 7.6;
      const disc = drawn((canvas) => {
        canvas.circle(x + 5, baseline - 2.8, 5, { fill: print.text });
        canvas.text(x + 5, baseline - 0.4, letter, { size: 6.8, weight: 700, fill: print.bg, anchor: 'middle' });
      });
      const at = time ? lineShapes(time, x + 14, baseline, { ...style, weight: 700, fill: print.text }) : [];
      const text = lines.flatMap((line, k) => lineShapes(line, x + 55, baseline + k * 9.8, style));
      flow.add('P', [{ page: flow.page, shapes: [...disc, ...at, ...text] }]);
      y += heightOf(lines);
    }
    return y;
  });
  flow.y = Math.max(...ends);
};

const keyLines = ({ tMs, basis, lead, rest }: KeyMoment, width: number, style: TextStyle) => ({
  time: breakLines(bold(say(clock(tMs), basis)), 60, style)[0],
  lines: breakLines(`${bold(lead)} ${rest}`, width, style),
});

const costFacts = ({ run, lang }: ReportContext): Facts => {
  const { amount, currency, services, unknown: unpriced } = run.cost;
  const total = (pick: (service: (typeof services)[string]) => number): number => Math.round(Object.values(services).reduce((sum, service) => sum + pick(service), 0));
  const time = (seconds: number): string => estimated(span(seconds * 1000, lang));
  const extra = total(({ extraS }) => extraS);
  return amount === null || currency === null
    ? { known: false, unpriced: unpriced.map(clean).join(', '), unknown: unknown[lang] }
    : { known: true, amount: bold(estimated(money(amount, currency))), billed: time(total(({ billedS }) => billedS)), extra: extra > 0 ? time(extra) : undefined };
};
