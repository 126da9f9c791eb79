import { figure } from '../look/figure.js';
import { beganAtMs, byBeginning, splitSubject } from '../../src/study/events.js';
import type { Lang, LoggedEvent } from '../../src/study/types.js';
import { eventSentence, joinedLead, joinedRest } from '../../src/text/events.js';
import type { SaturatedBy } from '../../src/text/captions.js';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import type { Glyph } from '../look/glyphs.js';
import { clock } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { captionRoom, captionSize, type Caption } from './caption.js';
import { wronglyIn } from './caption-states.js';
import { eventFormats } from './event-formats.js';
import type { Scene } from './scene.js';
import type { Stop } from './stops.js';

const ranks: Partial<Record<LoggedEvent['kind'], number>> = { saturated: 0.5, 'fault-end': 0.6, oom: 3, crashed: 3, ejected: 2, 'breaker-open': 2.2, fault: 2.2, 'rolled-back': 2.2, deployed: 2.1 };
/** That nobody is left in rotation is graver than that somebody is out. */
export const rank = ({ kind, data }: LoggedEvent): number => (kind === 'ejected' && data['inRotation'] === 0 ? 2.3 : (ranks[kind] ?? 1));

export const callerOf = (event: LoggedEvent): string => String(event.data['link'] ?? '').split('.')[0];

/** The answer of a stop, its first sentence as the lead, with the sign of what was asked about. */
export const answered = (stop: Stop, events: readonly LoggedEvent[], lang: Lang): Caption => {
  const answer = (stop.answer ?? stop.ask)[lang];
  const end = /[.!?:](?= )/.exec(answer)?.index ?? answer.length;
  const gravest = events.toSorted((a, b) => rank(b) - rank(a))[0];
  return { lead: answer.slice(0, end + 1), rest: answer.slice(end + 1).trim(), ...(gravest ? signOf(gravest) : { glyph: 'play' as const, tone: 'off' as const }) };
};

/** Events in one sentence each, gravest first; as much of it as the line holds. `untilTick`: the last that the caption will stand for. */
export const told = (events: readonly LoggedEvent[], scene: Scene, tick: number, untilTick: number, lang: Lang): Caption => {
  // A fault that ends a process is told by that.
  const worth = events.some(({ kind }) => kind === 'crashed') ? events.filter(({ kind, cause }) => kind !== 'fault' || cause !== 'crash') : events;
  const sorted = worth.toSorted((a, b) => rank(b) - rank(a));
  const formats = { ...eventFormats(scene, lang), clock };
  const parts = groupedByKind(sorted).map((unordered) => {
    const group = unordered.toSorted((a, b) => events.indexOf(a) - events.indexOf(b));
    // Of what an instance was saturated in one breath, the first is told.
    const names = [...new Set(group.map((event) => formats.subject(event.subject)))];
    const [first] = group;
    const one = eventSentence(first, lang, formats);
    const rest = first.kind === 'saturated' && first.cause !== 'lock' ? stageWords[lang].caption.saturatedBy[causeOf(first, scene)] : names.length > 1 ? joinedRest(group, lang, formats) : one.rest;
    return { lead: (names.length > 1 ? joinedLead(first, names, callerOf(first), lang) : null) ?? one.lead, rest, since: sinceOf(group, lang) };
  });
  const leads = parts.map((part) => part.lead);
  // Only what stays true as long as it can be read.
  const unnoticed = rank(sorted[0]) >= 3 && wronglyIn(scene, tick, lang) ? wronglyIn(scene, untilTick, lang) : null;
  const noticed = unnoticed ? stageWords[lang].caption.unaware(unnoticed.caller) : '';
  const more = (left: number): string => (left > 0 ? stageWords[lang].caption.more(left) : '');
  const tries: { lead: string; rest: string }[] = [
    { lead: leads[0], rest: [parts[0].rest, parts[0].since, noticed, ...leads.slice(1)].filter(Boolean).join(' ') },
    { lead: leads[0], rest: [parts[0].rest, noticed, ...leads.slice(1)].filter(Boolean).join(' ') },
    { lead: leads[0], rest: [parts[0].rest, ...leads.slice(1)].filter(Boolean).join(' ') },
    // Of many, the first with its cause and some of the others; of two, both.
    ...(leads.length > 2 ? leads.slice(2).map((_, k) => ({ lead: leads[0], rest: [parts[0].rest, ...leads.slice(1, leads.length - 1 - k), more(k + 1)].filter(Boolean).join(' ') })) : []),
    ...leads.map((_, k) => ({ lead: leads.slice(0, leads.length - k).join(' '), rest: more(k) })),
  ];
  return { ...(tries.find(fits) ?? tries.at(-1)!), ...signOf(sorted[0]) };
};

/** When what is noticed now began; nothing where it began now. */
const sinceOf = (group: readonly LoggedEvent[], lang: Lang): string => {
  const [first] = byBeginning(group);
  const ms = beganAtMs(first);
  return ms < first.tMs ? stageWords[lang].caption.saturatedSince(figure(clock(ms), first.basis).text) : '';
};

/** What it was saturated by, as the caption says it that holds afterwards. */
const causeOf = ({ cause, subject }: LoggedEvent, scene: Scene): SaturatedBy => {
  const service = scene.run.system.services.find(({ name }) => name === splitSubject(subject).service);
  if (cause === 'cpu' || cause === 'pool' || cause === 'memory') return cause;
  if (service?.slots === 1 && service.slotsHeld === 'cpu') return 'turns';
  return service?.queueLimit == null ? 'slots' : 'boundedSlots';
};

const fits = ({ lead, rest }: { lead: string; rest: string }): boolean => textWidth(lead, captionSize, 700) + textWidth(` ${rest}`, captionSize, 400) <= captionRoom;

const groupedByKind = (events: readonly LoggedEvent[]): readonly (readonly LoggedEvent[])[] => {
  const groups = new Map<string, LoggedEvent[]>();
  for (const event of events) {
    // Who is saturated is told in one breath, whichever service it is of.
    const key = event.kind === 'saturated' && event.cause !== 'lock' ? event.kind : `${event.kind} ${splitSubject(event.subject).service} ${event.data['link'] ?? ''} ${event.kind === 'ready' ? event.cause : ''}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
};

const signs: Partial<Record<LoggedEvent['kind'], { glyph: Glyph; tone: DisplayState }>> = {
  saturated: { glyph: 'saturated', tone: 'saturated' },
  ejected: { glyph: 'ejected', tone: 'ejected' },
  ready: { glyph: 'in', tone: 'joining' },
  oom: { glyph: 'killed', tone: 'killed' },
  crashed: { glyph: 'killed', tone: 'killed' },
  back: { glyph: 'warming', tone: 'warming' },
  'scale-out': { glyph: 'scale-out', tone: 'booting' },
  'scale-in': { glyph: 'scale-in', tone: 'booting' },
  booted: { glyph: 'booting', tone: 'booting' },
  gone: { glyph: 'off', tone: 'off' },
  'lock-timeout': { glyph: 'lock', tone: 'saturated' },
  deployed: { glyph: 'deploy', tone: 'booting' },
  'rolled-back': { glyph: 'deploy', tone: 'restarting' },
  'fault-end': { glyph: 'fault', tone: 'off' },
  'breaker-open': { glyph: 'breaker', tone: 'ejected' },
  'breaker-closed': { glyph: 'breaker', tone: 'joining' },
};
export const signOf = (event: LoggedEvent): { glyph: Glyph; tone: DisplayState } => (event.kind === 'saturated' && event.cause === 'lock' ? signs['lock-timeout'] : signs[event.kind]) ?? { glyph: 'fault', tone: 'saturated' };
