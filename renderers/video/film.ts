import path from 'node:path';
import { captureCount, picturesInOrder, screenshotCapture, type Capture } from '../browser/capture.js';
import { findBrowser, type FoundBrowser } from '../browser/find.js';
import { loadFonts } from '../browser/fonts.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { webVtt } from './captions.js';
import { startEncoder, type Encoder } from './encoder.js';
import { findVideoTools, type VideoTools } from './find-encoder.js';
import { metadataFile } from './metadata.js';
import { checkFilm, probeFilm } from './probe.js';
import { frameCount, type Reel, type Shot } from './reel.js';

export interface FilmOptions {
  readonly host: Host;
  /** Where the film goes; it exists. */
  readonly folder: string;
  /** What was found before, so that a missing program is told before anything is simulated. */
  readonly machine?: FilmMachine;
  readonly onProgress?: (progress: FilmProgress) => void;
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
  /** Name of the capture. */
  readonly capture: string;
  readonly browsers: number;
  readonly machine: FilmMachine;
}

export const filmFiles = { video: 'video.mp4', captions: 'video.vtt', poster: 'poster.png' } as const;
const metadataName = 'video.ffmetadata';

/** Finds all that a film needs. Throws FaultreelError with exit code 5 that says what to install. */
export const findFilmMachine = async (host: Host, onNotice?: (notice: string) => void): Promise<FilmMachine> => ({
  browser: await findBrowser(host, onNotice ? { onNotice } : {}),
  tools: await findVideoTools(host),
});

/**
 * Films a reel: pictures, encoder, then what came out is read back and held against the reel.
 * On failure nothing runs on and no half-written file is left.
 *
 * @throws FaultreelError with exit code 5 (machine), 6 (rendering), 7 (stuck), 130 (aborted).
 */
export const film = async (reel: Reel, options: FilmOptions): Promise<FilmResult> => {
  const { host, folder, signal } = options;
  const onNotice = sayOnce(options.onNotice ?? (() => undefined));
  const machine = options.machine ?? (await findFilmMachine(host, onNotice));
  const inFolder = (name: string): string => path.join(folder, name);
  const running = new Running();
  const stop = (): void => void running.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await host.write(inFolder(metadataName), metadataFile(reel));
    const captures = await openCaptures(reel, { ...options, machine, onNotice }, running);
    const encoder = running.encoder(startEncoder({ host, program: machine.tools.ffmpeg, width: reel.width, height: reel.height, fps: reel.fps, frames: frameCount(reel), metadata: inFolder(metadataName), output: inFolder(filmFiles.video) }));
    const pictures = await shoot(reel, captures, encoder, { host, poster: inFolder(filmFiles.poster), onProgress: options.onProgress ?? (() => undefined) });
    await encoder.finish();
    await running.stop();
    await host.write(inFolder(filmFiles.captions), webVtt(reel));
    checkFilm(await probeFilm(machine.tools.ffprobe, inFolder(filmFiles.video), signal), reel);
    await host.remove(inFolder(metadataName));
    return { files: filmFiles, frames: frameCount(reel), pictures, capture: captures[0].name, browsers: captures.length, machine };
  } catch (error) {
    await running.stop();
    for (const name of [...Object.values(filmFiles), metadataName]) await host.remove(inFolder(name));
    throw signal?.aborted ? new FaultreelError(exitCodes.interrupted, { message: 'Interrupted; the film was not made.' }, { cause: error }) : error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
};

/** The environment variable that sets how many browsers draw side by side. */
export const browsersVariable = 'FAULTREEL_BROWSERS';

const openCaptures = async (reel: Reel, { host, machine, onNotice, signal }: FilmOptions & { readonly machine: FilmMachine; readonly onNotice: (notice: string) => void }, running: Running): Promise<Capture[]> => {
  const fonts = await loadFonts(host);
  const asked = Number.parseInt(host.env[browsersVariable] ?? '', 10);
  const count = Math.min(asked > 0 ? asked : captureCount(host), reel.shots.length);
  const { width, height } = reel;
  const opened = await Promise.allSettled(Array.from({ length: Math.max(1, count) }, async () => running.capture(await screenshotCapture({ host, found: machine.browser, width, height, fonts, onNotice, signal }))));
  for (const one of opened) if (one.status === 'rejected') throw one.reason;
  return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
};

/** Draws each picture once and hands it over with the number of its frames. Returns how many were drawn. */
const shoot = async (reel: Reel, captures: readonly Capture[], encoder: Encoder, { host, poster, onProgress }: { readonly host: Host; readonly poster: string; readonly onProgress: (progress: FilmProgress) => void }): Promise<number> => {
  const total = frameCount(reel);
  const startMs = host.now();
  let done = 0;
  let shots = 0;
  let pictures = 0;
  onProgress({ done, total, etaMs: null });
  for await (const [scene, png] of picturesInOrder(scenesOf(reel), ({ svg }) => svg, captures)) {
    if (reel.poster >= shots && reel.poster < shots + scene.shots) await host.write(poster, png);
    await encoder.picture(png, scene.frames);
    done += scene.frames;
    shots += scene.shots;
    pictures++;
    onProgress({ done, total, etaMs: Math.max(0, Math.round(((host.now() - startMs) / shots) * (reel.shots.length - shots))) });
  }
  return pictures;
};

interface Scene {
  readonly svg: string;
  readonly frames: number;
  /** Shots that look the same and follow each other. */
  readonly shots: number;
}

/** Shots with what follows and looks the same drawn together. */
function* scenesOf({ shots }: { readonly shots: readonly Shot[] }): Generator<Scene> {
  let scene = null as Scene | null;
  for (const shot of shots) {
    if (shot.frames === 0) {
      if (scene) scene = { ...scene, shots: scene.shots + 1 };
      continue;
    }
    const svg = shot.svg();
    if (scene?.svg === svg) {
      scene = { svg, frames: scene.frames + shot.frames, shots: scene.shots + 1 };
      continue;
    }
    if (scene) yield scene;
    scene = { svg, frames: shot.frames, shots: 1 };
  }
  if (scene) yield scene;
}

/** What must not outlive the film. What is added after `stop` is stopped at once. */
class Running {
  readonly #stops: (() => Promise<void>)[] = [];
  #stopped = false;

  capture(capture: Capture): Capture {
    this.#add(() => capture.close());
    return capture;
  }

  encoder(encoder: Encoder): Encoder {
    this.#add(() => encoder.abort());
    return encoder;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#stops.map((stop) => stop()));
  }

  #add(stop: () => Promise<void>): void {
    this.#stops.push(stop);
    if (this.#stopped) void stop();
  }
}

const sayOnce = (say: (notice: string) => void): ((notice: string) => void) => {
  const said = new Set<string>();
  return (notice) => {
    if (said.has(notice)) return;
    said.add(notice);
    say(notice);
  };
};
