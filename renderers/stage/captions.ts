import type { Lang, LoggedEvent } from '../../src/study/types.js';
import { textWidth } from '../look/text-width.js';
import { captionRoom, captionSize, type Caption } from './caption.js';
import { answered, rank, told } from './caption-events.js';
import { deadMost, flappingAt, standing } from './caption-states.js';
import { isDown } from './display-state.js';
import { fitted } from './fit.js';
import { answerMs, filmTimesOf } from './pace.js';
import type { Scene } from './scene.js';
import { stopsInRun } from './stops.js';

/** Caption of every tick of a scene, for a film that shows each tick so long (ms); the same array gives the same captions. */
export const captionsOf = (scene: Scene, lang: Lang, times: readonly number[] = filmTimesOf(scene.study, scene.run.variant)): readonly Caption[] => {
  let byTimes = cache.get(scene);
  if (!byTimes) cache.set(scene, (byTimes = new WeakMap()));
  let byLang = byTimes.get(times);
  if (!byLang) byTimes.set(times, (byLang = new Map()));
  let captions = byLang.get(lang);
  if (!captions) byLang.set(lang, (captions = withoutShortOnes(makeCues(scene, lang, times), scene, times).map(inItsPlace)));
  return captions;
};
const cache = new WeakMap<Scene, WeakMap<readonly number[], Map<Lang, readonly Caption[]>>>();

/** Shortest film time in which a caption can be read, ms. */
export const readableMs = 2_500;

/** How much a caption loses by waiting: an answer and a kill come at once, what holds comes when there is room. */
const ranks = { answer: 5, dead: 2.5, cutsIn: 2, standing: 0 } as const;

interface Cue {
  readonly caption: Caption;
  readonly rank: number;
  readonly calm: boolean;
  readonly untilMs: number;
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
    const next = nextCue({ scene, lang, tick, untilTick: lastReadTick(times, tick), atMs, stop: stops.get(tick), shown: cues.at(-1), waiting: waiting.map(({ event }) => event) });
    waiting = waiting.filter(({ event }) => !next.said.includes(event));
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

const latelyMs = 60_000;
const wasSaturatedLately = ({ run }: Scene, event: LoggedEvent): boolean =>
  run.eventLog.some((other) => other !== event && other.kind === 'saturated' && other.subject === event.subject && (other.tMs < event.tMs ? event.tMs - other.tMs < latelyMs : other.tMs === event.tMs && run.eventLog.indexOf(other) < run.eventLog.indexOf(event)));

interface Now {
  readonly scene: Scene;
  readonly lang: Lang;
  readonly tick: number;
  /** The last tick of a caption that begins now and stands no longer than it must. */
  readonly untilTick: number;
  readonly atMs: number;
  readonly stop: Parameters<typeof answered>[0] | undefined;
  readonly shown: Cue | undefined;
  readonly waiting: readonly LoggedEvent[];
}

const nextCue = ({ scene, lang, tick, untilTick, atMs, stop, shown, waiting }: Now): { readonly cue: Cue; readonly said: readonly LoggedEvent[] } => {
  const say = (caption: Caption, rankOfCue: number, said: readonly LoggedEvent[] = [], ms = readableMs): ReturnType<typeof nextCue> => ({ cue: { caption, rank: rankOfCue, calm: caption.tone === 'healthy', untilMs: atMs + ms, sinceMs: shown?.caption.lead === caption.lead ? shown.sinceMs : atMs }, said });
  if (stop && (stop.answer || waiting.length > 0)) return say(stop.answer ? answered(stop, waiting, lang) : told(waiting, scene, tick, untilTick, lang), ranks.answer, waiting, answerMs);
  const dead = deadMost(scene, tick, lang);
  // That it still sends to somebody dead is told no longer than it is so, once that could be read.
  const isOver = shown !== undefined && atMs - shown.sinceMs >= readableMs - 1e-6 && shown.caption.glyph === 'restarting' && isDown(shown.caption.tone) && !dead && standing(scene, tick, lang).lead !== shown.caption.lead;
  const free = !shown || isOver || atMs >= shown.untilMs - 1e-6;
  const gravest = Math.max(-1, ...waiting.map(rank));
  if (gravest >= 3 && (free || shown.rank < gravest)) return say(told(waiting.filter((event) => rank(event) >= 3), scene, tick, untilTick, lang), gravest, waiting);
  if (dead && (free || shown.rank < ranks.dead)) return say(dead, ranks.dead);
  // What is done to the system, and what a release came to, does not wait for a state that holds anyway.
  const cutsIn = gravest > ranks.cutsIn && shown?.rank === ranks.standing;
  if (!dead && waiting.length > 0 && (free || shown.calm || cutsIn)) return say(told(waiting, scene, tick, untilTick, lang), gravest, waiting);
  const holds = standing(scene, tick, lang);
  const same = shown && shown.caption.lead === holds.lead && shown.caption.rest === holds.rest;
  if (same && shown.rank === ranks.standing) return { cue: shown, said: [] };
  if (free || (shown.calm && holds.tone !== 'healthy')) return say(holds, ranks.standing);
  return { cue: shown, said: [] };
};

/** A caption that graver news cut short gives way to the one before it, unless that would say that all is well. Questions part the film. */
const withoutShortOnes = (cues: readonly Cue[], scene: Scene, times: readonly number[]): readonly Caption[] => {
  const starts = new Set(stopsInRun(scene.study, scene.run.variant).map(({ tick }) => tick));
  const captions = cues.map(({ caption }) => caption);
  const isSame = (a: Caption | undefined, b: Caption): boolean => a !== undefined && a.lead === b.lead && a.rest === b.rest;
  for (let from = 0, to = 0; from < captions.length; from = to) {
    let ms = 0;
    for (to = from; to < captions.length && isSame(captions[from], captions[to]) && (to === from || !starts.has(to)); to++) ms += times[to];
    const before = captions[from - 1];
    if (ms < readableMs - 1e-6 && before && !starts.has(from) && (before.tone !== 'healthy' || captions[from].tone === 'healthy')) captions.fill(before, from, to);
  }
  return captions;
};

/** What does not fit is cut: the rest first, then the lead. */
const inItsPlace = (caption: Caption): Caption => {
  const room = captionRoom - textWidth(`${caption.lead} `, captionSize, 700);
  if (textWidth(caption.rest, captionSize, 400) <= room) return caption;
  return room > 200 ? { ...caption, rest: fitted(caption.rest, captionSize, 400, room) } : { ...caption, lead: fitted(caption.lead, captionSize, 700, captionRoom), rest: '' };
};
