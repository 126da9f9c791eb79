import path from 'node:path';
import { byScreenshot, isUnfit, noCanvas, type Camera } from '../browser/camera.js';
import { captureCount } from '../browser/capture.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { webVtt } from './captions.js';
import { findFilmMachine, type FilmMachine } from './film-machine.js';
import { progressOf, rising, type FilmProgress } from './film-progress.js';
import { joinParts } from './join.js';
import { metadataFile } from './metadata.js';
import { checkFilm, probeFilm } from './probe.js';
import { frameCount, type Reel } from './reel.js';
import { stretchesOf, type Segment, type SegmentTask, type Stretch } from './segment.js';
import { SegmentMaker } from './segment-maker.js';
import { subtitleTrack } from './subtitle-track.js';

export interface FilmOptions {
  readonly host: Host;
  /** Where the film goes; it exists. */
  readonly folder: string;
  /** What was found before, so that a missing program is told before anything is simulated. */
  readonly machine?: FilmMachine;
  /** Most browsers side by side; FAULTREEL_BROWSERS, else what memory and cores allow, when absent. */
  readonly jobs?: number;
  /** Only this camera; the fastest that shows the right picture when absent. */
  readonly camera?: Camera['name'];
  /** Time in ms for one picture before its browser counts as stuck. */
  readonly pictureMs?: number;
  /** Who makes the segments; this thread, one after the other, when absent. It is closed when they are made, or when the film fails. */
  readonly crew?: FilmCrew;
  readonly onProgress?: (progress: FilmProgress) => void;
  /** Which camera films, in which browser. */
  readonly onDetail?: (detail: string) => void;
  readonly onNotice?: (notice: string) => void;
  readonly signal?: AbortSignal;
}

/** Makes segments of one reel; their bytes are the same whoever makes them. */
export interface FilmCrew {
  /** Most segments at the same time. */
  readonly atOnce: number;
  /** Resolves when all are made; rejects when one cannot be made and none is being made any more. */
  make(tasks: readonly SegmentTask[], ears: { readonly onProgress: (shares: readonly number[]) => void; readonly onNotice: (text: string) => void }): Promise<readonly Segment[]>;
  /** Leaves nothing running. */
  close(): Promise<void>;
}

/** Files by name in the folder, and how they were made. */
export interface FilmResult {
  readonly files: typeof filmFiles;
  readonly frames: number;
  /** Pictures drawn; the rest are repetitions. */
  readonly pictures: number;
  /** How many encoders made it. */
  readonly segments: number;
  readonly capture: UsedCapture;
  readonly machine: FilmMachine;
}

/** What drew the pictures. */
export interface UsedCapture {
  readonly camera: Camera['name'];
  readonly browsers: number;
  /** Version of Chromium. */
  readonly chromium: string;
}

export const filmFiles = { video: 'video.mp4', captions: 'video.vtt', poster: 'poster.png' } as const;
/** Gone when the film is whole. */
const passingFiles = { metadata: 'video.ffmetadata', track: 'video.captions.mp4', list: 'video.parts.txt' } as const;

/** The environment variable that sets how many browsers draw side by side. */
export const browsersVariable = 'FAULTREEL_BROWSERS';

/** How many browsers the user wants at the same time; undefined when nobody said. */
export const namedBrowsers = ({ env }: Pick<Host, 'env'>, jobs?: number): number | undefined => {
  const named = Number.parseInt(env[browsersVariable] ?? '', 10);
  return jobs ?? (named > 0 ? named : undefined);
};

/**
 * Films a reel: pictures, encoders, then what came out is read back and held against the reel. A long film is made in segments, which are joined as they are.
 * A camera that turns out not to show what it should is replaced by screenshots, and the film begins again: one film, one camera.
 * On failure nothing runs on and no half-written file is left.
 *
 * @throws FaultreelError with exit code 5 (machine), 6 (rendering), 7 (stuck), 130 (aborted).
 */
export const film = async (reel: Reel, options: FilmOptions): Promise<FilmResult> => {
  const { host, signal = new AbortController().signal } = options;
  const onNotice = sayOnce(options.onNotice ?? (() => undefined));
  const progress = rising(options.onProgress ?? (() => undefined));
  const crew = options.crew ?? alone(reel, host, signal);
  try {
    const machine = options.machine ?? (await findFilmMachine(host, { onNotice, signal }));
    const attempt: Attempt = { ...options, folder: path.resolve(host.cwd, options.folder), machine, signal, crew, onNotice, onProgress: progress.say };
    return await filmWith(options.camera ?? 'canvas', reel, attempt).catch((error: unknown) => {
      if (!isUnfit(error) || signal.aborted) throw error;
      const hasBegun = progress.highest() > 0;
      const reason = `The canvas camera does not serve here: ${error.message.replace(/\.$/, '')}.`;
      if (options.camera) throw hasBegun ? new FaultreelError(exitCodes.rendering, { message: reason, hint: 'It was asked for; screenshots would serve.' }, { cause: error }) : noCanvas(error);
      onNotice(hasBegun ? `${reason} The film begins again, with screenshots.` : byScreenshot(error));
      return filmWith('screenshot', reel, attempt);
    });
  } catch (error) {
    throw signal.aborted ? new FaultreelError(exitCodes.interrupted, { message: 'Interrupted; the film was not made.' }, { cause: error }) : error;
  } finally {
    // A film that is whole has closed it before; why another one failed must not be hidden by this.
    await crew.close().catch(() => undefined);
  }
};

/** In this thread, one after the other. */
const alone = (reel: Reel, host: Host, signal: AbortSignal): FilmCrew => {
  const maker = new SegmentMaker(host);
  return {
    atOnce: 1,
    async make(tasks, { onProgress, onNotice }) {
      const shares = tasks.map(() => 0);
      const made: Segment[] = [];
      for (const [index, task] of tasks.entries()) {
        const tell = (share: number): void => {
          shares[index] = share;
          onProgress(shares);
        };
        made.push(await maker.make(reel, task, { signal, onNotice, onProgress: tell }));
      }
      return made;
    },
    close: () => maker.close(),
  };
};

type Attempt = FilmOptions & Required<Pick<FilmOptions, 'machine' | 'crew' | 'signal' | 'onNotice' | 'onProgress'>>;

const filmWith = async (name: Camera['name'], reel: Reel, attempt: Attempt): Promise<FilmResult> => {
  const { host, folder, machine, signal, crew, onNotice } = attempt;
  const inFolder = (file: string): string => path.join(folder, file);
  const stretches = stretchesOf(reel);
  const partOf = (nth: number): string => inFolder(`video.part-${nth + 1}.mp4`);
  const atOnce = Math.min(crew.atOnce, stretches.length);
  const browsersEach = name === 'canvas' ? 1 : Math.max(1, Math.floor(Math.min(namedBrowsers(host, attempt.jobs) ?? captureCount(host), reel.shots.length) / atOnce));
  const capture: UsedCapture = { camera: name, browsers: browsersEach * atOnce, chromium: machine.browser.version };
  const passing = [...Object.values(passingFiles).map(inFolder), ...stretches.map((_, nth) => partOf(nth))];
  const captions = reel.captions.length > 0 ? inFolder(passingFiles.track) : null;
  try {
    await host.write(inFolder(passingFiles.metadata), metadataFile(reel, commentOf(reel, capture, machine)));
    if (captions) await host.write(captions, subtitleTrack({ ...reel, durationMs: (frameCount(reel) * 1000) / reel.fps }));
    const common = { machine, camera: name, browsers: browsersEach, pictureMs: attempt.pictureMs };
    const whole = { name: 'the film', output: inFolder(filmFiles.video), metadata: inFolder(passingFiles.metadata), ...(captions && { captions }) };
    const tasks = stretches.map((stretch, nth): SegmentTask => ({
      ...{ ...stretch, ...common, ...(stretches.length === 1 ? whole : { name: `part ${nth + 1} of ${stretches.length} of the film`, output: partOf(nth) }) },
      ...(holdsPoster(stretch, reel) && { poster: inFolder(filmFiles.poster) }),
    }));
    const segments = await crew.make(tasks, { onNotice, onProgress: progressOf(reel, stretches, attempt, () => attempt.onDetail?.(detailOf(capture))) });
    await crew.close();
    if (tasks.length > 1) {
      const parts = tasks.map(({ output, frames }) => ({ file: output, frames }));
      await joinParts({ host, program: machine.tools.ffmpeg, fps: reel.fps, parts, list: inFolder(passingFiles.list), metadata: whole.metadata, captions: captions === null ? null : { file: captions, lang: reel.lang }, output: whole.output, signal });
    }
    await host.write(inFolder(filmFiles.captions), webVtt(reel));
    checkFilm(await probeFilm(machine.tools.ffprobe, whole.output, signal), reel);
    for (const file of passing) await host.remove(file);
    return { files: filmFiles, frames: frameCount(reel), pictures: segments.reduce((sum, { pictures }) => sum + pictures, 0), segments: segments.length, capture, machine };
  } catch (error) {
    // Why the film failed must not be hidden by what cannot be removed either.
    for (const file of [...passing, ...Object.values(filmFiles).map(inFolder)]) await host.remove(file).catch(() => undefined);
    if (!signal.aborted && !(await host.isFolder(folder))) throw new FaultreelError(exitCodes.environment, { message: `${folder} is gone: somebody removed it while the film was made in it`, hint: 'Run again' }, { cause: error });
    throw error;
  }
};

const holdsPoster = ({ from, to }: Stretch, { poster }: Reel): boolean => poster >= from && poster < to;

const detailOf = ({ camera, chromium, browsers }: UsedCapture): string => `Filming with ${camera} capture, Chromium ${chromium}, ${browsers} browser${browsers === 1 ? '' : 's'}.`;

/** Only what repeats: the number of browsers changes no byte of the film. */
const commentOf = ({ madeBy = 'faultreel' }: Reel, { camera, chromium }: UsedCapture, { tools }: FilmMachine): string => `${madeBy}, ${camera} capture, Chromium ${chromium}, ffmpeg ${tools.ffmpeg.version}`;

const sayOnce = (say: (notice: string) => void): ((notice: string) => void) => {
  const said = new Set<string>();
  return (notice) => {
    if (said.has(notice)) return;
    said.add(notice);
    say(notice);
  };
};
