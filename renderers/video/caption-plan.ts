import type { Lang, Study } from '../../src/study/types.js';
import { captionsOf } from '../stage/captions.js';
import { headlineOf } from '../stage/cards/verdict-card.js';
import { momentOf, sceneOf } from '../stage/scene.js';
import type { Reel } from './reel.js';
import type { FilmPlan } from './film-plan.js';

type Caption = Reel['captions'][number];

/** The text of each picture's caption with its film time; equal neighbours are one. */
export const captionsOfFilm = (study: Study, variant: string, lang: Lang, plan: FilmPlan): Reel['captions'] => {
  const scene = sceneOf(study, variant);
  const texts = captionsOf(scene, lang, plan.times).map(({ lead, rest }) => `${lead} ${rest}`.trim());
  const spoken: Caption[] = [{ ...plan.title, text: study.scenario.title[lang] }];
  plan.ticks.forEach(({ fromMs, toMs }, tick) => {
    for (const stop of plan.stops.filter((candidate) => candidate.tick === tick)) spoken.push({ fromMs: stop.fromMs, toMs: stop.toMs, text: stop.stop.ask[lang] });
    if (toMs > fromMs) spoken.push({ fromMs, toMs, text: texts[tick] });
  });
  spoken.push({ ...plan.verdict, text: headlineOf(momentOf(study, variant, scene.run.ticks.count - 1, { lang, theme: 'dark' })) });
  const cards = new Set([plan.title, plan.verdict, ...plan.stops].map(({ fromMs }) => fromMs));
  return withoutBlinks(merged(spoken), cards);
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

/** What stands for less than a blink is left out, and what was said before it stays; a longer one is what the picture says, however short. The words of a card stand as long as the card. */
const withoutBlinks = (captions: readonly Caption[], cards: ReadonlySet<number>): readonly Caption[] => {
  const list: Caption[] = [];
  for (const caption of captions) {
    const last = list.at(-1);
    const isBlink = caption.toMs - caption.fromMs < blinkMs && !cards.has(caption.fromMs);
    if (last && isBlink && !cards.has(last.fromMs)) list[list.length - 1] = { ...last, toMs: caption.toMs };
    else list.push(caption);
  }
  return list;
};
const blinkMs = 250;
