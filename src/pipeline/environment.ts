import { sandboxVariable } from '../../renderers/browser/launch.js';
import { checkTemporaryFolder } from '../../renderers/browser/temporary-folder.js';
import { findFilmMachine, type FilmMachine } from '../../renderers/video/film-machine.js';
import type { Host } from '../host.js';
import type { Product } from './products.js';
import type { Surroundings } from './surroundings.js';

/**
 * What a film needs from the machine, or null when none is wanted.
 * @throws FaultreelError (environment) that says what to install; the abort reason when the user interrupts
 */
export const findTools = async (wanted: ReadonlySet<Product>, { host, progress, signal }: Surroundings): Promise<FilmMachine | null> => {
  if (!wanted.has('video')) return null;
  await checkTemporaryFolder(host, (notice) => progress.notice(notice));
  return findFilmMachine(host, { signal, onNotice: (notice) => progress.notice(notice) });
};

/** The host with `--no-sandbox` said in its environment, where the browser's launcher reads it. */
export const withSandbox = (host: Host, sandbox: boolean): Host => (sandbox ? host : { ...host, env: { ...host.env, [sandboxVariable]: '1' } });
