import { splitSubject } from '../../src/study/events.js';
import type { Lang, LoggedEvent } from '../../src/study/types.js';
import { reasonText } from '../../src/text/reasons.js';
import { reportWords } from '../../src/text/report.js';
import { clock, count } from '../look/numbers.js';
import { basisOf, momentSentence, momentsOf, type Moment } from './moments.js';
import { clean } from './rich.js';

/** One row of the timeline: a tick in which something happened, or a stretch of flapping. */
export interface TimelineRow {
  /** `05:18`, or `05:47–07:13`. */
  readonly time: string;
  readonly basis: LoggedEvent['basis'];
  readonly what: string;
  readonly why: string;
  /** What it is made of. */
  readonly events: readonly LoggedEvent[];
}

/** Rows of a timeline of about one and a half pages. */
const mostRows = 36;

/** The rows that tell most, in order of time, and those that are left out: of each kind of event at each part the first tells most, each next one less. */
export const tellingRows = (rows: readonly TimelineRow[], most = mostRows): { readonly rows: readonly TimelineRow[]; readonly leftOut: readonly TimelineRow[] } => {
  if (rows.length <= most) return { rows, leftOut: [] };
  const seen = new Map<string, number>();
  const weights = new Map(rows.map((row) => [row, Math.max(...row.events.map((event) => weightOf(event, seen)))]));
  const kept = new Set(rows.toSorted((a, b) => weights.get(b)! - weights.get(a)!).slice(0, most));
  return { rows: rows.filter((row) => kept.has(row)), leftOut: rows.filter((row) => !kept.has(row)) };
};

const weightOf = ({ kind, subject, cause }: LoggedEvent, seen: Map<string, number>): number => {
  const key = `${kind} ${splitSubject(subject).service} ${kind === 'saturated' || kind === 'ready' ? cause : ''}`;
  const before = seen.get(key) ?? 0;
  seen.set(key, before + 1);
  return gravity[kind] * 0.8 ** before;
};
const gravity: Readonly<Record<LoggedEvent['kind'], number>> = { oom: 6, crashed: 6, fault: 6, 'rolled-back': 6, 'breaker-open': 5, ejected: 5, 'fault-end': 4, deployed: 4, 'scale-out': 4, saturated: 3, 'lock-timeout': 3, 'breaker-closed': 3, ready: 2.5, back: 2, booted: 2, 'scale-in': 2, gone: 1 };

/** Flapping is folded when it has more turns than this. */
const fewTurns = 6;

/** The log in rows: everything of a tick in one, and flapping (out, in, full again, out …) in one when nothing else happens in between. */
export const timelineRows = (log: readonly LoggedEvent[], tickMs: number, lang: Lang): TimelineRow[] => {
  const rows: TimelineRow[] = [];
  let flapping: Moment[][] = [];
  const flush = (): void => {
    const turns = flapping.flat().filter(({ kind }) => kind !== 'saturated').flatMap(({ events }) => events);
    rows.push(...(turns.length > fewTurns ? [foldedRow(flapping.flat(), lang)] : flapping.map((tick) => tickRow(tick, lang))));
    flapping = [];
  };
  for (const { moments, repeats } of ticksOf(momentsOf(log, tickMs), tickMs)) {
    if (repeats) {
      flapping.push(moments);
      continue;
    }
    flush();
    rows.push(tickRow(moments, lang));
  }
  flush();
  return rows;
};

/** Moments of each tick, and whether all of them only repeat what was there: an instance goes out or returns, or is full again. */
const ticksOf = (moments: readonly Moment[], tickMs: number): { moments: Moment[]; repeats: boolean }[] => {
  const ticks = new Map<number, { moments: Moment[]; repeats: boolean }>();
  const saturated = new Set<string>();
  for (const moment of moments) {
    const tick = ticks.get(Math.floor(moment.tMs / tickMs)) ?? { moments: [], repeats: true };
    tick.moments.push(moment);
    tick.repeats &&= moment.kind === 'ejected' || (moment.kind === 'ready' && moment.events[0].cause === 'probes') || (moment.kind === 'saturated' && moment.events.every(({ subject, cause }) => saturated.has(`${subject} ${cause}`)));
    if (moment.kind === 'saturated') for (const { subject, cause } of moment.events) saturated.add(`${subject} ${cause}`);
    ticks.set(Math.floor(moment.tMs / tickMs), tick);
  }
  return [...ticks.values()];
};

const tickRow = (moments: readonly Moment[], lang: Lang): TimelineRow => {
  const sentences = moments.map((moment) => momentSentence(moment, lang));
  return {
    time: clock(moments[0].tMs),
    basis: basisOf(moments.flatMap(({ events }) => events)),
    what: sentences.map(({ lead }) => lead).join(' '),
    why: sentences.map(({ rest }) => rest).filter(Boolean).join(' '),
    events: moments.flatMap(({ events }) => events),
  };
};

const foldedRow = (moments: readonly Moment[], lang: Lang): TimelineRow => {
  const words = reportWords[lang];
  const of = (kind: Moment['kind']): LoggedEvent[] => moments.filter((moment) => moment.kind === kind).flatMap(({ events }) => events);
  const [ejected, ready] = [of('ejected'), of('ready')];
  const reasons = new Map<string, number>();
  for (const { cause } of ejected) reasons.set(cause, (reasons.get(cause) ?? 0) + 1);
  const links = [...new Set([...ejected, ...ready].map(({ data }) => clean(String(data['link'] ?? '')).replace('.', ' → ')))].filter(Boolean);
  const full = moments.filter(({ kind }) => kind === 'saturated').length;
  return {
    time: `${clock(moments[0].tMs)}–${clock(moments.at(-1)!.tMs)}`,
    basis: basisOf(moments.flatMap(({ events }) => events)),
    what: `${links.join(', ')}: ${words.flapping(ejected.length, ready.length)}`,
    why: words.flappingWhy([...reasons].sort(([, a], [, b]) => b - a).map(([reason, times]) => `${clean(reasonText(reason, lang))} ${count(times)}`).join(', '), full),
    events: moments.flatMap(({ events }) => events),
  };
};
