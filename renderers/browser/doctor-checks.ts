import { statfs } from 'node:fs/promises';
import { FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { openCamera } from './camera.js';
import { findBrowser, type FoundBrowser } from './find.js';
import { fontFamily, loadFonts } from './fonts.js';

/** One thing that a film needs of the machine. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

/** Browser, its start, fonts, shared memory and the folder. Never throws. */
export const checkBrowserSide = async (host: Host, { folder }: { readonly folder: string }): Promise<readonly Finding[]> => {
  let found: FoundBrowser | null = null;
  const browser = await finding('browser', async () => {
    found = await findBrowser(host);
    return `${found.version} (${found.kind}) ${found.path}`;
  });
  return [
    browser,
    ...(found ? [await finding('browser starts', () => firstPicture(host, found!))] : []),
    await finding('fonts', () => fontList(host)),
    ...(await sharedMemory()),
    await finding('folder', () => writable(host, folder)),
  ];
};

/** Looks, and tells what it saw or what went wrong. */
export const finding = async (name: string, look: () => Promise<string>): Promise<Finding> => {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    const problem = error instanceof FaultreelError ? error.problems[0] : null;
    return { name, ok: false, detail: problem?.message ?? (error instanceof Error ? error.message : String(error)), ...(problem?.hint === undefined ? {} : { fix: problem.hint }) };
  }
};

/** Draws one small picture, from start to end, by the camera that a film would get. */
const firstPicture = async (host: Host, found: FoundBrowser): Promise<string> => {
  const notices: string[] = [];
  const camera = await openCamera({ host, found, width: 320, height: 180, jobs: 1, onNotice: (notice) => notices.push(notice) });
  try {
    await camera.still(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" font-family="${fontFamily}"><text x="20" y="90">가A</text></svg>`);
  } finally {
    await camera.close();
  }
  const [sandbox, others] = [notices.find((notice) => notice.includes('--no-sandbox')), notices.filter((notice) => !notice.includes('--no-sandbox'))];
  return [`drew a picture by ${camera.name}, ${sandbox === undefined ? 'sandbox on' : `sandbox off: ${sandbox}`}`, ...others].join(' ');
};

const fontList = async (host: Host): Promise<string> => `${fontFamily} ${(await loadFonts(host)).map(({ weight }) => weight).join(' ')}`;

/** Chromium is told to do without /dev/shm, so a small one is worth knowing and no fault. */
const sharedMemory = async (): Promise<Finding[]> => {
  const space = await statfs('/dev/shm').catch(() => null);
  return space ? [{ name: '/dev/shm', ok: true, detail: `${Math.round((space.bsize * space.blocks) / 2 ** 20)} MB, not needed` }] : [];
};

const writable = async (host: Host, folder: string): Promise<string> => {
  await host.remove(await host.makeTemporaryFolder(`${folder}/faultreel`));
  return `${folder} can be written`;
};
