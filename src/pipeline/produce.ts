import path from 'node:path';
import { loadFonts } from '../../renderers/browser/fonts.js';
import type { Attachment } from '../../renderers/pdf/book.js';
import { writeReport } from '../../renderers/pdf/report.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { replayHtml } from '../../renderers/replay/replay.js';
import { eventsCsv, ticksCsv } from '../../renderers/text/csv.js';
import { summaryMarkdown } from '../../renderers/text/markdown.js';
import type { FilmMachine } from '../../renderers/video/film-machine.js';
import type { Study } from '../study/types.js';
import { writeStudy } from '../study/write.js';
import { againCommand, scenarioFileName } from './again.js';
import { filmStory } from './film.js';
import { filmFor } from './kept-film.js';
import { defaultLook, firstVariant, type Look } from './look.js';
import { promised, type Artefact, type Product } from './products.js';
import type { Progress } from './progress.js';
import type { Surroundings } from './surroundings.js';

/** A promised file in the folder in the making, and what it holds in a few words. */
export interface Draft {
  readonly name: Artefact;
  readonly about: string;
}

export interface RenderOptions extends Look {
  readonly wanted: ReadonlySet<Product>;
  /** What was found for the film; looked for when null. */
  readonly machine: FilmMachine | null;
}

/** Writes everything wanted, made from the study alone, into a folder. Returns what it wrote. */
export const renderStudy = async (study: Study, folder: string, options: RenderOptions, around: Surroundings): Promise<readonly Draft[]> => {
  const { variant = firstVariant(study), lang, wanted } = options;
  const { host, progress, signal } = around;
  const write = (name: Artefact, content: string | Uint8Array): Promise<void> => host.write(path.join(folder, name), content);
  await write('study.json', writeStudy(study));
  await write('ticks.csv', ticksCsv(study));
  await write('events.csv', eventsCsv(study));
  await write('summary.md', summaryMarkdown(study, { variant, lang }));
  const about = new Map<Artefact, string>();
  if (wanted.has('video') || wanted.has('replay')) for (const text of neverAsked(study, variant)) progress.notice(text);
  if (wanted.has('report')) {
    progress.stage('report');
    await host.breathe();
    signal.throwIfAborted();
    await write('report.pdf', await reportOf(study, { variant, lang, paper: options.paper ?? defaultLook.paper }));
  }
  if (wanted.has('replay')) {
    progress.stage('replay');
    await host.breathe();
    signal.throwIfAborted();
    await write('replay.html', await replayHtml(study, { variant, lang, theme: options.theme }, { host, fonts: await loadFonts(host) }));
  }
  if (wanted.has('video')) {
    progress.stage('film');
    const make = (): Promise<Filmed> => filmOf(study, folder, { ...options, variant }, around);
    const { frames, seconds } = options.machine ? await filmFor({ studies: [writeStudy(study)], sides: [variant], look: options, machine: options.machine }, folder, around, make) : await make();
    about.set('video.mp4', `${minutes(seconds)}, ${frames} frames, ${options.width}x${options.height}`);
  }
  return promised(wanted).map((name) => ({ name, about: about.get(name) ?? '' }));
};

/** Questions of the rehearsal whose event does not happen in this run: the film cannot stop there. */
const neverAsked = (study: Study, variant: string): string[] => {
  const asked = stopsInRun(study, variant).map(({ stop }) => stop.name);
  return study.scenario.rehearsal.stops.flatMap(({ name, at }) => (asked.includes(name) ? [] : [`question ${name} is left out: ${'timeMs' in at ? `the run of ${variant} ends before it` : `${at.kind} ${at.subject} does not happen in ${variant}`}`]));
};

export interface Filmed {
  readonly frames: number;
  /** Length of the film. */
  readonly seconds: number;
  /** What drew the pictures. */
  readonly camera: 'canvas' | 'screenshot';
}

/** Films one variant into a folder that is there. */
export const filmOf = async (
  study: Study,
  folder: string,
  { variant, lang, theme, width, height, fps, durationMs, jobs, camera, machine }: Omit<RenderOptions, 'wanted' | 'variant'> & { readonly variant: string },
  around: Omit<Surroundings, 'progress'> & { readonly progress: Pick<Progress, 'step' | 'detail' | 'notice'> },
): Promise<Filmed> => {
  const { frames, capture } = await filmStory({ kind: 'variant', study, options: { variant, lang, theme, width, height, fps, durationMs } }, folder, { jobs, camera, machine }, around);
  return { frames, seconds: frames / fps, camera: capture.camera };
};

/** The report as the bytes of a PDF; what a reader needs to check it or to make it again is carried inside. */
export const reportOf = (study: Study, { variant, lang, paper = defaultLook.paper }: Pick<Look, 'lang' | 'paper'> & { readonly variant: string }): Promise<Uint8Array> => {
  const attach = (name: string, text: string, description: string): Attachment => ({ name, bytes: new TextEncoder().encode(text), description });
  const attachments = [
    attach(scenarioFileName(study), study.scenario.text, 'The scenario'),
    attach('study.json', writeStudy(study), 'Everything that was simulated and judged'),
    attach('ticks.csv', ticksCsv(study), 'Every tick of every variant'),
    attach('events.csv', eventsCsv(study), 'Every event of every variant'),
  ];
  return writeReport(study, { lang, variant, paper, attachments, command: againCommand(study, { variant, lang, paper }) });
};

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
