import { trailingMs } from '../../src/study/judging.js';
import { numberAt, at } from '../../src/study/columns.js';
import { beganAtMs, splitSubject } from '../../src/study/events.js';
import type { Lang, LoggedEvent, Run } from '../../src/study/types.js';
import { clock, count } from '../look/numbers.js';
import { reportWords } from '../../src/text/report.js';
import { mainTraffic, type ReportContext } from './context.js';
import { basisOf, momentSentence, momentsOf, type Moment } from './moments.js';
import { clean } from './rich.js';

/** A turn of the run that gets a letter in the chart of the first page. */
export interface KeyMoment {
  readonly letter: string;
  readonly tMs: number;
  readonly basis: LoggedEvent['basis'];
  readonly lead: string;
  readonly rest: string;
}

/** More letters than this tell less. */
const most = 7;
/**
 * The turns of the run by their consequence: what began the trouble, the first answer of each control, every kill, the stretch with most failures,
 * the first new instance that joins, and when the objective that broke first is kept again. In order of time.
 */
export const keyMoments = (run: Run, traffic: string | null, tickMs: number, lang: Lang): KeyMoment[] => {
  const moments = momentsOf(run.eventLog, tickMs);
  const chosen = chosenMoments(run, moments);
  // What follows when something is full is said once.
  const full = chosen.find(({ kind }) => kind === 'saturated');
  const told = chosen.map((moment) => ({ tMs: moment.tMs, basis: basisOf(moment.events), ...(moment.kind === 'saturated' && moment !== full ? momentSentence(moment, lang) : sentences(moment, run, lang)) }));
  const worst = traffic === null ? null : worstStretch(run, traffic, tickMs);
  const failures = worst && { tMs: worst.fromMs, basis: 'counted' as const, lead: reportWords[lang].failUntil(count(worst.failed), clock(worst.toMs)), rest: '' };
  const recovery = traffic === null ? null : keptAgainMs(run, traffic, tickMs);
  const again = recovery === null ? [] : [{ tMs: recovery, basis: 'counted' as const, lead: reportWords[lang].keptAgain(clean(run.firstToBreak!.objective)), rest: '' }];
  const sameTick = (other: { tMs: number }): boolean => failures !== null && Math.floor(other.tMs / tickMs) === Math.floor(failures.tMs / tickMs);
  // Failures that begin with a kill are told with it; the recovery ends the story, so it always has a letter.
  const host = told.slice(0, most - again.length).find(sameTick);
  const own = failures && !host ? [failures] : [];
  const letters = [...told.slice(0, most - again.length - own.length).map((other) => (other === host ? { ...host, rest: `${host.rest} ${failures!.lead}`.trim() } : other)), ...own, ...again];
  return letters.sort((a, b) => a.tMs - b.tMs).map((moment, index) => ({ letter: String.fromCharCode(65 + index), ...moment }));
};

const sentences = (moment: Moment, run: Run, lang: Lang): { lead: string; rest: string } => {
  const { lead, rest } = momentSentence(moment, lang);
  return { lead, rest: moment.kind === 'saturated' ? reportWords[lang][whatFollows(moment, run)] : rest };
};

/** What comes of it that something is full: only CPU and slots have the queue that may refuse; who waits for a pool waits for a connection. */
const whatFollows = ({ events }: Moment, run: Run): 'lockedThen' | 'pooledThen' | 'memoryThen' | 'saturatedThen' | 'saturatedWait' => {
  const isAll = (what: string): boolean => events.every(({ cause }) => cause === what);
  if (isAll('lock')) return 'lockedThen';
  if (isAll('pool')) return 'pooledThen';
  if (isAll('memory')) return 'memoryThen';
  return events.some((event) => (event.cause === 'cpu' || event.cause === 'slots') && refusesFull(run, event)) ? 'saturatedThen' : 'saturatedWait';
};

/** Whether what is full itself refused somebody for a full queue. */
const refusesFull = ({ system, links, services }: Run, { subject }: LoggedEvent): boolean => {
  const { service, instance } = splitSubject(subject);
  const refused = system.links.some(({ caller, callee }) => callee === service && (links[`${caller}.${callee}`]?.refused[`${service}: queue full`] ?? 0) > 0);
  return refused && (instance === null || (services[service]?.instances.find(({ number }) => number === instance)?.refused ?? 0) > 0);
};

/** Moments worth a letter, the heaviest first. */
const chosenMoments = (run: Run, moments: readonly Moment[]): Moment[] => {
  const first = (kind: Moment['kind'], also: (moment: Moment) => boolean = () => true): Moment[] => moments.filter((moment) => moment.kind === kind && also(moment)).slice(0, 1);
  const resource = run.firstToBreak?.resource;
  const kills = moments.filter(({ kind }) => kind === 'oom' || kind === 'crashed');
  const cause = first('saturated', ({ events }) => events.some((event) => resource !== null && resource !== undefined && beganAtMs(event) === resource.sinceMs && event.subject === (resource.instance === null ? resource.service : `${resource.service}.${resource.instance}`) && event.cause === resource.what));
  // What filled up after it, up to the break: the way that the trouble took.
  const chain = moments.filter(({ kind, tMs }) => kind === 'saturated' && resource && tMs >= resource.sinceMs && tMs <= (run.firstToBreak?.tMs ?? 0));
  const byWeight = [
    ...first('fault'), ...first('rolled-back'), ...(cause.length > 0 ? cause : first('saturated')), ...kills.slice(0, 1), ...first('ejected'), ...first('breaker-open'),
    ...first('ready', ({ events }) => events[0].cause === 'first probe'), ...kills.slice(1, 3), ...first('scale-out'), ...first('lock-timeout'), ...first('deployed'), ...kills.slice(3), ...chain,
  ];
  return [...new Set(byWeight)];
};

/** The stretch of ticks in which most requests of a traffic failed; null when none did. */
const worstStretch = (run: Run, traffic: string, tickMs: number): Stretch | null => {
  const { failed } = run.ticks.traffic[traffic];
  const stretches: Stretch[] = [];
  for (let tick = 0; tick < run.ticks.count; tick++) {
    const value = numberAt(failed, tick);
    if (value === 0) continue;
    const [from, to] = [tick * tickMs, (tick + 1) * tickMs];
    const last = stretches.at(-1);
    if (last && from - last.toMs < trailingMs) stretches[stretches.length - 1] = { ...last, toMs: to, failed: last.failed + value };
    else stretches.push({ fromMs: from, toMs: to, failed: value });
  }
  return stretches.reduce<Stretch | null>((worst, stretch) => (worst === null || stretch.failed > worst.failed ? stretch : worst), null);
};

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly failed: number;
}

/** The end of the last tick whose trailing window violates the objective that broke first; null when nothing broke or the run ends so. */
export const keptAgainMs = (run: Run, traffic: string, tickMs: number): number | null => {
  const objective = run.system.objectives.find(({ name }) => name === run.firstToBreak?.objective);
  if (!objective || objective.of !== traffic) return null;
  const columns = run.ticks.traffic[traffic];
  const ticks = Math.max(1, Math.ceil(trailingMs / tickMs));
  const sum = (key: 'good' | 'refused' | 'failed', tick: number): number => Array.from({ length: Math.min(ticks, tick + 1) }, (_, back) => numberAt(columns[key], tick - back)).reduce((a, b) => a + b, 0);
  const violated = (tick: number): boolean | null => {
    const { metric, low, high } = objective;
    if (metric === 'good' && low !== null) {
      const good = sum('good', tick);
      const valid = good + sum('refused', tick) + sum('failed', tick);
      return valid > 0 && good / valid < low;
    }
    if ((metric === 'p50' || metric === 'p95' || metric === 'p99') && high !== null) return (at(columns.trailing[metric], tick) ?? 0) > high;
    return null;
  };
  let tick = run.ticks.count - 1;
  if (violated(tick) !== false) return null;
  while (tick >= 0 && !violated(tick)) tick--;
  return tick < 0 ? null : (tick + 1) * tickMs;
};

/** The turns that have letters, in the chart of the first page and in all others. */
export const lettersOf = (report: ReportContext): readonly KeyMoment[] => report.remember('letters', () => keyMoments(report.run, mainTraffic(report), report.study.scenario.tickMs, report.lang));
