import path from 'node:path';
import { planFilm } from '../../renderers/video/storyboard.js';
import { cardsIn } from '../../renderers/video/compare-pace.js';
import type { Host } from '../host.js';
import { readStudy } from '../study/read.js';
import { folderName, type CompareOptions } from './compare.js';
import { openInputs } from './compare-inputs.js';
import { filmRange, type FilmRange } from './film-range.js';
import { noSuchVariant, readFile } from './load.js';
import { firstVariant } from './look.js';
import { promised } from './products.js';
import type { RenderFileOptions } from './render.js';

/** What `render` or `compare` would make. */
export interface DryRender {
  /** Files of scenarios that would be simulated, with the variants. */
  readonly simulated: readonly { readonly file: string; readonly variants: readonly string[] }[];
  /** What is shown, side by side where there are several. */
  readonly shown: readonly string[];
  readonly film: FilmRange | null;
  /** Null where nothing is written. */
  readonly folder: string | null;
  readonly files: readonly { readonly file: string; readonly replaces: boolean }[];
}

/** As `renderFile`, up to where it would begin to work. The length of the film is exact: the study has the events. */
export const dryRender = async (file: string, options: RenderFileOptions, host: Host): Promise<DryRender> => {
  const study = readStudy(await readFile(file, host), file);
  const { variant = firstVariant(study), fps, width, height, wanted } = options;
  if (!Object.hasOwn(study.runs, variant)) throw noSuchVariant(variant, Object.keys(study.runs), file);
  const frames = wanted.has('video') ? Math.round((planFilm(study, variant, fps, options.durationMs).verdict.toMs * fps) / 1000) : 0;
  const film = wanted.has('video') ? { width, height, fps, frames: { least: frames, most: frames }, seconds: { least: frames / fps, most: frames / fps } } : null;
  const folder = options.out ?? path.dirname(file);
  return { simulated: [], shown: [variant], film, folder, files: await planned(folder, promised(wanted), host) };
};

/** As `compare`, up to where it would begin to work. */
export const dryCompare = async (files: readonly string[], options: CompareOptions, host: Host): Promise<DryRender> => {
  const inputs = await openInputs(files, options.variants, host);
  const { wanted, out } = options;
  const ranges = inputs.map(({ source, variant }) => filmRange(source.kind === 'study' ? { ...source.study.scenario, durationMs: source.study.runs[variant].durationMs } : source.scenario.variants.find((system) => system.variant === variant)!, options, cardsIn(undefined)));
  const isOneFile = new Set(inputs.map(({ source }) => source.file)).size === 1;
  const studies = isOneFile ? ['study.json'] : inputs.map((_, i) => `${'abcd'[i]}.study.json`);
  const names = [...studies, 'summary.md', ...(isOneFile && wanted.has('report') ? ['report.pdf'] : []), ...(wanted.has('video') ? ['video.mp4', 'video.vtt', 'poster.png'] : [])];
  const folder = out === undefined ? null : path.join(out, folderName(inputs));
  const simulated = new Map(inputs.flatMap(({ source }) => (source.kind === 'scenario' ? [[source.file, source.scenario.variants.map(({ variant }) => variant)] as const] : [])));
  return {
    simulated: [...simulated].map(([file, variants]) => ({ file, variants })),
    shown: inputs.map(({ name }) => name),
    film: wanted.has('video') ? widest(ranges) : null,
    folder,
    files: folder === null ? [] : await planned(folder, names, host),
  };
};

/** All sides have one pace, that of the side which makes most of a tick: no shorter than the longest least, no longer than all of them one after the other. */
const widest = (ranges: readonly FilmRange[]): FilmRange => {
  const both = (of: (range: FilmRange) => { least: number; most: number }): { least: number; most: number } => ({ least: Math.max(...ranges.map((range) => of(range).least)), most: Math.max(...ranges.map((range) => of(range).most)) });
  return { ...ranges[0], frames: both(({ frames }) => frames), seconds: both(({ seconds }) => seconds) };
};

const planned = async (folder: string, names: readonly string[], host: Host): Promise<DryRender['files']> => {
  const there = await host.list(folder);
  return names.map((name) => ({ file: path.join(folder, name), replaces: there.includes(name) }));
};
