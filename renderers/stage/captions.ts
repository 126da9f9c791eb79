import type { LoggedEvent } from '../../src/study/types.js';
import { splitSubject } from '../../src/study/events.js';
import { eventSentence, joinedLead, listed, type EventFormats } from '../../src/text/events.js';
import type { Lang } from '../../src/study/types.js';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import type { Glyph } from '../look/glyphs.js';
import { bytes, count, span } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { displayState, healthGlyph, isWronglyIn } from './display-state.js';
import { wholePercent } from './whole-percent.js';
import { flowOf, type Scene } from './scene.js';
import { numberAt } from '../../src/study/columns.js';

/** What just happened, or what holds: a bold lead, a plain rest, and the sign and health that it is about. */
export interface Caption {
  readonly lead: string;
  readonly rest: string;
  readonly glyph: Glyph;
  readonly tone: DisplayState;
}

/** Width that a caption may take, at its type size. */
export const captionRoom = 1760;
export const captionSize = 27;

/** Caption of every tick of a scene. Each depends on its tick and those before it only. */
export const captionsOf = (scene: Scene, lang: Lang): readonly Caption[] => {
  let byLang = cache.get(scene);
  if (!byLang) cache.set(scene, (byLang = new Map<Lang, readonly Caption[]>()));
  let captions = byLang.get(lang);
  if (!captions) byLang.set(lang, (captions = makeCaptions(scene, lang)));
  return captions;
};
const cache = new WeakMap<Scene, Map<Lang, readonly Caption[]>>();

/** Seconds of film that a caption stays where nothing graver happens. */
const holdS = 2.5;

const makeCaptions = (scene: Scene, lang: Lang): readonly Caption[] => {
  const hold = Math.max(1, Math.ceil((holdS * scene.study.scenario.rehearsal.pacing.incident * 1000) / scene.tickMs));
  const captions: Caption[] = [];
  let shown: { events: readonly LoggedEvent[]; since: number } | null = null;
  let waiting: { event: LoggedEvent; tick: number }[] = [];
  for (let tick = 0; tick < scene.run.ticks.count; tick++) {
    waiting.push(...scene.eventsIn(tick).map((event) => ({ event, tick })));
    // What could not be told while it was news is dropped: the strip has it.
    waiting = waiting.filter((item) => tick - item.tick <= hold || rank(item.event) >= 3);
    const urgent = waiting.some(({ event }) => shown === null || rank(event) > Math.max(...shown.events.map(rank)));
    if (waiting.length > 0 && (shown === null || tick - shown.since >= hold || urgent)) {
      const gravest = Math.max(...waiting.map(({ event }) => rank(event)));
      const now = urgent && gravest >= 3 ? waiting.filter(({ event, tick: at }) => at === tick || rank(event) >= 3) : waiting;
      shown = { events: now.map(({ event }) => event), since: tick };
      waiting = waiting.filter((item) => !now.includes(item));
    }
    if (shown && tick - shown.since >= hold) shown = null;
    captions.push(shown ? told(shown.events, scene, shown.since, lang) : standing(scene, tick, lang));
  }
  return captions;
};

const ranks: Partial<Record<LoggedEvent['kind'], number>> = { oom: 3, crashed: 3, ejected: 2, 'breaker-open': 2, fault: 2 };
const rank = (event: LoggedEvent): number => ranks[event.kind] ?? 1;

export const callerOf = (event: LoggedEvent): string => String(event.data['link'] ?? '').split('.')[0];

/** That it is saturated can be seen; beside anything else it is not worth the line. */
const worthTelling = (events: readonly LoggedEvent[]): readonly LoggedEvent[] => {
  const others = events.filter((event) => event.kind !== 'saturated');
  return others.length > 0 ? others : events;
};

/** Events in one sentence each, gravest first; as much of it as the line holds. */
const told = (events: readonly LoggedEvent[], scene: Scene, tick: number, lang: Lang): Caption => {
  const sorted = worthTelling(events).toSorted((a, b) => rank(b) - rank(a));
  const formats = eventFormats(scene, lang);
  const parts = groupedByKind(sorted).map((group) => {
    // Of what an instance was saturated in one breath, the first is told.
    const names = [...new Set(group.map((event) => formats.subject(event.subject)))];
    const one = eventSentence(group[0], lang, formats);
    if (names.length === 1) return one;
    const lead = joinedLead(group[0].kind, names, callerOf(group[0]), lang);
    // The last one's rest says how many are left in rotation.
    return lead ? { lead, rest: group[0].kind === 'ejected' ? eventSentence(group.at(-1)!, lang, formats).rest : '' } : one;
  });
  const sign = signOf(sorted[0]);
  const leads = parts.map((part) => part.lead);
  const unnoticed = rank(sorted[0]) >= 3 ? wronglyIn(scene, tick, lang) : null;
  const noticed = unnoticed ? stageWords[lang].caption.unaware(unnoticed.caller) : '';
  const more = (left: number): string => (left > 0 ? stageWords[lang].caption.more(left) : '');
  const tries: { lead: string; rest: string }[] = [
    { lead: leads[0], rest: [parts[0].rest, noticed, ...leads.slice(1)].filter(Boolean).join(' ') },
    { lead: leads[0], rest: [parts[0].rest, ...leads.slice(1)].filter(Boolean).join(' ') },
    ...leads.map((_, k) => ({ lead: leads.slice(0, leads.length - k).join(' '), rest: more(k) })),
  ];
  return { ...(tries.find(fits) ?? tries.at(-1)!), ...sign };
};

export const captionWidth = ({ lead, rest }: { lead: string; rest: string }): number => textWidth(lead, captionSize, 700) + textWidth(` ${rest}`, captionSize, 400);
const fits = (caption: { lead: string; rest: string }): boolean => captionWidth(caption) <= captionRoom;

const groupedByKind = (events: readonly LoggedEvent[]): readonly (readonly LoggedEvent[])[] => {
  const groups = new Map<string, LoggedEvent[]>();
  for (const event of events) {
    const key = `${event.kind} ${splitSubject(event.subject).service} ${event.data['link'] ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
};

/** Names and numbers of the stage: instances of the lanes are `#2`, others carry their service. */
export const eventFormats = ({ structure }: Scene, lang: Lang): EventFormats => ({
  subject: (subject) => {
    const { service, instance } = splitSubject(subject);
    if (instance === null) return subject;
    if (service === structure.group?.name) return `#${instance}`;
    return structure.services.find(({ name }) => name === service)?.instancesMax === 1 ? service : `${service} #${instance}`;
  },
  count,
  share: wholePercent,
  bytes,
  span: (ms) => span(ms, lang),
});

const signs: Partial<Record<LoggedEvent['kind'], { glyph: Glyph; tone: DisplayState }>> = {
  saturated: { glyph: 'saturated', tone: 'saturated' },
  ejected: { glyph: 'ejected', tone: 'ejected' },
  ready: { glyph: 'in', tone: 'healthy' },
  oom: { glyph: 'killed', tone: 'killed' },
  crashed: { glyph: 'killed', tone: 'killed' },
  back: { glyph: 'warming', tone: 'warming' },
  'scale-out': { glyph: 'scale-out', tone: 'booting' },
  'scale-in': { glyph: 'scale-in', tone: 'booting' },
  booted: { glyph: 'booting', tone: 'booting' },
  gone: { glyph: 'off', tone: 'off' },
  'breaker-open': { glyph: 'breaker', tone: 'ejected' },
  'breaker-closed': { glyph: 'breaker', tone: 'healthy' },
};
export const signOf = (event: LoggedEvent): { glyph: Glyph; tone: DisplayState } => signs[event.kind] ?? { glyph: 'fault', tone: 'saturated' };

/** What holds while nothing happens, gravest first. */
const standing = (scene: Scene, tick: number, lang: Lang): Caption => {
  const words = stageWords[lang].caption;
  const wrongly = wronglyIn(scene, tick, lang);
  if (wrongly) {
    const rest = wrongly.policy === 'least-outstanding' || wrongly.policy === 'two-choices' ? words.nothingOutstanding : words.notNoticed;
    return { lead: words.wrongly(wrongly.caller, wrongly.name), rest, glyph: 'restarting', tone: 'restarting' };
  }
  for (const link of scene.run.system.links.filter(({ health }) => health !== null)) {
    const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
    if (!columns) continue;
    if (numberAt(columns.failingOpen, tick) === 1) return { lead: words.openDoor(link.caller), rest: words.openDoorRest(link.callee), glyph: 'ejected', tone: 'ejected' };
    if (columns.targets.every((target) => numberAt(target.belief, tick) !== 1)) return { lead: words.nobody(link.callee), rest: words.nobodyRest(link.caller), glyph: 'ejected', tone: 'ejected' };
  }
  return healthCaption(scene, tick, lang);
};

const wronglyIn = (scene: Scene, tick: number, lang: Lang) => {
  const formats = eventFormats(scene, lang);
  for (const link of scene.run.system.links) {
    const targets = scene.run.ticks.links[`${link.caller}.${link.callee}`]?.targets ?? [];
    const index = targets.findIndex((target, i) => isWronglyIn(scene, link, i, tick) && numberAt(target.sent, tick) > 0);
    if (index >= 0) return { caller: link.caller, policy: link.policy, name: formats.subject(`${link.callee}.${index + 1}`) };
  }
  return null;
};

const healthCaption = (scene: Scene, tick: number, lang: Lang): Caption => {
  const words = stageWords[lang].caption;
  const formats = eventFormats(scene, lang);
  const states = scene.run.system.services.flatMap((service) => (scene.run.ticks.services[service.name]?.instances ?? []).map((_, i) => ({ name: formats.subject(`${service.name}.${i + 1}`), state: displayState(scene, service.name, i, tick) })));
  const say = (state: DisplayState, lead: (names: string, count: number) => string, rest: string): Caption | null => {
    const names = states.filter((item) => item.state === state).map((item) => item.name);
    if (names.length === 0) return null;
    return { lead: lead(names.length > 6 ? `${names.slice(0, 5).join(', ')} … (${names.length})` : listed(names, lang), names.length), rest, glyph: healthGlyph(state), tone: state };
  };
  const flow = flowOf(scene.run, Math.max(0, tick - 9), tick);
  return (
    say('saturated', words.saturated, words.saturatedRest) ??
    say('ejected', words.out, words.outRest) ??
    (flow.refused + flow.failed > 0 ? { lead: words.bad, rest: words.badRest, glyph: 'saturated' as const, tone: 'saturated' as const } : null) ??
    say('warming', words.warming, words.warmingRest) ??
    say('booting', words.booting, words.bootingRest) ?? { lead: words.calm, rest: words.calmRest, glyph: 'healthy', tone: 'healthy' }
  );
};
