import { createHash } from 'node:crypto';
import path from 'node:path';
import { cacheFolder } from '../../renderers/browser/cache-folder.js';
import type { Host } from '../host.js';

/** Results that were made before, by everything that decides them. What is in it was whole when it was put there, or is not given out. */
export interface Cache {
  /** Files by name; null when there are none, or they are not as they were kept. */
  take(key: Key): Promise<ReadonlyMap<string, Uint8Array> | null>;
  /** Keeps files; a cache that cannot be written says so once and stops nothing. */
  keep(key: Key, files: ReadonlyMap<string, string | Uint8Array>): Promise<void>;
}

/** What is kept, and everything that decides it: two keys that differ in anything are two results. */
export interface Key {
  readonly what: 'study' | 'film';
  readonly ingredients: Readonly<Record<string, unknown>>;
}

/** Names a folder for kept results, or is `off`. */
export const resultsVariable = 'FAULTREEL_RESULTS_CACHE';

/** More than this, and what was not used for longest goes. */
const usualBytes = 2 * 2 ** 30;

/**
 * The cache of this user; null where it is switched off. Nothing is touched before it is used.
 * @param fresh nothing is taken, so that all is made again and kept anew
 */
export const openCache = (host: Host, { fresh, notice, mostBytes = usualBytes }: { readonly fresh: boolean; readonly notice: (text: string) => void; readonly mostBytes?: number }): Cache | null =>
  host.env[resultsVariable] === 'off' ? null : new FolderCache(host, fresh, mostBytes, notice);

const resultsFolder = async (host: Host): Promise<string> => {
  const named = host.env[resultsVariable];
  return named ? path.resolve(host.cwd, named) : path.join(await cacheFolder(host), 'results');
};

interface Entry {
  readonly key: Key;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Wall clock; only to tell what was not used for long. */
  readonly usedMs: number;
}

/** One folder an entry, named for its key; `entry.json` in it tells what belongs there. */
class FolderCache implements Cache {
  #told = false;
  #folder: Promise<string> | null = null;

  constructor(
    private readonly host: Host,
    private readonly fresh: boolean,
    private readonly mostBytes: number,
    private readonly notice: (text: string) => void,
  ) {}

  async take(key: Key): Promise<ReadonlyMap<string, Uint8Array> | null> {
    let files: ReadonlyMap<string, Uint8Array> | null = null;
    if (!this.fresh) {
      await this.#quietly(async (folder) => {
        const place = placeOf(folder, key);
        const entry = await this.#entryIn(place);
        if (entry === null) return;
        files = await this.#whole(place, entry);
        await (files === null ? this.host.remove(place) : this.#write(place, { ...entry, usedMs: this.host.now() }));
      });
    }
    return files;
  }

  keep(key: Key, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
    return this.#quietly(async (folder) => {
      const place = placeOf(folder, key);
      await this.host.makeFolder(folder);
      const work = await this.host.makeTemporaryFolder(place);
      try {
        const listed: Entry['files'][number][] = [];
        for (const [name, content] of files) {
          const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
          await this.host.write(path.join(work, name), bytes);
          listed.push({ name, bytes: bytes.length, sha256: sha256Of(bytes) });
        }
        await this.#write(work, { key, files: listed, usedMs: this.host.now() });
        await this.host.remove(place);
        await this.host.rename(work, place);
      } finally {
        await this.host.remove(work);
      }
      await this.#prune(folder, path.basename(place));
    });
  }

  /** Null when a file is not as it was kept. */
  async #whole(place: string, { files }: Entry): Promise<ReadonlyMap<string, Uint8Array> | null> {
    const contents = new Map<string, Uint8Array>();
    for (const { name, bytes, sha256 } of files) {
      const content = await this.host.readBytes(path.join(place, name)).catch(() => null);
      if (content?.length !== bytes || sha256Of(content) !== sha256) return null;
      contents.set(name, content);
    }
    return contents;
  }

  #write(place: string, entry: Entry): Promise<void> {
    return this.host.write(path.join(place, entryFile), `${JSON.stringify(entry, null, 1)}\n`);
  }

  async #entryIn(place: string): Promise<Entry | null> {
    const text = await this.host.readText(path.join(place, entryFile)).catch(() => null);
    try {
      const entry: unknown = JSON.parse(text ?? 'null');
      return isEntry(entry) ? entry : null;
    } catch {
      return null;
    }
  }

  /** Keeps the size below its bound, and removes what killed runs left; what another run is writing is left alone. */
  async #prune(folder: string, newest: string): Promise<void> {
    const entries: { readonly place: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const name of await this.host.list(folder)) {
      const [own, ...mark] = name.split('.partial-');
      if (mark.length > 0) for (const left of await this.host.abandoned(path.join(folder, own))) await this.host.remove(left);
      if (mark.length > 0) continue;
      const entry = await this.#entryIn(path.join(folder, name));
      if (entry === null) await this.host.remove(path.join(folder, name));
      else entries.push({ place: path.join(folder, name), bytes: entry.files.reduce((sum, { bytes }) => sum + bytes, 0), usedMs: entry.usedMs });
    }
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { place, bytes } of entries.filter(({ place }) => path.basename(place) !== newest).toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= this.mostBytes) return;
      await this.host.remove(place);
      total -= bytes;
    }
  }

  /** A cache that does not work costs time and nothing else. */
  async #quietly(work: (folder: string) => Promise<void>): Promise<void> {
    try {
      await work(await (this.#folder ??= resultsFolder(this.host)));
    } catch (error) {
      if (!this.#told) this.notice(`results are not kept for the next run: ${error instanceof Error ? error.message : String(error)}`);
      this.#told = true;
    }
  }
}

const entryFile = 'entry.json';

const placeOf = (folder: string, key: Key): string => path.join(folder, `${key.what}-${sha256Of(new TextEncoder().encode(keyText(key)))}`);

const isEntry = (value: unknown): value is Entry => {
  const { files, usedMs } = (value ?? {}) as Partial<Entry>;
  return Array.isArray(files) && typeof usedMs === 'number' && files.every(({ name, bytes, sha256 }: Entry['files'][number]) => typeof name === 'string' && !/[/\\]/.test(name) && typeof bytes === 'number' && typeof sha256 === 'string');
};

/** The same ingredients give the same text, in whatever order they were named. */
const keyText = ({ what, ingredients }: Key): string => JSON.stringify([what, Object.keys(ingredients).sort().map((name) => [name, ingredients[name] ?? null])]);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
