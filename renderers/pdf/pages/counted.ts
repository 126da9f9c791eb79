import { outcomeBar } from '../../charts/bars.js';
import { countedInstances, launchedNumbers } from '../../charts/instances.js';
import { outcomesChart } from '../../charts/outcomes.js';
import { clock, count, latency, share, unknown } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import type { Drawing } from '../../look/drawing.js';
import type { PictureService, TrafficTotals } from '../../../src/study/types.js';
import { placedReasonText, reasonText } from '../../../src/text/reasons.js';
import { reportWords } from '../../../src/text/report.js';
import { goodShare, guessesOf, mainTraffic, outcomesOf, shadedPhase, sumOfReasons, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { drawn, lineShapes } from '../line-ink.js';
import { phasePlace } from '../places.js';
import { bold, breakLines, clean, judged, markedOnce, markOnly, say } from '../rich.js';
import { drawTable, type Cell, type TableColumn } from '../table.js';
import { warningParagraphs } from '../warning-text.js';
import { lettersOf } from '../key-moments.js';
import { latencies } from './latency.js';
import { linkTables, namedAnd } from './links.js';
import { pools, states } from './states.js';
import { deliveryTable, lockTable, socketTable } from './waits.js';

/** What the run counted: each instance, each phase, where the requests went, and that nothing was lost on the way. */
export const countedPage = (report: ReportContext): void => {
  const { flow, run, study, words, prose } = report;
  flow.h1(words.title.counted);
  flow.band('counted', words.band.counted, () => {
    flow.paragraph(prose('sections', 'counted', { variant: clean(run.variant), guesses: count(guessesOf(study.inputs).length) }), styles.lead);
    flow.space(6);
    states(report);
    const services = shownServices(report);
    services.forEach(({ name }, index) => instances(report, name, index === services.length - 1));
    const traffics = Object.keys(run.traffic);
    for (const traffic of traffics) {
      if (traffic !== mainTraffic(report)) otherTraffic(report, traffic);
      phases(report, traffic, traffic === traffics[0]);
      latencies(report, traffic, traffic === traffics[0]);
      where(report, traffic);
    }
    deliveryTable(report);
    lockTable(report);
    linkTables(report);
    pools(report);
    socketTable(report);
  });
};

/** What the section needs on its first page: its title, what it says, and the panels of the first service. */
export const countedRoom = (report: ReportContext): number => {
  const service = shownServices(report)[0];
  return 90 + (service ? (drawingsOf(report, service.name)[0]?.drawing.height ?? 0) : 0);
};

const shownServices = ({ run }: ReportContext): PictureService[] => run.system.services.filter(({ slots }) => slots !== null);

const rowsPerDrawing = 6;

const drawingsOf = (report: ReportContext, service: string): { drawing: Drawing; rows: readonly number[] }[] => {
  const { run, study, lang } = report;
  const { durationMs } = run;
  const { tickMs } = study.scenario;
  const numbers = launchedNumbers(run, service);
  return Array.from({ length: Math.ceil(numbers.length / rowsPerDrawing) }, (_, index) => {
    const rows = numbers.slice(index * rowsPerDrawing, (index + 1) * rowsPerDrawing);
    return { drawing: report.remember(`counted ${service} ${index}`, () => countedInstances({ run, service, numbers: rows, durationMs, tickMs, width: column.width, lang, shaded: shadedPhase(report), events: lettersOf(report), times: (index + 1) * rowsPerDrawing >= numbers.length })), rows };
  });
};

const instances = (report: ReportContext, service: string, isLast: boolean): void => {
  const { flow, run, words, prose } = report;
  const shaded = shadedPhase(report);
  const numbers = launchedNumbers(run, service);
  const never = (run.ticks.services[service]?.instances ?? []).map((_, index) => index + 1).filter((number) => !numbers.includes(number));
  const drawings = drawingsOf(report, service);
  flow.h2(`${markOnly('counted')}${words.title.instances}`, prose('sections', 'instances', { service: clean(service) }));
  for (const { drawing, rows } of drawings) flow.drawing(drawing, `${words.title.instances}: ${clean(service)} ${rows.map((number) => `#${number}`).join(', ')}. ${prose('sections', 'instancesNote')}`);
  flow.space(3);
  failures(report, service);
  if (never.length > 0) flow.paragraph(prose('sections', 'never', { never: ranges(never) }), styles.small);
  // How to read the panels is said once, under the last of them.
  if (isLast) flow.paragraph(prose('sections', 'instancesNote', { shaded: shaded ? clean(shaded.name) : undefined, kills: run.eventLog.some(({ kind }) => kind === 'oom' || kind === 'crashed') }), styles.small);
  flow.space(10);
};

/** What the failures of a service add up from, where it is more than one thing: `18,617 = 480 killed inside + 18,137 sent to a dead process`. */
const failures = ({ flow, run, prose, lang }: ReportContext, service: string): void => {
  const reasons = new Map<string, number>();
  for (const { caller } of run.system.links.filter(({ callee }) => callee === service)) {
    for (const [reason, value] of Object.entries(run.links[`${caller}.${service}`]?.failed ?? {})) reasons.set(reason, (reasons.get(reason) ?? 0) + value);
  }
  if (reasons.size < 2) return;
  const ascending = [...reasons].sort(([, a], [, b]) => a - b);
  const terms = ascending.map(([reason, value]) => prose('sections', 'failedTerm', { count: count(value), reason: clean(failureText(reason, service, lang)) })).join(' + ');
  flow.paragraph(prose('sections', 'failedSum', { mark: markOnly('counted'), service: clean(service), total: count(sumOfReasons(Object.fromEntries(reasons))), terms }), styles.note);
};

/** Why attempts at a service failed, without the service's own name. */
const failureText = (reason: string, service: string, lang: ReportContext['lang']): string => {
  const own = reason.startsWith(`${service}: `) ? reason.slice(service.length + 2) : null;
  return (own === null ? null : reportWords[lang].failure[own]) ?? (own === null ? placedReasonText(reason, lang) : reasonText(own, lang));
};

/** `#3, #5–#8`. */
const ranges = (numbers: readonly number[]): string => {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? `#${from}` : `#${from}–#${to}`)).join(', ');
};

const otherTraffic = (report: ReportContext, traffic: string): void => {
  const { flow, run, study, words, lang } = report;
  const { durationMs } = run;
  const { tickMs } = study.scenario;
  flow.h2(`${words.title.whatHappened}: ${clean(traffic)}`);
  flow.drawing(outcomesChart({ run, traffic, durationMs, tickMs, width: column.width, lang, events: lettersOf(report) }), `${words.title.whatHappened}: ${clean(traffic)}`);
  flow.space(8);
};

const phases = (report: ReportContext, traffic: string, explained: boolean): void => {
  const { flow, run, words, prose, lang } = report;
  const { head } = words;
  flow.h2(`${markOnly('counted')}${words.title.phases}`, clean(traffic));
  const all = [...Object.values(run.phases).flatMap((phase) => phase.traffic[traffic] ?? []), run.traffic[traffic]];
  const declines = all.some((totals) => outcomesOf(totals).declined > 0);
  const drops = all.some(({ dropped }) => dropped > 0);
  // Two more columns make all of them narrower.
  const number = (title: string, width: number): TableColumn => ({ title, width: declines && drops ? width - 4 : width, align: 'end' });
  const row = (name: string, totals: TrafficTotals): Cell[] => {
    const { offered, good, declined, refused, failed, inFlight } = outcomesOf(totals);
    const part = goodShare(totals);
    const at = (key: 'p50' | 'p95' | 'p99'): string => (totals.latencyMs ? latency(totals.latencyMs[key]) : unknown[lang]);
    const ended = [offered, good, refused, failed, inFlight].map(count);
    if (declines) ended.splice(2, 0, declined > 0 ? `${count(declined)} (${share(declined / offered)})` : count(declined));
    return [clean(name), ...ended, ...(drops ? [count(totals.dropped)] : []), bold(part === null ? unknown[lang] : share(part)), at('p50'), at('p95'), at('p99')];
  };
  drawTable(flow, {
    title: `${words.title.phases}: ${clean(traffic)}`,
    empty: words.nothing,
    columns: namedAnd(head.phase, [
      ...[number(head.offered, 46), number(head.good, 46), ...(declines ? [number(head.declined, drops ? 58 : 66)] : []), number(head.refused, declines ? 40 : 44), number(head.failed, declines ? 37 : 40), number(head.inFlight, declines ? 40 : 42)],
      ...[...(drops ? [number(head.dropped, 44)] : []), number(head.goodShare, 51), ...['p50', 'p95', 'p99'].map((title) => number(title, declines ? 40 : 43))],
    ]),
    size: 7.6,
    places: [...Object.entries(run.phases).flatMap(([name, phase]) => (phase.traffic[traffic] ? [[phasePlace(traffic, name)]] : [])), [phasePlace(traffic, null)]],
    rows: [...Object.entries(run.phases).flatMap(([name, phase]) => (phase.traffic[traffic] ? [row(name, phase.traffic[traffic])] : [])), row(words.wholeRun, run.traffic[traffic])],
  });
  // What the columns are of is said once.
  if (explained) flow.paragraph(prose('sections', 'phasesNote'), styles.small);
  warningParagraphs(report, ({ kind, subject }) => kind === 'dropped' && subject === traffic, styles.note);
  flow.space(10);
};

const where = ({ flow, run, words, prose, lang }: ReportContext, traffic: string): void => {
  const totals = run.traffic[traffic];
  const parts = outcomesOf(totals);
  if (parts.declined + parts.refused + parts.failed === 0) {
    conservation({ flow, words, prose }, parts);
    return flow.space(12);
  }
  flow.h2(`${markOnly('counted')}${words.title.where}`, clean(traffic));
  flow.drawing(outcomeBar(parts, column.width, lang), `${words.title.where}: ${conservationText(parts, prose)}`);
  flow.space(6);
  const reasons = (['declined', 'refused', 'failed'] as const).flatMap((kind) =>
    Object.entries(totals[kind]).sort(([, a], [, b]) => b - a).map(([reason, value]): Cell[] => [words.head[kind], clean(placedReasonText(reason, lang)), bold(count(value))]),
  );
  drawTable(flow, {
    title: words.title.where,
    empty: words.nothing,
    columns: [{ title: words.head.outcome, width: 90, weight: 600 }, { title: words.head.place, width: 300 }, { title: words.head.count, width: 111, align: 'end', mark: 'counted' }],
    rows: [...reasons, [words.inFlight, clock(run.durationMs), bold(count(parts.inFlight))]],
  });
  flow.space(6);
  conservation({ flow, words, prose }, parts);
  flow.space(12);
};

type Parts = ReturnType<typeof outcomesOf>;
const conservationText = (parts: Parts, prose: ReportContext['prose']): string => prose('sections', 'conservation', { declines: parts.declined > 0, ...Object.fromEntries(Object.entries<number>({ ...parts }).map(([name, value]) => [name, say(count(value), 'counted')])) });

/** The equation in a box: what came is what ended plus what is still there. */
const conservation = ({ flow, words, prose }: Pick<ReportContext, 'flow' | 'words' | 'prose'>, parts: Parts): void => {
  const adds = parts.offered === parts.good + parts.declined + parts.refused + parts.failed + parts.inFlight;
  const lines = breakLines(markedOnce(conservationText(parts, prose)), column.width - 150, styles.body);
  const height = lines.length * 12 + 11;
  flow.need(height);
  const top = flow.y;
  flow.artifact((canvas) => canvas.rect(column.left + 0.5, top, column.width - 1, height, { stroke: print.text, strokeWidth: 0.8 }));
  const baseline = top + 14.5;
  const title = drawn((canvas) => canvas.text(column.left + 9, baseline, words.title.conservation, { size: 8.5, weight: 700 }));
  const verdict = breakLines(judged(adds, adds ? words.exact : words.notExact), 90, styles.body)[0];
  flow.add('P', [{
    page: flow.page,
    shapes: [...title, ...lines.flatMap((line, k) => lineShapes(line, column.left + 80, baseline + k * 12, styles.body)), ...(verdict ? lineShapes(verdict, column.right - 9 - verdict.width, baseline, styles.body) : [])],
  }]);
  flow.y += height;
};
