/**
 * The library: what the command line is made of. `parse` and `simulate` are pure but for a hash; `film` and `report` need Node.
 * Everything shown is made from a study; a study read back with `readStudy` gives the same film and report.
 */
import { realHost, type Host } from './host.js';
import { defaultLook, firstVariant, type Look } from './pipeline/look.js';
import { filmOf, reportOf, type Filmed } from './pipeline/produce.js';
import type { OpenExecutor } from './pipeline/executor.js';
import { planSweeps, type SweepSetting } from './pipeline/load.js';
import { silent } from './pipeline/progress.js';
import { makeStudy, simulateScenario, type SimulateOptions, type StudyOptions } from './pipeline/simulate.js';
import type { Scenario } from './scenario/model.js';
import type { Study } from './study/types.js';

export { FaultreelError, exitCodes, describeError } from './errors.js';
export { realHost, type Host } from './host.js';
export type { Executor, ExecutorOptions, JobEars, OpenExecutor } from './pipeline/executor.js';
export { Hands, type Job, type ResultOf } from './pipeline/job.js';
export { parseScenario as parse, jsonSchema } from './scenario/index.js';
export type { Scenario, System } from './scenario/model.js';
export { readStudy } from './study/read.js';
export { studySchema } from './study/schema.js';
export { writeStudy } from './study/write.js';
export type * from './study/types.js';

/** Simulates every variant of a scenario and judges the runs. */
export const simulate = (scenario: Scenario, options: SimulateOptions = {}): Study => simulateScenario(scenario, options);

export interface LibraryStudyOptions extends Omit<StudyOptions, 'sweeps'> {
  /** Values to move over a range, the ends as a scenario writes them: `{ path: 'values.event-rate', from: '300/s', to: '900/s', points: 7 }`. */
  readonly sweeps?: readonly SweepSetting[];
  readonly host?: Host;
  readonly onProgress?: (doneRuns: number, totalRuns: number) => void;
  readonly signal?: AbortSignal;
  /** Who simulates; threads of this process when absent. The study is the same whoever does. */
  readonly openExecutor?: OpenExecutor;
}

/**
 * As `simulate`, in worker threads, with what is to be tried beside the runs: several seeds, both ends of every range, sweeps. The result is the same whatever the number of threads.
 * @throws FaultreelError (invalid scenario) when an end of a range is no value that the scenario can have, (usage) when an option is not as it is described
 */
export const study = async (scenario: Scenario, { host = realHost(), onProgress = () => undefined, signal = new AbortController().signal, sweeps = [], openExecutor, ...options }: LibraryStudyOptions = {}): Promise<Study> =>
  makeStudy(scenario, { ...options, sweeps: planSweeps(scenario, sweeps, { set: options.set ?? [], variant: options.variant }) }, { host, signal, progress: { ...silent, step: onProgress }, ...(openExecutor && { openExecutor }) });

export interface LibraryFilmOptions extends Partial<Look> {
  /** Where video.mp4, video.vtt and poster.png go; it is made when it is not there. */
  readonly folder: string;
  readonly host?: Host;
  readonly onProgress?: (doneFrames: number, totalFrames: number) => void;
  readonly signal?: AbortSignal;
  /** Who films the segments; this thread or threads of this process when absent. */
  readonly openExecutor?: OpenExecutor;
}

/**
 * Films one variant of a study and checks the film.
 * @throws FaultreelError (environment) without browser or encoder, (rendering) when the film is not what was asked for
 */
export const film = async (study: Study, { folder, host = realHost(), onProgress = () => undefined, signal = new AbortController().signal, openExecutor, ...look }: LibraryFilmOptions): Promise<Filmed> => {
  await host.makeFolder(folder);
  return filmOf(study, folder, { variant: firstVariant(study), ...defaultLook, ...look, machine: null }, { host, signal, ...(openExecutor && { openExecutor }), progress: { step: onProgress, detail: () => undefined, notice: (text) => host.stderr.write(`${text}\n`) } });
};

/** The report on a study, as the bytes of a PDF; the same study gives the same bytes. */
export const report = (study: Study, { lang = defaultLook.lang, variant = firstVariant(study), paper = defaultLook.paper }: Pick<Partial<Look>, 'lang' | 'variant' | 'paper'> = {}): Promise<Uint8Array> => reportOf(study, { lang, variant, paper });
