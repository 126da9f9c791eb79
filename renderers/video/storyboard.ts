import type { Lang, Study } from '../../src/study/types.js';
import type { Theme } from '../look/palette.js';
import { toSvg } from '../look/svg.js';
import { questionCard } from '../stage/cards/question-card.js';
import { titleCard } from '../stage/cards/title-card.js';
import { verdictCard } from '../stage/cards/verdict-card.js';
import { frameFor, type Frame } from '../stage/frame.js';
import { sceneOf, windowsOf } from '../stage/scene.js';
import { frameSvg } from '../stage/stage.js';
import { stopsInRun } from '../stage/stops.js';
import { chaptersOf } from './chapter-plan.js';
import { captionsOfFilm } from './caption-plan.js';
import type { FilmPlan, Interval } from './film-plan.js';
import { FrameClock } from './frame-clock.js';
import { fitCards, shortestFilmMs } from './film-length.js';
import { paceIn, paceOf } from './pacing.js';
import type { Reel, Shot } from './reel.js';

export { stopsInRun } from '../stage/stops.js';

export interface FilmOptions {
  readonly variant: string;
  readonly lang: Lang;
  readonly theme: Theme;
  /** Default 30. */
  readonly fps?: number;
  /** Default 1920 × 1080; the drawing is scaled to it, and one that is higher than wide is drawn in the portrait frame. */
  readonly width?: number;
  readonly height?: number;
  /** Length of the whole film, ms; what the pacing of the scenario gives when absent. */
  readonly durationMs?: number | undefined;
}

/**
 * The film of one variant: title, ticks at their pace, stops that hold a question before their tick is shown, verdict.
 * A pure function of study and options. Throws when the study has no such variant, and for a `durationMs` under `shortestFilmMs`.
 */
export const storyboard = (study: Study, { variant, lang, theme, fps = 30, width = 1920, height = 1080, durationMs }: FilmOptions): Reel => {
  const plan = planFilm(study, variant, fps, durationMs);
  const clock = new FrameClock(fps);
  const frame = frameFor(width, height);
  const look = { lang, theme, frame };
  const shots: Shot[] = [];
  const shoot = (untilMs: number, svg: () => string): void => {
    const frames = clock.advanceTo(untilMs);
    if (frames > 0) shots.push({ frames, svg: () => sized(svg(), frame, width, height) });
  };
  shoot(plan.title.toMs, () => toSvg(titleCard(study, variant, look)));
  const windows = windowsOf(plan.ticks, [sceneOf(study, variant, frame)]);
  const firstShotOfTick: number[] = [];
  plan.ticks.forEach((tick, index) => {
    const answers = plan.stops.filter((stop) => stop.tick === index);
    for (const { stop, fromMs, toMs } of answers) {
      const number = plan.stops.findIndex((other) => other.stop === stop) + 1;
      const held = { ...stop, holdMs: toMs - fromMs } satisfies typeof stop;
      for (let passedS = 0; fromMs + passedS * 1000 < toMs - 1e-6; passedS++) shoot(Math.min(toMs, fromMs + (passedS + 1) * 1000), () => toSvg(questionCard(study, variant, { stop: held, number, of: plan.stops.length, tick: index, passedS }, look)));
    }
    firstShotOfTick.push(shots.length);
    shoot(tick.toMs, () => frameSvg(study, variant, index, { ...look, speed: tick.speed, times: plan.times, window: windows[index] }));
  });
  shoot(plan.verdict.toMs, () => toSvg(verdictCard(study, variant, look)));
  return {
    width,
    height,
    fps,
    title: study.scenario.title[lang],
    madeBy: `${study.tool.name} ${study.tool.version}`,
    lang,
    shots,
    chapters: chaptersOf(study, variant, lang, plan),
    captions: captionsOfFilm(study, variant, lang, plan),
    poster: Math.min(shots.length - 1, firstShotOfTick[posterTick(study, variant, plan)]),
  };
};

/** Lays simulated time out over film time. Throws RangeError for a `durationMs` under `shortestFilmMs`. */
export const planFilm = (study: Study, variant: string, fps: number, durationMs?: number): FilmPlan => {
  const happening = stopsInRun(study, variant);
  if (durationMs !== undefined && durationMs < shortestFilmMs) throw new RangeError(`a film lasts at least ${shortestFilmMs} ms, not ${durationMs}`);
  const cards = fitCards(happening.map(({ stop }) => stop.holdMs), durationMs);
  // Cards are whole frames where the whole film is: what is left for the ticks is too.
  const framesOf = (ms: number): number => Math.round((ms * fps) / 1000);
  const card = (ms: number): number => (durationMs === undefined ? ms : (framesOf(ms) * 1000) / fps);
  const left = durationMs === undefined ? 0 : framesOf(durationMs) - [cards.titleMs, ...cards.stopMs, cards.verdictMs].reduce((sum, ms) => sum + framesOf(ms), 0);
  const pace = durationMs === undefined ? paceOf(study, variant, fps) : paceIn(study, variant, fps, left, happening.flatMap(({ tick }, i) => (cards.stopMs[i] > 0 ? [tick] : [])));
  let at = 0;
  const take = (ms: number): Interval => ({ fromMs: at, toMs: (at += ms) });
  const title = take(card(cards.titleMs));
  const ticks: FilmPlan['ticks'][number][] = [];
  const stops: FilmPlan['stops'][number][] = [];
  pace.forEach(({ filmMs, speed, isHeld }, tick) => {
    happening.forEach((stop, i) => {
      if (stop.tick === tick && cards.stopMs[i] > 0) stops.push({ ...stop, ...take(card(cards.stopMs[i])) });
    });
    ticks.push({ ...take(filmMs), speed, isHeld });
  });
  return { title, ticks, times: pace.map(({ speed }) => Math.max(1, study.scenario.tickMs / speed)), stops, verdict: take(card(cards.verdictMs)) };
};

/** The tick that tells most and is shown: the first kill, else the first ejection, else another event, else the middle. */
const posterTick = (study: Study, variant: string, { ticks }: FilmPlan): number => {
  const { run, tickMs } = sceneOf(study, variant);
  const isShown = (tick: number): boolean => ticks[tick].toMs > ticks[tick].fromMs;
  for (const kinds of [['oom', 'crashed'], ['ejected', 'breaker-open'], ['fault', 'saturated']])
    for (const event of run.eventLog) {
      const tick = Math.min(run.ticks.count - 1, Math.floor(event.tMs / tickMs + 1e-9));
      if (kinds.includes(event.kind) && isShown(tick)) return tick;
    }
  return Math.floor(run.ticks.count / 2);
};

/** A drawing shown at another size keeps its own coordinates. */
export const sized = (svg: string, frame: Frame, width: number, height: number): string =>
  width === frame.width && height === frame.height ? svg : svg.replace(`width="${frame.width}" height="${frame.height}"`, `width="${width}" height="${height}"`);
