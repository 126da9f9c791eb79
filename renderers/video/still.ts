import type { Study } from '../../src/study/types.js';
import { toSvg } from '../look/svg.js';
import { questionCard } from '../stage/cards/question-card.js';
import { titleCard } from '../stage/cards/title-card.js';
import { verdictCard } from '../stage/cards/verdict-card.js';
import { frameFor } from '../stage/frame.js';
import { frameSvg } from '../stage/stage.js';
import { stopsInRun } from '../stage/stops.js';
import { sized, type FilmOptions } from './storyboard.js';

/** A picture of the film; questions are counted from 1. */
export type StillMoment = { readonly tick: number } | { readonly card: 'title' | 'verdict' } | { readonly question: number };

/** One picture as SVG, at real time. Throws RangeError for a question that the film does not have. */
export const stillSvg = (study: Study, { variant, lang, theme, width = 1920, height = 1080 }: FilmOptions, moment: StillMoment): string => {
  const frame = frameFor(width, height);
  const look = { lang, theme, frame };
  const drawn = (): string => {
    if ('tick' in moment) return frameSvg(study, variant, moment.tick, look);
    if ('card' in moment) return toSvg((moment.card === 'title' ? titleCard : verdictCard)(study, variant, look));
    const stops = stopsInRun(study, variant);
    const asked = stops[moment.question - 1];
    if (!asked) throw new RangeError(`the film has ${stops.length} questions, not ${moment.question}`);
    return toSvg(questionCard(study, variant, { ...asked, number: moment.question, of: stops.length, passedS: 0 }, look));
  };
  return sized(drawn(), frame, width, height);
};
