import path from 'node:path';
import { termsLine } from '../../renderers/stage/compare/change-text.js';
import { closingSentence } from '../../renderers/stage/compare/closing.js';
import { plain } from '../../renderers/text/plain.js';
import type { Compared } from '../../renderers/stage/compare/compare-scene.js';
import { differenceMarkdown } from '../../renderers/text/difference.js';
import type { FilmMachine } from '../../renderers/video/film-machine.js';
import { compareSides } from '../analysis/differences.js';
import { letters, type Comparison, type Side } from '../study/comparison.js';
import type { Study } from '../study/types.js';
import { writeStudy } from '../study/write.js';
import { findTools } from './environment.js';
import { filmStory } from './film.js';
import { openInputs, studyOfInput, type Input } from './compare-inputs.js';
import { filmFor } from './kept-film.js';
import type { Look } from './look.js';
import { reportOf, type Filmed } from './produce.js';
import type { Product } from './products.js';
import { startPending, type Made } from './publish.js';
import type { Surroundings } from './surroundings.js';

export interface CompareOptions extends Omit<Look, 'variant'> {
  /** Folder of all results; absent: nothing is written. */
  readonly out?: string;
  readonly wanted: ReadonlySet<Product>;
  /** Of a single file. */
  readonly variants?: readonly string[];
}

export interface CompareResult {
  readonly comparison: Comparison;
  readonly closing: string;
  /** The difference as Markdown; null where it was written. */
  readonly text: string | null;
  readonly made: readonly Made[];
}

/**
 * From two to four variants, scenarios or studies to one film and their difference in words and figures. What cannot work is found out before anything is simulated; what stood in the
 * folder of results stays until all of the new is whole.
 * @throws FaultreelError with the exit code of what went wrong
 */
export const compare = async (files: readonly string[], options: CompareOptions, around: Surroundings): Promise<CompareResult> => {
  const inputs = await openInputs(files, options.variants, around.host);
  const target = options.out === undefined ? null : path.join(options.out, folderName(inputs));
  const machine = await findTools(options.wanted, around);
  const pending = target === null ? null : await startPending(target, around.host, (text) => around.progress.notice(text));
  try {
    const sides = await sidesOf(inputs, around);
    const comparison = compareSides(sides);
    const closing = plain(closingSentence(comparison, options.lang));
    if (pending === null) return { comparison, closing, text: differenceMarkdown(comparison, { lang: options.lang, closing, terms: termsLine(comparison, options.lang), hasReport: true }), made: [] };
    const drafts = await produce({ comparison, sides }, closing, pending.folder, { ...options, machine }, around);
    around.signal.throwIfAborted();
    return { comparison, closing, text: null, made: await pending.publish(drafts) };
  } finally {
    around.progress.end();
    await pending?.discard();
  }
};

/** Each file is simulated once, for all of its variants that are compared. */
const sidesOf = async (inputs: readonly Input[], around: Surroundings): Promise<readonly Side[]> => {
  const studies = new Map<string, Study>();
  for (const { source } of inputs) if (!studies.has(source.file)) studies.set(source.file, await studyOfInput(source, around));
  const isOneFile = new Set(inputs.map(({ source }) => source.file)).size === 1;
  return inputs.map((input, i): Side => ({ letter: letters[i], study: studies.get(input.source.file)!, variant: input.variant, name: isOneFile ? input.variant : input.name }));
};

/** `order-api-spike.as-it-is-vs-dedicated-health-path`, `a-vs-b`. */
export const folderName = (inputs: readonly Input[]): string => {
  const isOneFile = new Set(inputs.map(({ source }) => source.file)).size === 1;
  return isOneFile ? `${inputs[0].source.name}.${inputs.map(({ variant }) => variant).join('-vs-')}` : inputs.map(({ name }) => name).join('-vs-');
};

interface Draft {
  readonly name: string;
  readonly about: string;
}

const produce = async (compared: Compared, closing: string, folder: string, { lang, theme, width, height, fps, durationMs, jobs, camera, wanted, machine }: CompareOptions & { readonly machine: FilmMachine | null }, around: Surroundings): Promise<readonly Draft[]> => {
  const { host, progress, signal } = around;
  const { comparison, sides } = compared;
  const write = (name: string, content: string | Uint8Array): Promise<void> => host.write(path.join(folder, name), content);
  const drafts: Draft[] = [];
  const isOneStudy = comparison.relation === 'variants';
  for (const { letter, study } of isOneStudy ? sides.slice(0, 1) : sides) {
    const name = isOneStudy ? 'study.json' : `${letter.toLowerCase()}.study.json`;
    await write(name, writeStudy(study));
    drafts.push({ name, about: '' });
  }
  const hasReport = isOneStudy && wanted.has('report');
  await write('summary.md', differenceMarkdown(comparison, { lang, closing, terms: termsLine(comparison, lang), hasReport: isOneStudy }));
  drafts.push({ name: 'summary.md', about: closing });
  if (hasReport) {
    progress.stage('report');
    await host.breathe();
    signal.throwIfAborted();
    await write('report.pdf', await reportOf(sides[0].study, { variant: sides[0].variant, lang }));
    drafts.push({ name: 'report.pdf', about: '' });
  }
  if (wanted.has('video')) {
    progress.stage('film');
    const make = async (): Promise<Filmed> => {
      const { frames, capture } = await filmStory({ kind: 'compare', compared, options: { lang, theme, width, height, fps, ...(durationMs !== undefined && { durationMs }) } }, folder, { jobs, camera, machine }, around);
      return { frames, seconds: frames / fps, camera: capture.camera };
    };
    const content = { studies: sides.map(({ study }) => writeStudy(study)), sides: sides.map(({ variant, name }) => `${variant} ${name}`), look: { lang, theme, width, height, fps, durationMs, camera } };
    const { frames, seconds } = machine ? await filmFor({ ...content, machine }, folder, around, make) : await make();
    drafts.push({ name: 'video.mp4', about: `${seconds.toFixed(1)} s, ${frames} frames, ${width}x${height}` }, { name: 'video.vtt', about: '' }, { name: 'poster.png', about: '' });
  }
  return drafts;
};
