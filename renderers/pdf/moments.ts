import { beganAtMs, byBeginning, splitSubject } from '../../src/study/events.js';
import type { Lang, LoggedEvent } from '../../src/study/types.js';
import { joinedLead, listed } from '../../src/text/events.js';
import { reportWords } from '../../src/text/report.js';
import { sentenceOf } from './context.js';
import { clean } from './rich.js';

/** Events of one kind that began in one tick, at one service or on one link: told as one. */
export interface Moment {
  /** When the first of them began. */
  readonly tMs: number;
  readonly kind: LoggedEvent['kind'];
  readonly events: readonly [LoggedEvent, ...LoggedEvent[]];
}

/** The log as moments, in order of time. */
export const momentsOf = (log: readonly LoggedEvent[], tickMs: number): Moment[] => {
  const groups = new Map<string, { tMs: number; kind: LoggedEvent['kind']; events: [LoggedEvent, ...LoggedEvent[]] }>();
  for (const event of byBeginning(log)) {
    const place = event.data['link'] ?? splitSubject(event.subject).service;
    // New instances that join are another matter than ejected ones that return.
    const key = [Math.floor(beganAtMs(event) / tickMs), event.kind, place, event.kind === 'ready' ? event.cause : ''].join(' ');
    const group = groups.get(key);
    if (group) group.events.push(event);
    else groups.set(key, { tMs: beganAtMs(event), kind: event.kind, events: [event] });
  }
  return [...groups.values()];
};

/** Estimated as soon as one of its events is: then its time carries `≈`. */
export const basisOf = (events: readonly LoggedEvent[]): LoggedEvent['basis'] => (events.some(({ basis }) => basis === 'estimated') ? 'estimated' : 'counted');

/** What happened, and why or what follows. */
export const momentSentence = ({ kind, events }: Moment, lang: Lang): { readonly lead: string; readonly rest: string } => {
  if (kind === 'saturated') return { lead: saturatedLead(events, lang), rest: '' };
  const sentences = events.map((event) => sentenceOf(event, lang));
  if (events.length === 1) return sentences[0];
  const caller = clean(String(events[0].data['link'] ?? '').split('.')[0]);
  const lead = joinedLead(events[0], instanceNames(events), caller, lang) ?? sentences.map((sentence) => sentence.lead).join(' ');
  // Of changes of a rotation the last one says how many are left.
  const rests = kind === 'ejected' || kind === 'ready' ? [sentences.at(-1)!.rest] : [...new Set(sentences.map(({ rest }) => rest))];
  return { lead, rest: rests.filter(Boolean).join(' ') };
};

/** `order-api #1 and #2 saturated: ≈CPU, slots.` Instances with other reasons get a sentence of their own. */
const saturatedLead = (events: readonly LoggedEvent[], lang: Lang): string => {
  const words = reportWords[lang];
  const reasons = new Map<string, Set<string>>();
  for (const { subject, cause, basis } of events.toSorted((a, b) => (splitSubject(a.subject).instance ?? 0) - (splitSubject(b.subject).instance ?? 0))) {
    const word = words.resource[cause as 'cpu'] ?? clean(cause);
    reasons.set(subject, (reasons.get(subject) ?? new Set()).add(basis === 'estimated' ? `≈${word}` : word));
  }
  const alike = new Map<string, LoggedEvent[]>();
  for (const [subject, own] of reasons) {
    const key = [...own].join(', ');
    alike.set(key, [...(alike.get(key) ?? []), events.find((event) => event.subject === subject)!]);
  }
  return [...alike].map(([why, of]) => words.saturated(listed(instanceNames(of), lang), why)).join(' ');
};

/** `order-api #1`, `#2`: the service once. */
const instanceNames = (events: readonly LoggedEvent[]): string[] => {
  let before: string | null = null;
  return events.map(({ subject }) => {
    const { service, instance } = splitSubject(subject);
    const name = instance === null ? clean(service) : `${before === service ? '' : `${clean(service)} `}#${instance}`;
    before = service;
    return name;
  });
};
