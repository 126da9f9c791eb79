import path from 'node:path';
import { CameraUnfit, openCamera, type Camera } from '../browser/camera.js';
import { findBrowser, type FoundBrowser } from '../browser/find.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { webVtt } from './captions.js';
import { startEncoder, type Encoder } from './encoder.js';
import { findVideoTools, type VideoTools } from './find-encoder.js';
import { metadataFile } from './metadata.js';
import { checkFilm, probeFilm } from './probe.js';
import { frameCount, type Reel } from './reel.js';
import { Running } from './running.js';
import { scenesOf } from './scenes.js';
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
  readonly onProgress?: (progress: FilmProgress) => void;
  /** Which camera films, in which browser. */
  readonly onDetail?: (detail: string) => void;
  readonly onNotice?: (notice: string) => void;
  readonly signal?: AbortSignal;
}

export interface FilmMachine {
  readonly browser: FoundBrowser;
  readonly tools: VideoTools;
}

/** Film frames handed to the encoder; never falls. */
export interface FilmProgress {
  readonly done: number;
  readonly total: number;
  /** Null until the first picture shows how long one takes. */
  readonly etaMs: number | null;
}

/** Files by name in the folder, and how they were made. */
export interface FilmResult {
  readonly files: typeof filmFiles;
  readonly frames: number;
  /** Pictures drawn; the rest are repetitions. */
  readonly pictures: number;
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
const passingFiles = { metadata: 'video.ffmetadata', track: 'video.captions.mp4' } as const;

/** The environment variable that sets how many browsers draw side by side. */
export const browsersVariable = 'FAULTREEL_BROWSERS';

/** Finds all that a film needs. Throws FaultreelError with exit code 5 that says what to install. */
export const findFilmMachine = async (host: Host, onNotice?: (notice: string) => void): Promise<FilmMachine> => ({
  browser: await findBrowser(host, onNotice ? { onNotice } : {}),
  tools: await findVideoTools(host),
});

/**
 * Films a reel: pictures, encoder, then what came out is read back and held against the reel.
 * A camera that turns out not to show what it should is replaced by screenshots, and the film begins again: one film, one camera.
 * On failure nothing runs on and no half-written file is left.
 *
 * @throws FaultreelError with exit code 5 (machine), 6 (rendering), 7 (stuck), 130 (aborted).
 */
export const film = async (reel: Reel, options: FilmOptions): Promise<FilmResult> => {
  const { host, signal } = options;
  const onNotice = sayOnce(options.onNotice ?? (() => undefined));
  const machine = options.machine ?? (await findFilmMachine(host, onNotice));
  const attempt = { ...options, machine, onNotice, onProgress: rising(options.onProgress ?? (() => undefined)) };
  try {
    return await filmWith(attempt.camera, reel, attempt).catch((error: unknown) => {
      if (!(error instanceof CameraUnfit) || signal?.aborted) throw error;
      const reason = `The canvas camera does not serve here: ${error.message.replace(/\.$/, '')}.`;
      if (options.camera) throw new FaultreelError(exitCodes.rendering, { message: reason, hint: 'It was asked for; screenshots would serve.' }, { cause: error });
      onNotice(`${reason} The film begins again, with screenshots.`);
      return filmWith('screenshot', reel, attempt);
    });
  } catch (error) {
    throw signal?.aborted ? new FaultreelError(exitCodes.interrupted, { message: 'Interrupted; the film was not made.' }, { cause: error }) : error;
  }
};

type Attempt = FilmOptions & Required<Pick<FilmOptions, 'machine' | 'onNotice' | 'onProgress'>>;

const filmWith = async (name: Camera['name'] | undefined, reel: Reel, attempt: Attempt): Promise<FilmResult> => {
  const { host, folder, machine, signal } = attempt;
  const inFolder = (file: string): string => path.join(folder, file);
  const running = new Running();
  const stop = (): void => void running.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const camera = running.camera(await openedCamera(name, reel, attempt));
    const capture: UsedCapture = { camera: camera.name, browsers: camera.browsers, chromium: machine.browser.version };
    attempt.onDetail?.(`Filming with ${capture.camera} capture, Chromium ${capture.chromium}, ${capture.browsers} browser${capture.browsers === 1 ? '' : 's'}.`);
    await host.write(inFolder(passingFiles.metadata), metadataFile(reel, commentOf(reel, capture, machine)));
    const subtitles = reel.captions.length > 0 ? reel.lang : null;
    if (subtitles) await host.write(inFolder(passingFiles.track), subtitleTrack({ ...reel, durationMs: (frameCount(reel) * 1000) / reel.fps }));
    const encoder = running.encoder(
      startEncoder({
        ...{ host, program: machine.tools.ffmpeg, width: reel.width, height: reel.height, fps: reel.fps, frames: frameCount(reel), format: camera.format, subtitles },
        ...{ metadata: inFolder(passingFiles.metadata), ...(subtitles && { captions: inFolder(passingFiles.track) }), output: inFolder(filmFiles.video) },
      }),
    );
    const pictures = await shoot(reel, camera, encoder, attempt);
    await host.write(inFolder(filmFiles.poster), await camera.still(reel.shots[reel.poster].svg()));
    await encoder.finish();
    await running.stop();
    await host.write(inFolder(filmFiles.captions), webVtt(reel));
    checkFilm(await probeFilm(machine.tools.ffprobe, inFolder(filmFiles.video), signal), reel);
    for (const file of Object.values(passingFiles)) await host.remove(inFolder(file));
    return { files: filmFiles, frames: frameCount(reel), pictures, capture, machine };
  } catch (error) {
    await running.stop();
    for (const file of [...Object.values(filmFiles), ...Object.values(passingFiles)]) await host.remove(inFolder(file));
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
};

const openedCamera = (camera: Camera['name'] | undefined, { width, height, shots }: Reel, { host, machine, jobs, pictureMs, onNotice, signal }: Attempt): Promise<Camera> => {
  const named = Number.parseInt(host.env[browsersVariable] ?? '', 10);
  const most = jobs ?? (named > 0 ? named : undefined);
  return openCamera({ host, found: machine.browser, width, height, camera, jobs: most && Math.min(most, shots.length), pictureMs, onNotice, signal });
};

/** Only what repeats: the number of browsers changes no byte of the film. */
const commentOf = ({ madeBy = 'faultreel' }: Reel, { camera, chromium }: UsedCapture, { tools }: FilmMachine): string => `${madeBy}, ${camera} capture, Chromium ${chromium}, ffmpeg ${tools.ffmpeg.version}`;

/** Draws each picture once and hands it over with the number of its frames. Returns how many were drawn. */
const shoot = async (reel: Reel, camera: Camera, encoder: Encoder, { host, onProgress }: Attempt): Promise<number> => {
  const total = frameCount(reel);
  const startMs = host.now();
  let done = 0;
  let shots = 0;
  let pictures = 0;
  onProgress({ done, total, etaMs: null });
  for await (const [scene, bytes] of camera.shoot(scenesOf(reel), ({ svg }) => svg)) {
    await encoder.picture(bytes, scene.frames);
    done += scene.frames;
    shots += scene.shots;
    pictures++;
    onProgress({ done, total, etaMs: Math.max(0, Math.round(((host.now() - startMs) / shots) * (reel.shots.length - shots))) });
  }
  return pictures;
};

/** A film that begins again says nothing new until it is as far as it was. */
const rising = (say: (progress: FilmProgress) => void): ((progress: FilmProgress) => void) => {
  let highest = -1;
  return (progress) => {
    if (progress.done <= highest) return;
    highest = progress.done;
    say(progress);
  };
};

const sayOnce = (say: (notice: string) => void): ((notice: string) => void) => {
  const said = new Set<string>();
  return (notice) => {
    if (said.has(notice)) return;
    said.add(notice);
    say(notice);
  };
};
