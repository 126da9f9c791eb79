import type { Lang, LoggedEvent } from '../../src/study/types.js';
import { textWidth } from '../look/text-width.js';
import { captionRoom, captionSize, type Caption } from './caption.js';
import { answered, rank, told } from './caption-events.js';
import { deadMost, flappingAt, holdsAt, isStrict, standing } from './caption-states.js';
import { fitted } from './fit.js';
import { answerMs, filmTimesOf } from './pace.js';
import { windowAt, type Scene } from './scene.js';
import { matches, stopsInRun, type Stop } from './stops.js';

/** Caption of every tick of a scene, for a film that shows each tick so long (ms); the same array gives the same captions. */
export const captionsOf = (scene: Scene, lang: Lang, times: readonly number[] = filmTimesOf(scene.study, scene.run.variant)): readonly Caption[] => {
  let byTimes = cache.get(scene);
  if (!byTimes) cache.set(scene, (byTimes = new WeakMap()));
  let byLang = byTimes.get(times);
  if (!byLang) byTimes.set(times, (byLang = new Map<Lang, readonly Caption[]>()));
  let captions = byLang.get(lang);
  if (!captions) byLang.set(lang, (captions = withoutShortOnes(makeCues(scene, lang, times), scene, lang, times).map(inItsPlace)));
  return captions;
};
const cache = new WeakMap<Scene, WeakMap<readonly number[], Map<Lang, readonly Caption[]>>>();

/** Shortest film time in which a caption can be read, ms. */
export const readableMs = 2_500;

/** Simulated time after which what happened is no news, ms: then its caption, once read, gives way to what holds. */
const newsMs = 15_000;
/** Shortest film time of what comes after that: its lead is taken in at a glance, ms. */
const glanceMs = 1_000;

/** How much a caption loses by waiting: an answer and a kill come at once, what holds comes when there is room. */
const ranks = { answer: 5, dead: 2.5, cutsIn: 2, standing: 0 } as const;

interface Cue {
  readonly caption: Caption;
  /** Where it was said. */
  readonly fromTick: number;
  readonly rank: number;
  /** It can be read by then. */
  readonly untilMs: number;
  /** When it was last so. */
  readonly trueMs: number;
  readonly trueTick: number;
  /** Since when its lead stands, also in captions before it. */
  readonly sinceMs: number;
}

/** Forward over the ticks: what is shown stays readable, unless something graver comes. */
const makeCues = (scene: Scene, lang: Lang, times: readonly number[]): readonly Cue[] => {
  const stops = new Map(stopsInRun(scene.study, scene.run.variant).map(({ tick, stop }) => [tick, stop]));
  const cues: Cue[] = [];
  let waiting: { event: LoggedEvent; atMs: number }[] = [];
  let atMs = 0;
  for (let tick = 0; tick < scene.run.ticks.count; tick++) {
    // What could not be told while it was news is dropped: the strip has it.
    waiting = [...waiting.filter((item) => atMs - item.atMs <= readableMs || rank(item.event) >= 3), ...newsIn(scene, tick).map((event) => ({ event, atMs }))];
    const next = nextCue({ scene, lang, tick, window: windowAt(tick, scene.tickMs / times[tick], scene.tickMs), untilTick: lastReadTick(times, tick), atMs, stop: stops.get(tick), shown: cues.at(-1), waiting: waiting.map(({ event }) => event) });
    // An answer takes its time from all that happened with it.
    waiting = waiting.filter(({ event }) => !next.said.includes(event)).map((item) => (next.cue.rank === ranks.answer ? { ...item, atMs: next.cue.untilMs } : item));
    cues.push(next.cue);
    atMs += times[tick];
  }
  return cues;
};

const lastReadTick = (times: readonly number[], tick: number): number => {
  let last = tick;
  for (let ms = times[tick]; ms < readableMs && last + 1 < times.length; ms += times[last]) last++;
  return last;
};

/** Events that are worth a sentence: what a flapping link does is told as one, and who was saturated lately is not news. */
const newsIn = (scene: Scene, tick: number): readonly LoggedEvent[] => {
  const flapping = flappingAt(scene, tick);
  return scene.eventsIn(tick).filter((event) => {
    if (event.kind === 'saturated') return !flapping && !wasSaturatedLately(scene, event);
    return !(flapping && event.data['link'] === flapping.link && (event.kind === 'ejected' || (event.kind === 'ready' && event.cause === 'probes')));
  });
};

const latelyMs = 180_000;
const wasSaturatedLately = ({ run }: Scene, event: LoggedEvent): boolean =>
  run.eventLog.some((other) => other !== event && other.kind === 'saturated' && other.subject === event.subject && (other.tMs < event.tMs ? event.tMs - other.tMs < latelyMs : other.tMs === event.tMs && run.eventLog.indexOf(other) < run.eventLog.indexOf(event)));

interface Now {
  readonly scene: Scene;
  readonly lang: Lang;
  readonly tick: number;
  readonly window: Parameters<typeof standing>[3];
  /** The last tick of a caption that begins now and stands no longer than it must. */
  readonly untilTick: number;
  readonly atMs: number;
  readonly stop: Parameters<typeof answered>[0] | undefined;
  readonly shown: Cue | undefined;
  readonly waiting: readonly LoggedEvent[];
}

/** The event that a stop is about, and what brought it about: its question has told them. What is full is seen. */
const isAsked = ({ at }: Stop, event: LoggedEvent): boolean => ('kind' in at && matches(event, at)) || event.kind === 'fault' || rank(event) < 1;

/** Two states that come and go by turns are told by the one that was told first, as long as that comes back within so much film, ms. */
const lingerMs = 6_000;

const nextCue = ({ scene, lang, tick, window, untilTick, atMs, stop, shown, waiting }: Now): { readonly cue: Cue; readonly said: readonly LoggedEvent[] } => {
  const say = (caption: Caption, rankOfCue: number, said: readonly LoggedEvent[] = [], ms = readableMs): ReturnType<typeof nextCue> => ({ cue: { caption, fromTick: tick, rank: rankOfCue, untilMs: atMs + ms, trueMs: atMs, trueTick: tick, sinceMs: shown?.caption.lead === caption.lead ? shown.sinceMs : atMs }, said });
  const tell = (rankOfCue: number, ms = readableMs): ReturnType<typeof nextCue> => say(told(waiting, scene, tick, untilTick, lang), rankOfCue, waiting, ms);
  if (stop?.answer) return say(answered(stop, waiting, lang), ranks.answer, waiting.filter((event) => isAsked(stop, event)), answerMs);
  if (stop && waiting.length > 0) return tell(ranks.answer, answerMs);
  // What a tick disproves is told no longer than it is so.
  const mayGo = shown !== undefined && (shown.rank === ranks.standing || (shown.rank === ranks.dead && atMs - shown.sinceMs >= readableMs - 1e-6));
  const isOver = mayGo && isStrict(shown.caption) && !holdsAt(scene, tick, lang, shown.caption);
  const free = !shown || isOver || atMs >= shown.untilMs - 1e-6;
  const gravest = Math.max(-1, ...waiting.map(rank));
  if (gravest >= 3 && (free || shown.rank < gravest)) return tell(gravest);
  const dead = deadMost(scene, tick, lang);
  if (dead && (free || shown.rank < ranks.dead)) return say(dead, ranks.dead);
  const holds = standing(scene, tick, lang, window, untilTick);
  // That somebody is full as well, or that a fault is over, is no news beside something graver.
  const isNews = gravest >= 1 || !isStrict(holds.caption);
  // What is done to the system, and what a release came to, does not wait for a state that holds anyway.
  const cutsIn = gravest > ranks.cutsIn && shown?.rank === ranks.standing;
  if (!dead && waiting.length > 0 && isNews && (free || shown.caption.isCalm === true || cutsIn)) return tell(gravest);
  return { cue: stood(shown, holds, { free, atMs, tick, isOld: isStale(shown, scene, tick) }) ?? say(holds.caption, ranks.standing).cue, said: [] };
};

/** The shown caption where it stays although something else may hold; null where it goes. */
const stood = (shown: Cue | undefined, { caption, isBrief }: ReturnType<typeof standing>, { free, atMs, tick, isOld }: { readonly free: boolean; readonly atMs: number; readonly tick: number; readonly isOld: boolean }): Cue | null => {
  if (!shown) return null;
  const isSame = shown.caption.lead === caption.lead;
  if (shown.caption.isCalm && !caption.isCalm) return null;
  if (!free || (isSame && shown.caption.rest === caption.rest && shown.rank === ranks.standing)) return isSame ? { ...shown, trueMs: atMs, trueTick: tick } : shown;
  if (isOld) return null;
  const lingers = shown.rank === ranks.standing && !shown.caption.isCalm && caption.tone === 'saturated' && !isStrict(shown.caption) && !isSame && atMs - shown.trueMs < lingerMs;
  // Better what was so a moment ago than a caption that cannot be read.
  return lingers || (isBrief && !isStrict(shown.caption) && !shown.caption.isCalm) ? shown : null;
};

/** It tells what happened, or what held, and that was some time ago. */
const isStale = (cue: Cue | undefined, { tickMs }: Scene, tick: number): boolean => cue !== undefined && (tick - (cue.rank === ranks.standing ? cue.trueTick : cue.fromTick)) * tickMs > newsMs;

/**
 * A caption that graver news cut short gives way to the one before it, unless that would say what is not so, or what was so long ago.
 * Questions part the film.
 */
const withoutShortOnes = (cues: readonly Cue[], scene: Scene, lang: Lang, times: readonly number[]): readonly Caption[] => {
  const starts = new Set(stopsInRun(scene.study, scene.run.variant).map(({ tick }) => tick));
  const shown = [...cues];
  const isSame = (a: Caption | undefined, b: Caption): boolean => a !== undefined && a.lead === b.lead && a.rest === b.rest;
  const maySpread = (before: Cue, from: number, to: number, ms: number): boolean => {
    const { caption } = before;
    if (caption.isCalm) return shown[from].caption.isCalm === true;
    if (isStale(before, scene, to - 1) && ms >= glanceMs) return false;
    for (let tick = from; tick < to; tick++) if (cues[from - 1].rank === ranks.standing && isStrict(caption) && !holdsAt(scene, tick, lang, caption)) return false;
    return true;
  };
  for (let from = 0, to = 0; from < shown.length; from = to) {
    let ms = 0;
    for (to = from; to < shown.length && isSame(shown[from].caption, shown[to].caption) && (to === from || !starts.has(to)); to++) ms += times[to];
    const before = shown[from - 1];
    if (ms < readableMs - 1e-6 && before && !starts.has(from) && maySpread(before, from, to, ms)) shown.fill(before, from, to);
  }
  return shown.map(({ caption }) => caption);
};

/** What does not fit is cut: the rest first, then the lead. */
const inItsPlace = (caption: Caption): Caption => {
  const room = captionRoom - textWidth(`${caption.lead} `, captionSize, 700);
  if (textWidth(caption.rest, captionSize, 400) <= room) return caption;
  return room > 200 ? { ...caption, rest: fitted(caption.rest, captionSize, 400, room) } : { ...caption, lead: fitted(caption.lead, captionSize, 700, captionRoom), rest: '' };
};
