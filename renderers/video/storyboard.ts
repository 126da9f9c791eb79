import type { Lang, Study } from '../../src/study/types.js';
import type { Theme } from '../look/palette.js';
import { toSvg } from '../look/svg.js';
import { questionCard } from '../stage/cards/question-card.js';
import { titleCard } from '../stage/cards/title-card.js';
import { verdictCard } from '../stage/cards/verdict-card.js';
import { sceneOf } from '../stage/scene.js';
import { frameSvg } from '../stage/stage.js';
import { stopsInRun, type Stop } from '../stage/stops.js';
import { chaptersOf } from './chapter-plan.js';
import { captionsOfFilm } from './caption-plan.js';
import type { FilmPlan, Interval } from './film-plan.js';
import { FrameClock } from './frame-clock.js';
import { paceOf } from './pacing.js';
import type { Reel, Shot } from './reel.js';

export { stopsInRun } from '../stage/stops.js';

export interface FilmOptions {
  readonly variant: string;
  readonly lang: Lang;
  readonly theme: Theme;
  /** Default 30. */
  readonly fps?: number;
  /** Default 1920 × 1080; the drawing is scaled to it. */
  readonly width?: number;
  readonly height?: number;
}

const titleMs = 4_000;
const verdictMs = 8_000;

/**
 * The film of one variant: title, every tick at its pace, stops that hold a question before their tick is shown, verdict.
 * A pure function of study and options. Throws when the study has no such variant.
 */
export const storyboard = (study: Study, { variant, lang, theme, fps = 30, width = 1920, height = 1080 }: FilmOptions): Reel => {
  const plan = planFilm(study, variant, fps);
  const clock = new FrameClock(fps);
  const look = { lang, theme };
  const shots: Shot[] = [];
  const shoot = (untilMs: number, svg: () => string): void => {
    const frames = clock.advanceTo(untilMs);
    if (frames > 0) shots.push({ frames, svg: () => sized(svg(), width, height) });
  };
  shoot(plan.title.toMs, () => toSvg(titleCard(study, variant, look)));
  const firstShotOfTick: number[] = [];
  plan.ticks.forEach((tick, index) => {
    const answers = plan.stops.filter((stop) => stop.tick === index);
    for (const { stop, fromMs, toMs } of answers) {
      const number = plan.stops.findIndex((other) => other.stop === stop) + 1;
      for (let passedS = 0; fromMs + passedS * 1000 < toMs; passedS++) shoot(Math.min(toMs, fromMs + (passedS + 1) * 1000), () => toSvg(questionCard(study, variant, { stop, number, of: plan.stops.length, tick: index, passedS }, look)));
    }
    firstShotOfTick.push(shots.length);
    shoot(tick.toMs, () => frameSvg(study, variant, index, { ...look, speed: tick.speed }));
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
    poster: firstShotOfTick[posterTick(study, variant)],
  };
};

/** Lays simulated time out over film time. */
export const planFilm = (study: Study, variant: string, fps: number): FilmPlan => {
  const happening = stopsInRun(study, variant);
  let at = titleMs;
  const take = (ms: number): Interval => ({ fromMs: at, toMs: (at += ms) });
  const ticks: (Interval & { speed: number })[] = [];
  const stops: (Interval & { stop: Stop; tick: number })[] = [];
  paceOf(study, variant, fps).forEach(({ filmMs, speed }, tick) => {
    for (const stop of happening.filter((candidate) => candidate.tick === tick)) stops.push({ ...stop, ...take(stop.stop.holdMs) });
    ticks.push({ ...take(filmMs), speed });
  });
  return { title: { fromMs: 0, toMs: titleMs }, ticks, stops, verdict: take(verdictMs) };
};

/** The tick that tells most: the first kill, else the first ejection, else the one with the most bad ends, else the middle. */
const posterTick = (study: Study, variant: string): number => {
  const { run, tickMs } = sceneOf(study, variant);
  for (const kinds of [['oom', 'crashed'], ['ejected', 'breaker-open'], ['fault', 'saturated']]) {
    const event = run.eventLog.find(({ kind }) => kinds.includes(kind));
    if (event) return Math.min(run.ticks.count - 1, Math.floor(event.tMs / tickMs + 1e-9));
  }
  return Math.floor(run.ticks.count / 2);
};

/** A drawing of 1920 × 1080 shown at another size keeps its own coordinates. */
const sized = (svg: string, width: number, height: number): string => (width === 1920 && height === 1080 ? svg : svg.replace(/^<svg ([^>]*?)width="1920" height="1080"/, `<svg $1width="${width}" height="${height}"`));
