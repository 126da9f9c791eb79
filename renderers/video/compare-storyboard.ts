import { beganAtMs } from '../../src/study/events.js';
import type { EventKind, Lang } from '../../src/study/types.js';
import { compareWords } from '../../src/text/compare.js';
import { eventSentence } from '../../src/text/events.js';
import { clock } from '../look/numbers.js';
import type { Theme } from '../look/palette.js';
import { toSvg } from '../look/svg.js';
import type { Caption } from '../stage/caption.js';
import { captionsOf, readableMs } from '../stage/captions.js';
import { closingSentence } from '../stage/compare/closing.js';
import { compareClosingCard } from '../stage/compare/closing-card.js';
import { compareSvg } from '../stage/compare/compare-frame.js';
import { compareSceneOf, type Compared, type CompareScene } from '../stage/compare/compare-scene.js';
import { titleOf } from '../stage/compare/header.js';
import { commonCaption } from '../stage/compare/side-captions.js';
import { compareTitleCard } from '../stage/compare/title-card.js';
import { eventFormats } from '../stage/event-formats.js';
import { landscape } from '../stage/frame.js';
import { flowOf, windowsOf } from '../stage/scene.js';
import { cardsIn, commonPace } from './compare-pace.js';
import type { Interval } from './film-plan.js';
import { FrameClock } from './frame-clock.js';
import type { Reel, Shot } from './reel.js';
import { sized } from './storyboard.js';

export interface CompareFilmOptions {
  readonly lang: Lang;
  readonly theme: Theme;
  /** Default 30. */
  readonly fps?: number;
  /** Default 1920 × 1080; the drawing is scaled to it. */
  readonly width?: number;
  readonly height?: number;
  /** Length of the whole film; the longest pace of any side when not given. */
  readonly durationMs?: number;
}

/** The film of a comparison: what is compared, every tick of all sides on one clock, what it comes to. A pure function of its arguments. */
export const compareStoryboard = (compared: Compared, { lang, theme, fps = 30, width = 1920, height = 1080, durationMs }: CompareFilmOptions): Reel => {
  const scene = compareSceneOf(compared);
  const plan = planOf(scene, fps, durationMs);
  const times = plan.ticks.map(({ speed }) => Math.max(1, scene.comparison.tickMs / speed));
  const frames = new FrameClock(fps);
  const shots: Shot[] = [];
  const shoot = (untilMs: number, svg: () => string): void => {
    const count = frames.advanceTo(untilMs);
    if (count > 0) shots.push({ frames: count, svg: () => sized(svg(), landscape, width, height) });
  };
  shoot(plan.title.toMs, () => toSvg(compareTitleCard(compared, { lang, theme })));
  const poster = posterTick(scene);
  let posterShot = 0;
  const windows = windowsOf(plan.ticks, scene.scenes);
  plan.ticks.forEach(({ toMs, speed }, tick) => {
    shoot(toMs, () => compareSvg(compared, tick, { lang, theme, speed, times, windows }));
    if (tick === poster) posterShot = Math.max(0, shots.length - 1);
  });
  shoot(plan.closing.toMs, () => toSvg(compareClosingCard(compared, { lang, theme })));
  const [{ study }] = compared.sides;
  return {
    width,
    height,
    fps,
    title: titleText(compared, lang),
    madeBy: `${study.tool.name} ${study.tool.version}`,
    lang,
    shots,
    chapters: chaptersOf(scene, lang, plan),
    captions: captionsOfFilm(compared, scene, lang, plan, times),
    poster: posterShot,
  };
};

interface Plan {
  readonly title: Interval;
  readonly ticks: readonly (Interval & { readonly speed: number; readonly isHeld: boolean })[];
  readonly closing: Interval;
}

const planOf = (scene: CompareScene, fps: number, durationMs: number | undefined): Plan => {
  let at = 0;
  const take = (ms: number): Interval => ({ fromMs: at, toMs: (at += ms) });
  // Cards are whole frames where the whole film is.
  const framesOf = (ms: number): number => Math.round((ms * fps) / 1000);
  const cards = cardsIn(durationMs);
  const left = durationMs === undefined ? undefined : framesOf(durationMs) - framesOf(cards.titleMs) - framesOf(cards.closingMs);
  const title = take((framesOf(cards.titleMs) * 1000) / fps);
  const ticks = commonPace(scene, fps, left).map(({ filmMs, ...pace }) => ({ ...take(filmMs), ...pace }));
  return { title, ticks, closing: take((framesOf(cards.closingMs) * 1000) / fps) };
};

const titleText = (compared: Compared, lang: Lang): string => {
  const words = compareWords[lang];
  const { comparison } = compared;
  return comparison.relation === 'variants' ? `${comparison.sides[0].title[lang]}: ${words.against(comparison.sides.map(({ name }) => name))}` : titleOf({ scene: compareSceneOf(compared), lang, words });
};

/** Where the sides are furthest apart in good requests, seen over ten ticks. */
const posterTick = ({ scenes, count }: CompareScene): number => {
  let best = Math.floor(count / 2);
  let most = 0;
  for (let tick = 9; tick < count; tick++) {
    const good = scenes.map(({ run }) => (tick < run.ticks.count ? flowOf(run, tick - 9, tick).good : 0));
    const apart = Math.max(...good) - Math.min(...good);
    if (apart > most) [best, most] = [tick, apart];
  }
  return best;
};

/** Shortest chapter, ms of film. */
const shortestChapter = 3_000;
const chapterWeights: Partial<Record<EventKind, number>> = { oom: 5, crashed: 5, fault: 5, ejected: 4, 'breaker-open': 4, 'rolled-back': 4, 'scale-out': 2, saturated: 2 };

/** At the start, at phases of the first side, at the first of each major kind of event of any side, and at the end. */
const chaptersOf = (scene: CompareScene, lang: Lang, plan: Plan): Reel['chapters'] => {
  const words = compareWords[lang];
  const filmAt = (ms: number): number => plan.ticks[Math.min(plan.ticks.length - 1, Math.max(0, Math.floor(ms / scene.comparison.tickMs + 1e-9)))].fromMs;
  const events = scene.scenes.flatMap((own, side) => {
    const seen = new Set<EventKind>();
    return own.run.eventLog.flatMap((event) => {
      const weight = chapterWeights[event.kind];
      if (weight === undefined || seen.has(event.kind)) return [];
      seen.add(event.kind);
      return [{ fromMs: filmAt(beganAtMs(event)), title: `${clock(beganAtMs(event))} ${scene.sides[side].letter}: ${eventSentence(event, lang, eventFormats(own, lang)).lead.replace(/\.$/, '')}`, weight }];
    });
  });
  const phases = scene.scenes[0].phases.map(({ name, fromMs }) => ({ fromMs: filmAt(fromMs), title: `${clock(fromMs)} ${name}`, weight: 3 }));
  const kept = [{ fromMs: 0, title: words.start, weight: Infinity }, { fromMs: plan.closing.fromMs, title: words.result, weight: Infinity }];
  for (const candidate of [...events, ...phases].toSorted((a, b) => b.weight - a.weight || a.fromMs - b.fromMs)) if (kept.every((other) => Math.abs(other.fromMs - candidate.fromMs) >= shortestChapter)) kept.push(candidate);
  const sorted = kept.toSorted((a, b) => a.fromMs - b.fromMs);
  return sorted.map(({ fromMs, title }, i) => ({ fromMs, toMs: sorted[i + 1]?.fromMs ?? plan.closing.toMs, title }));
};

/** Of several sides there is room for what each leads with; one that ends in a colon says nothing alone. */
const spoken = ({ lead, rest }: Caption): string => (lead.endsWith(':') ? `${lead} ${rest}` : lead);

/** What the captions of all sides say, one line a side; what is too short to be read keeps what was said before it. */
const captionsOfFilm = (compared: Compared, scene: CompareScene, lang: Lang, plan: Plan, times: readonly number[]): Reel['captions'] => {
  const words = compareWords[lang];
  const bySide = scene.scenes.map((own) => captionsOf(own, lang, times));
  const list: { fromMs: number; toMs: number; text: string }[] = [{ ...plan.title, text: titleText(compared, lang) }];
  plan.ticks.forEach(({ fromMs, toMs }, tick) => {
    const captions = bySide.map((own) => own[tick] ?? null);
    const common = commonCaption(captions);
    const leads = captions.flatMap((caption, side) => (caption ? [{ letter: scene.sides[side].letter, text: spoken(caption) }] : []));
    const isAlike = leads.length === captions.length && leads.every(({ text: other }) => other === leads[0].text);
    const text = common ? `${words.same(captions.length)} ${common.lead} ${common.rest}`.trim() : isAlike ? `${words.same(captions.length)} ${leads[0].text}` : leads.map(({ letter, text: own }) => `${letter}: ${own}`).join('\n');
    const last = list.at(-1)!;
    const isFirst = list.length === 1;
    if (!isFirst && (text === last.text || last.toMs - last.fromMs < readableMs)) list[list.length - 1] = { ...last, toMs };
    else list.push({ fromMs, toMs, text });
  });
  return [...list, { ...plan.closing, text: closingSentence(compared.comparison, lang) }];
};
