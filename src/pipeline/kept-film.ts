import path from 'node:path';
import { filmFiles } from '../../renderers/video/film.js';
import type { FilmMachine } from '../../renderers/video/film-machine.js';
import { sha256Of, type Cache, type Key } from './cache.js';
import type { Look } from './look.js';
import type { Filmed } from './produce.js';
import type { Surroundings } from './surroundings.js';
import { fontsBuild, toolBuild } from './tool-build.js';

/** What is filmed, and how. */
export interface FilmContent {
  /** Texts of the studies that are in it. */
  readonly studies: readonly string[];
  /** Their variants, and what they are called. */
  readonly sides: readonly string[];
  readonly look: Omit<Look, 'variant' | 'paper' | 'jobs'>;
  readonly machine: FilmMachine;
}

/** The film of something, in a folder: as it was made before, or made now and kept. */
export const filmFor = async (content: FilmContent, folder: string, { cache, host, progress }: Pick<Surroundings, 'cache' | 'host' | 'progress'>, make: () => Promise<Filmed>): Promise<Filmed> => {
  if (!cache) return make();
  const key = filmKey(content, { tool: await toolBuild(host), fonts: await fontsBuild(host) });
  const kept = await take(cache, key);
  if (kept) {
    for (const name of Object.values(filmFiles)) await host.write(path.join(folder, name), kept.files.get(name)!);
    progress.detail('filmed before, taken from the cache (--force films again)');
    return kept.filmed;
  }
  const filmed = await make();
  // Screenshots that nobody asked for may be a matter of the moment: a browser that could not do better.
  if (filmed.camera === 'screenshot' && content.look.camera === undefined) return filmed;
  const files = new Map<string, string | Uint8Array>([[filmedFile, JSON.stringify(filmed)]]);
  for (const name of Object.values(filmFiles)) files.set(name, await host.readBytes(path.join(folder, name)));
  await cache.keep(key, files);
  return filmed;
};

/** Everything that decides a film. The number of browsers does not. */
export const filmKey = ({ studies, sides, look, machine: { browser, tools } }: FilmContent, { tool, fonts }: { readonly tool: string; readonly fonts: string }): Key => ({
  what: 'film',
  ingredients: {
    tool,
    fonts,
    content: studies.map((text) => sha256Of(new TextEncoder().encode(text))),
    sides,
    ...{ lang: look.lang, theme: look.theme, width: look.width, height: look.height, fps: look.fps, durationMs: look.durationMs, camera: look.camera },
    browser: `${browser.kind} ${browser.version}`,
    encoder: `${tools.ffmpeg.kind} ${tools.ffmpeg.version}`,
  },
});

const filmedFile = 'film.json';

const take = async (cache: Cache, key: Key): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly filmed: Filmed } | null> => {
  const files = await cache.take(key);
  const told = files?.get(filmedFile);
  if (!files || !told || Object.values(filmFiles).some((name) => !files.has(name))) return null;
  return { files, filmed: JSON.parse(new TextDecoder().decode(told)) as Filmed };
};
