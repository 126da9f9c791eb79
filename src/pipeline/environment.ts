import { findBrowser } from '../../renderers/browser/find.js';
import { sandboxVariable } from '../../renderers/browser/launch.js';
import { findFilmMachine, type FilmMachine } from '../../renderers/video/film.js';
import { findProgram } from '../../renderers/video/find-encoder.js';
import { FaultreelError } from '../errors.js';
import type { Host } from '../host.js';
import type { Product } from './products.js';
import type { Surroundings } from './surroundings.js';

/**
 * What a film needs from the machine, or null when none is wanted.
 * @throws FaultreelError (environment) that says what to install
 */
export const findTools = async (wanted: ReadonlySet<Product>, { host, progress }: Surroundings): Promise<FilmMachine | null> =>
  wanted.has('video') ? findFilmMachine(host, (notice) => progress.notice(notice)) : null;

/** The host with `--no-sandbox` said in its environment, where the browser's launcher reads it. */
export const withSandbox = (host: Host, sandbox: boolean): Host => (sandbox ? host : { ...host, env: { ...host.env, [sandboxVariable]: '1' } });

/** One thing that a film or a report needs of the machine. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

/** Looks at everything that a run needs; never throws. */
export const examine = (host: Host): Promise<readonly Finding[]> =>
  Promise.all([
    finding('browser', async () => {
      const { kind, path, version } = await findBrowser(host);
      return `${version} (${kind}) ${path}`;
    }),
    ...(['ffmpeg', 'ffprobe'] as const).map((name) =>
      finding(name, async () => {
        const { kind, path, version } = await findProgram(host, name);
        return `${version} (${kind}) ${path}`;
      }),
    ),
    finding('folder', async () => {
      await host.remove(await host.makeTemporaryFolder('faultreel'));
      return `${host.cwd} can be written`;
    }),
  ]);

const finding = async (name: string, look: () => Promise<string>): Promise<Finding> => {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    const problem = error instanceof FaultreelError ? error.problems[0] : null;
    return { name, ok: false, detail: problem?.message ?? String(error), ...(problem?.hint !== undefined && { fix: problem.hint }) };
  }
};
