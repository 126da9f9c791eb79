import path from 'node:path';
import type { Attachment } from '../../renderers/pdf/book.js';
import { writeReport } from '../../renderers/pdf/report.js';
import { eventsCsv, ticksCsv } from '../../renderers/text/csv.js';
import { summaryMarkdown } from '../../renderers/text/markdown.js';
import { film, type FilmMachine } from '../../renderers/video/film.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import type { Study } from '../study/types.js';
import { writeStudy } from '../study/write.js';
import { againCommand, scenarioFileName } from './again.js';
import { firstVariant, type Look } from './look.js';
import { promised, type Artefact, type Product } from './products.js';
import type { Surroundings } from './surroundings.js';

/** A file of the results and what it holds, in a few words. */
export interface Made {
  readonly file: string;
  readonly about: string;
}

/** A promised file in the folder in the making. */
export interface Draft {
  readonly name: Artefact;
  readonly about: string;
}

export interface RenderStudyOptions extends Look {
  readonly wanted: ReadonlySet<Product>;
  readonly machine: FilmMachine | null;
}

/** Writes everything wanted, made from the study alone, into a folder. Returns what it wrote, the most asked for first. */
export const renderStudy = async (study: Study, folder: string, options: RenderStudyOptions, around: Surroundings): Promise<readonly Draft[]> => {
  const { variant = firstVariant(study), lang, wanted } = options;
  const texts = { 'study.json': writeStudy(study), 'ticks.csv': ticksCsv(study), 'events.csv': eventsCsv(study), 'summary.md': summaryMarkdown(study, { variant, lang }) };
  for (const [name, text] of Object.entries(texts)) await around.host.write(path.join(folder, name), text);
  const about = new Map<string, string>();
  if (wanted.has('report')) about.set('report.pdf', await makeReport(study, folder, texts, { ...options, variant }, around));
  if (wanted.has('video')) about.set('video.mp4', await makeFilm(study, folder, { ...options, variant }, around));
  return promised(wanted).map((name) => ({ name, about: about.get(name) ?? '' }));
};

interface ChosenVariant {
  readonly variant: string;
}

type Texts = Readonly<Record<'study.json' | 'ticks.csv' | 'events.csv', string>>;

const makeReport = async (study: Study, folder: string, texts: Texts, { variant, lang }: RenderStudyOptions & ChosenVariant, { host, progress, signal }: Surroundings): Promise<string> => {
  progress.stage('report');
  await host.breathe();
  signal.throwIfAborted();
  const pdf = await writeReport(study, { lang, variant, attachments: attachmentsOf(study, texts), command: againCommand(study, { variant, lang }) });
  await host.write(path.join(folder, 'report.pdf'), pdf);
  return lang;
};

/** What a reader needs to check the report or to make it again, carried inside it. */
const attachmentsOf = (study: Study, texts: Texts): Attachment[] => {
  const attach = (name: string, text: string, description: string): Attachment => ({ name, bytes: new TextEncoder().encode(text), description });
  return [
    attach(scenarioFileName(study), study.scenario.text, 'The scenario'),
    attach('study.json', texts['study.json'], 'Everything that was simulated and judged'),
    attach('ticks.csv', texts['ticks.csv'], 'Every tick of every variant'),
    attach('events.csv', texts['events.csv'], 'Every event of every variant'),
  ];
};

const makeFilm = async (study: Study, folder: string, options: RenderStudyOptions & ChosenVariant, { host, progress, signal }: Surroundings): Promise<string> => {
  const { variant, lang, theme, width, height, fps, machine } = options;
  progress.stage('film');
  const reel = storyboard(study, { variant, lang, theme, width, height, fps });
  const { frames } = await film(reel, {
    host,
    folder,
    signal,
    ...(machine && { machine }),
    onProgress: ({ done, total }) => progress.step(done, total, 'frames'),
    onNotice: (notice) => progress.notice(notice),
  });
  return `${minutes(frames / fps)}, ${frames} frames, ${width}x${height}`;
};

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
