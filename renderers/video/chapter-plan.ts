import { beganAtMs, splitSubject } from '../../src/study/events.js';
import type { EventKind, Lang, LoggedEvent, Study } from '../../src/study/types.js';
import { cardWords } from '../../src/text/cards.js';
import { eventSentence, joinedLead } from '../../src/text/events.js';
import { clock } from '../look/numbers.js';
import { callerOf } from '../stage/caption-events.js';
import { eventFormats } from '../stage/event-formats.js';
import { sceneOf, type Scene } from '../stage/scene.js';
import type { Reel } from './reel.js';
import type { FilmPlan } from './film-plan.js';

/** Shortest chapter, ms of film. */
const shortest = 3_000;

/** Chapters at the start, at phases, at the first of each major kind of event and every kill, and at the verdict; the weightier wins where two are close. */
export const chaptersOf = (study: Study, variant: string, lang: Lang, plan: FilmPlan): Reel['chapters'] => {
  const words = cardWords[lang];
  const fixed = [
    { fromMs: 0, title: words.start, weight: Infinity },
    { fromMs: plan.verdict.fromMs, title: words.verdict, weight: Infinity },
  ];
  const kept = [...fixed];
  for (const candidate of candidates(study, variant, lang, plan).toSorted((a, b) => b.weight - a.weight || a.fromMs - b.fromMs))
    if (kept.every((other) => Math.abs(other.fromMs - candidate.fromMs) >= shortest)) kept.push(candidate);
  const sorted = kept.toSorted((a, b) => a.fromMs - b.fromMs);
  return sorted.map(({ fromMs, title }, i) => ({ fromMs, toMs: sorted[i + 1]?.fromMs ?? plan.verdict.toMs, title }));
};

const weights: Partial<Record<EventKind, number>> = { oom: 5, crashed: 5, fault: 5, ejected: 4, 'breaker-open': 4, 'rolled-back': 4, 'scale-out': 2, booted: 2, saturated: 2, 'scale-in': 1, deployed: 1 };
const everyTime: readonly EventKind[] = ['oom', 'crashed', 'fault'];

const candidates = (study: Study, variant: string, lang: Lang, plan: FilmPlan) => {
  const scene = sceneOf(study, variant);
  const { run, tickMs } = scene;
  const filmAt = (ms: number): number => {
    const tick = Math.min(plan.ticks.length - 1, Math.max(0, Math.floor(ms / tickMs + 1e-9)));
    // A chapter of an event begins with the question about it.
    return plan.stops.find((stop) => stop.tick === tick)?.fromMs ?? plan.ticks[tick].fromMs;
  };
  const seen = new Set<EventKind>();
  const events = run.eventLog.flatMap((event) => {
    const weight = weights[event.kind];
    if (weight === undefined || (seen.has(event.kind) && !everyTime.includes(event.kind))) return [];
    seen.add(event.kind);
    return [{ fromMs: filmAt(beganAtMs(event)), title: `${clock(beganAtMs(event))} ${titleOf(event, scene, lang)}`, weight }];
  });
  const phases = scene.phases.map((phase) => ({ fromMs: filmAt(phase.fromMs), title: `${clock(phase.fromMs)} ${phase.name}`, weight: 3 }));
  return [...events, ...phases];
};

/** What happened, to all that it happened to in that tick. */
const titleOf = (event: LoggedEvent, scene: Scene, lang: Lang): string => {
  const formats = eventFormats(scene, lang);
  const tick = Math.floor(event.tMs / scene.tickMs + 1e-9);
  const { service } = splitSubject(event.subject);
  const names = [...new Set(scene.eventsIn(tick).filter((other) => other.kind === event.kind && splitSubject(other.subject).service === service).map((other) => formats.subject(other.subject)))];
  const joined = names.length > 1 ? joinedLead(event, names, callerOf(event), lang) : null;
  return (joined ?? eventSentence(event, lang, formats).lead).replace(/\.$/, '');
};
