import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { packageFolder, type Host } from '../../src/host.js';

/** The family that pictures name. */
export const fontFamily = 'Pretendard';
/** Weights that come with faultreel, by the name in the file. */
export const fontFiles = { 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold', 800: 'ExtraBold' } as const;

export interface FontFile {
  readonly weight: number;
  /** TrueType. */
  readonly bytes: Uint8Array;
}

/**
 * The bundled fonts, unpacked.
 *
 * @throws FaultreelError with exit code 5 when one is missing or broken.
 */
export const loadFonts = (host: Host): Promise<readonly FontFile[]> =>
  Promise.all(
    Object.entries(fontFiles).map(async ([weight, name]) => {
      const file = path.join(packageFolder(), 'templates', 'fonts', `${fontFamily}-${name}.ttf.br`);
      try {
        return { weight: Number(weight), bytes: await promisify(brotliDecompress)(await host.readBytes(file)) };
      } catch (cause) {
        throw new FaultreelError(exitCodes.environment, { message: `Expected the bundled font ${file}, found it missing or broken.`, hint: 'Install faultreel again: npm ci.' }, { cause });
      }
    }),
  );
