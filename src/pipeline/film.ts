import { captureCount } from '../../renderers/browser/capture.js';
import { film, namedBrowsers, type FilmResult } from '../../renderers/video/film.js';
import type { FilmMachine } from '../../renderers/video/film-machine.js';
import { reelOf, type Story } from '../../renderers/video/story.js';
import type { Host } from '../host.js';
import { openExecutor } from './executor.js';
import type { FilmJob } from './job.js';
import type { Look } from './look.js';
import type { Progress } from './progress.js';
import type { Surroundings } from './surroundings.js';

export interface FilmStoryOptions extends Pick<Look, 'jobs' | 'camera'> {
  /** What was found for the film; looked for when null. */
  readonly machine: FilmMachine | null;
}

/** Films a story into a folder that is there, its segments in as many threads as this machine carries. */
export const filmStory = (story: Story, folder: string, { jobs, camera, machine }: FilmStoryOptions, { host, progress, signal, openExecutor: open = openExecutor }: Omit<Surroundings, 'progress'> & { readonly progress: Pick<Progress, 'step' | 'detail' | 'notice'> }): Promise<FilmResult> => {
  const atOnce = segmentsAtOnce(host, jobs);
  const executor = open({ host, signal, threads: atOnce });
  return film(reelOf(story), {
    ...{ host, folder, signal },
    ...(jobs !== undefined && { jobs }),
    ...(camera !== undefined && { camera }),
    ...(machine && { machine }),
    crew: {
      atOnce,
      make: (tasks, ears) => executor.runJobs(tasks.map((task) => (): FilmJob => ({ kind: 'film', story, task })), ears),
      close: () => executor.close(),
    },
    onProgress: ({ done, total }) => progress.step(done, total, 'frames'),
    onDetail: (detail) => progress.detail(detail),
    onNotice: (notice) => progress.notice(notice),
  });
};

/** One segment keeps two cores at work, its browser the one and its encoder the other, and a browser wants memory; or what the user says. */
export const segmentsAtOnce = (host: Pick<Host, 'cores' | 'memoryBytes' | 'env'>, jobs?: number): number => namedBrowsers(host, jobs) ?? captureCount({ ...host, cores: Math.floor(host.cores / 2) });
