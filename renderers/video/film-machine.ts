import { findBrowser, type FindEars, type FoundBrowser } from '../browser/find.js';
import type { Host } from '../../src/host.js';
import { findVideoTools, type VideoTools } from './find-encoder.js';

/** The programs that make a film. */
export interface FilmMachine {
  readonly browser: FoundBrowser;
  readonly tools: VideoTools;
}

/**
 * Finds all that a film needs.
 * @throws FaultreelError with exit code 5 that says what to install; the abort reason when the user interrupts
 */
export const findFilmMachine = async (host: Host, ears: FindEars = {}): Promise<FilmMachine> => ({
  browser: await findBrowser(host, ears),
  tools: await findVideoTools(host, ears.signal),
});
