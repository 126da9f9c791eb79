import type { Lang, Study } from '../../src/study/types.js';
import { captionsOf } from '../stage/captions.js';
import { headlineOf } from '../stage/cards/verdict-card.js';
import { momentOf, sceneOf } from '../stage/scene.js';
import type { Reel } from './reel.js';
import type { FilmPlan } from './film-plan.js';

/** Shortest caption that can be read, ms of film. */
const shortest = 2_500;

type Caption = Reel['captions'][number];

/** The text of each picture's caption with its film time; equal neighbours are one. */
export const captionsOfFilm = (study: Study, variant: string, lang: Lang, plan: FilmPlan): Reel['captions'] => {
  const scene = sceneOf(study, variant);
  const texts = captionsOf(scene, lang).map(({ lead, rest }) => `${lead} ${rest}`.trim());
  const spoken: Caption[] = [{ ...plan.title, text: study.scenario.title[lang] }];
  plan.ticks.forEach(({ fromMs, toMs }, tick) => {
    for (const stop of plan.stops.filter((candidate) => candidate.tick === tick)) spoken.push({ fromMs: stop.fromMs, toMs: stop.toMs, text: stop.stop.ask[lang] });
    spoken.push({ fromMs, toMs, text: texts[tick] });
  });
  spoken.push({ ...plan.verdict, text: headlineOf(momentOf(study, variant, scene.run.ticks.count - 1, { lang, theme: 'dark' })) });
  return readable(merged(spoken), new Set([plan.verdict, ...plan.stops].map(({ fromMs }) => fromMs)));
};

const merged = (captions: readonly Caption[]): Caption[] => {
  const list: Caption[] = [];
  for (const caption of captions) {
    const last = list.at(-1);
    if (last && last.text === caption.text) list[list.length - 1] = { ...last, toMs: caption.toMs };
    else list.push(caption);
  }
  return list;
};

/** A caption that is too short to read borrows from the next one, as far as that stays readable; never from a card, whose words must come with it. */
const readable = (captions: Caption[], cards: ReadonlySet<number>): readonly Caption[] => {
  for (let i = 0; i + 1 < captions.length; i++) {
    const [caption, next] = [captions[i], captions[i + 1]];
    const short = shortest - (caption.toMs - caption.fromMs);
    const spare = next.toMs - next.fromMs - shortest;
    if (short <= 0 || spare <= 0 || cards.has(next.fromMs)) continue;
    const toMs = caption.toMs + Math.min(short, spare);
    captions[i] = { ...caption, toMs };
    captions[i + 1] = { ...next, fromMs: toMs };
  }
  return captions;
};
