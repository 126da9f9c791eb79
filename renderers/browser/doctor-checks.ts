import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { cacheFolder } from './cache-folder.js';
import { openCamera } from './camera.js';
import { findBrowser, type FoundBrowser } from './find.js';
import { fontFamily, loadFonts } from './fonts.js';
import { sandboxVariable } from './launch.js';
import { temporaryFolder, temporaryFolderAdvice } from './temporary-folder.js';

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  /** A warning stops nothing. */
  readonly level: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string;
  /** What cannot be made while it fails: a film, or anything that is written. */
  readonly stops: 'film' | 'files';
}

/** What a look saw; it throws where it fails. */
export type Seen = Pick<Finding, 'detail'> & Partial<Pick<Finding, 'level' | 'fix'>>;

/** Browser, its start and its sandbox, fonts, and the places on the disk. Never throws. */
export const checkBrowserSide = async (host: Host, { folder }: { readonly folder: string }): Promise<readonly Finding[]> => {
  let found: FoundBrowser | null = null;
  const browser = await finding('browser', 'film', async () => {
    found = await findBrowser(host);
    return { detail: `${found.version} (${found.kind}) ${found.path}` };
  });
  return [
    browser,
    ...(found ? await firstPicture(host, found) : []),
    await finding('fonts', 'files', () => fontList(host)),
    ...(await sharedMemory()),
    await finding('temporary folder', 'film', () => temporary(host)),
    await finding('cache folder', 'film', () => cache(host)),
    await finding('results', 'files', () => results(host, folder)),
  ];
};

/** Looks, and tells what it saw or what went wrong. */
export const finding = async (name: string, stops: Finding['stops'], look: () => Promise<Seen>): Promise<Finding> => {
  try {
    return { name, level: 'ok', stops, ...(await look()) };
  } catch (error) {
    const problem = error instanceof FaultreelError ? error.problems[0] : null;
    return { name, level: 'fail', stops, detail: problem?.message ?? (error instanceof Error ? error.message : String(error)), ...(problem?.hint === undefined ? {} : { fix: problem.hint }) };
  }
};

/** Draws one small picture, from start to end, by the camera that a film would get; tells of the sandbox when it started. */
const firstPicture = async (host: Host, found: FoundBrowser): Promise<readonly Finding[]> => {
  const notices: string[] = [];
  const starts = await finding('browser starts', 'film', async () => {
    const camera = await openCamera({ host, found, width: 320, height: 180, jobs: 1, onNotice: (notice) => notices.push(notice) });
    try {
      await camera.still(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" font-family="${fontFamily}"><text x="20" y="90">가A</text></svg>`);
    } finally {
      await camera.close();
    }
    return { detail: [`drew a picture by ${camera.name}`, ...notices.filter((notice) => !notice.includes('--no-sandbox'))].join('. ') };
  });
  return starts.level === 'fail' ? [starts] : [starts, sandboxOf(host, notices.find((notice) => notice.includes('--no-sandbox')))];
};

const sandboxOf = (host: Host, notice: string | undefined): Finding => {
  const sandbox = { name: 'sandbox', stops: 'film' } as const;
  if (notice === undefined) return { ...sandbox, level: 'ok', detail: 'on' };
  const fix = host.env[sandboxVariable] === '1' ? `Unset ${sandboxVariable} where the machine allows Chromium its sandbox (Docker: --security-opt seccomp=unconfined)` : 'Run it as another user than root (Docker: --user "$(id -u):$(id -g)"); pictures are the same without it';
  return { ...sandbox, level: 'warn', detail: `off. ${notice}`, fix };
};

const fontList = async (host: Host): Promise<Seen> => ({ detail: `${fontFamily} ${(await loadFonts(host)).map(({ weight }) => weight).join(' ')}, bundled` });

/** Chromium is told to do without /dev/shm, so a small one is worth knowing and no fault. */
const sharedMemory = async (): Promise<Finding[]> => {
  const space = await statfs('/dev/shm').catch(() => null);
  return space ? [{ name: '/dev/shm', level: 'ok', stops: 'film', detail: `${megabytes(space.bsize * space.blocks)}; the browser does without it, so a small one does no harm` }] : [];
};

const temporary = async (host: Host): Promise<Seen> => {
  await host.remove(await temporaryFolder(host, 'faultreel-browser'));
  return roomIn(host.tmpdir, { least: 64 * 2 ** 20, good: 256 * 2 ** 20 }, `${temporaryFolderAdvice}.`);
};

const cache = async (host: Host): Promise<Seen> => {
  const folder = await cacheFolder(host);
  return roomIn(await nearestThere(host, folder), { least: 0, good: 512 * 2 ** 20 }, 'Make room there, or set FAULTREEL_CACHE to another folder', folder);
};

/** Where results go; what is not there yet is made in the nearest folder that is. */
const results = async (host: Host, folder: string): Promise<Seen> => {
  const there = await nearestThere(host, folder);
  try {
    await host.remove(await host.makeTemporaryFolder(path.join(there, 'faultreel')));
  } catch (cause) {
    const user = host.uid === null ? '"$(id -u):$(id -g)"' : `"${host.uid}:$(id -g)"`;
    throw new FaultreelError(5, { message: `nothing can be written into ${there}: ${cause instanceof Error ? cause.message : String(cause)}`, hint: `Give a folder that you may write with --out; in a container, start it as the owner of the folder: docker run --user ${user} …` }, { cause });
  }
  return roomIn(there, { least: 1, good: 200 * 2 ** 20 }, 'Make room there, or give another folder with --out', folder);
};

const nearestThere = async (host: Host, folder: string): Promise<string> => {
  const at = path.resolve(host.cwd, folder);
  return (await host.sizeOf(at)) !== null || path.dirname(at) === at ? at : nearestThere(host, path.dirname(at));
};

/** How much is free where a folder is. */
const roomIn = async (there: string, { least, good }: { readonly least: number; readonly good: number }, fix: string, named = there): Promise<Seen> => {
  const space = await statfs(there).catch(() => null);
  if (space === null) return { detail: `${named} can be written` };
  const free = space.bsize * space.bavail;
  if (free < least) throw new FaultreelError(5, { message: `${named} can be written, but only ${megabytes(free)} are free`, hint: fix });
  return { level: free < good ? 'warn' : 'ok', detail: `${named} can be written, ${megabytes(free)} free`, ...(free < good && { fix }) };
};

const megabytes = (bytes: number): string => (bytes >= 10 * 2 ** 30 ? `${Math.round(bytes / 2 ** 30)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`);
