import type { Study } from '../../src/study/types.js';
import type { Compared } from '../stage/compare/compare-scene.js';
import { compareStoryboard, type CompareFilmOptions } from './compare-storyboard.js';
import type { Reel } from './reel.js';
import { storyboard, type FilmOptions } from './storyboard.js';

/** What a film tells, as plain data that another thread can be sent; the reel is made of it wherever pictures are made. */
export type Story =
  | { readonly kind: 'variant'; readonly study: Study; readonly options: FilmOptions }
  | { readonly kind: 'compare'; readonly compared: Compared; readonly options: CompareFilmOptions };

const reels = new WeakMap<Story, Reel>();

/** The same story is planned once. */
export const reelOf = (story: Story): Reel => {
  let reel = reels.get(story);
  if (!reel) reels.set(story, (reel = story.kind === 'variant' ? storyboard(story.study, story.options) : compareStoryboard(story.compared, story.options)));
  return reel;
};
