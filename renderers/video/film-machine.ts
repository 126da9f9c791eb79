import { findBrowser, type FoundBrowser } from '../browser/find.js';
import type { Host } from '../../src/host.js';
import { findVideoTools, type VideoTools } from './find-encoder.js';

/** The programs that make a film. */
export interface FilmMachine {
  readonly browser: FoundBrowser;
  readonly tools: VideoTools;
}

/** Finds all that a film needs. Throws FaultreelError with exit code 5 that says what to install. */
export const findFilmMachine = async (host: Host, onNotice?: (notice: string) => void): Promise<FilmMachine> => ({
  browser: await findBrowser(host, onNotice ? { onNotice } : {}),
  tools: await findVideoTools(host),
});
