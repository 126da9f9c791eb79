import type { Lang, Study } from '../../src/study/types.js';
import { captionsOf, readableMs as shortest } from '../stage/captions.js';
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
  return legible(readable(merged(spoken), cards), cards);
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
const readable = (captions: Caption[], cards: ReadonlySet<number>): Caption[] => {
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

/** What is still too short is left out, and what was said before it stays; the words of a card stand as long as the card. */
const legible = (captions: readonly Caption[], cards: ReadonlySet<number>): readonly Caption[] => {
  const list: Caption[] = [];
  for (const caption of captions) {
    const last = list.at(-1);
    const short = caption.toMs - caption.fromMs < shortest - 1 && !cards.has(caption.fromMs);
    if (last && short && !cards.has(last.fromMs)) list[list.length - 1] = { ...last, toMs: caption.toMs };
    else list.push(caption);
  }
  return list;
};
