import { SegmentMaker } from '../../renderers/video/segment-maker.js';
import { reelOf } from '../../renderers/video/story.js';
import type { Host } from '../host.js';
import type { Doer, FilmJob } from './job.js';

/** Films segments with one camera, which stays open between them. */
export const openFilmer = (host: Host): Doer<FilmJob> => {
  const maker = new SegmentMaker(host);
  return {
    do: ({ story, task }, ears) => maker.make(reelOf(story), task, ears),
    close: () => maker.close(),
  };
};
