import { createHash } from 'node:crypto';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { inputsOf } from '../../src/study/inputs.js';
import type { Lang, Study } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { trialWords } from '../../src/text/report-trials.js';
import type { Attachment, Book } from './book.js';
import type { ReportContext } from './context.js';
import { Flow } from './flow.js';
import { furniture } from './furniture.js';
import { agree, noOutline, type Outline } from './outline.js';
import { contents } from './pages/contents.js';
import { countedPage, countedRoom } from './pages/counted.js';
import { guessedPage } from './pages/guessed.js';
import { knownPage } from './pages/known.js';
import { allObjectives } from './pages/objectives.js';
import { methodPage } from './pages/method.js';
import { seedsPage } from './pages/seeds.js';
import { sensitivityPage } from './pages/sensitivity.js';
import { sweepsPage } from './pages/sweeps.js';
import { timelinePage } from './pages/timeline.js';
import { variantsPage } from './pages/variants.js';
import { firstPage, verdictPage } from './pages/verdict.js';
import type { Paper } from './paper.js';
import { loadProse } from './prose.js';
import { clean } from './rich.js';
import { writeBook } from './write-book.js';

export interface ReportOptions {
  readonly lang: Lang;
  /** The variant that the pages are about; the reference when left out. */
  readonly variant?: string;
  /** A4 when left out. */
  readonly paper?: Paper;
  /** Carried inside the file, with their hashes printed. */
  readonly attachments: readonly Attachment[];
  /** The command that makes this report again, as one types it. */
  readonly command: string;
}

/**
 * The design-review report of a study as a tagged PDF. A pure function of its arguments: same study, same bytes.
 * @throws FaultreelError usage for a variant that the study does not have; environment for a missing font, template or character.
 */
export const writeReport = async (study: Study, options: ReportOptions): Promise<Uint8Array> => writeBook(await layReport(study, options));

/** The report before it is a file. It is laid until the page numbers that it prints are those where things are. */
export const layReport = async (study: Study, { lang, variant, paper = 'a4', attachments, command }: ReportOptions): Promise<Book> => {
  const run = runOf(study, variant);
  // The register and all that leads to it are of the variant that the pages are about.
  const about = { study: { ...study, inputs: inputsOf(study, run.variant) }, run, lang, words: reportWords[lang], prose: await loadProse(lang), command, attachments: attachments.map(withHash), remember: rememberer() };
  let before: Outline = noOutline;
  for (let laying = 1; ; laying++) {
    const flow = new Flow(lang, paper, before);
    sections({ flow, ...about });
    const found: Outline = { headings: flow.bookmarks, places: flow.places };
    if (agree(before, found)) return bookOf({ flow, ...about });
    if (laying === mostLayings) throw new Error(`the page numbers of the report still move after ${mostLayings} layings`);
    before = found;
  }
};

/** The first finds the headings, the second makes room for the contents, the third has the right pages; a number that grows by a digit may take one more. */
const mostLayings = 8;

const sections = (report: ReportContext): void => {
  const { flow, words } = report;
  // A section goes on where the one before it ended when more than a third of the page is free.
  const room = flow.height / 3;
  const first = firstPage(report);
  flow.section('verdict', words.title.objectives, 0, () => verdictPage(report, first));
  contents(flow);
  allObjectives(report, first.rows);
  flow.section('timeline', words.title.timeline, room, () => timelinePage(report));
  flow.section('known', words.title.known, room, () => knownPage(report));
  flow.section('counted', words.title.counted, Math.max(room, countedRoom(report)), () => countedPage(report));
  flow.section('guessed', words.title.guessed, room, () => guessedPage(report));
  const tested = report.study.sensitivity?.[report.run.variant];
  if (tested && tested.ends.length > 0) flow.section('sensitivity', trialWords[report.lang].title.sensitivity, room, () => sensitivityPage(report, tested));
  if (report.study.spread) flow.section('seeds', trialWords[report.lang].title.seeds, room, () => seedsPage(report, report.study.spread!));
  if (report.study.sweeps.some(({ variant }) => variant === report.run.variant)) flow.section('sweeps', trialWords[report.lang].title.sweeps, room, () => sweepsPage(report));
  flow.section('variants', words.title.variants, room, () => variantsPage(report));
  flow.section('method', words.title.method, room, () => methodPage(report));
};

const bookOf = ({ flow, study, run, lang, words, attachments }: ReportContext): Book => {
  const title = clean(study.scenario.title[lang]);
  const pages = flow.page + 1;
  const variant = Object.keys(study.runs).length > 1 ? clean(run.variant) : null;
  return {
    lang,
    title,
    subject: words.report,
    sheet: flow.sheet,
    pages,
    root: flow.root,
    artifacts: [...flow.artifacts, ...furniture({ pages, title, variant, seed: study.scenario.seed, lang, sheet: flow.sheet })],
    bookmarks: flow.bookmarks,
    places: flow.places,
    attachments,
  };
};

/** Makes each thing once: a drawing does not depend on the page that it ends up on. */
const rememberer = (): ReportContext['remember'] => {
  const made = new Map<string, unknown>();
  return <T>(key: string, make: () => T): T => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as T;
  };
};

const runOf = (study: Study, variant: string | undefined): ReportContext['run'] => {
  const names = Object.keys(study.runs);
  const run = study.runs[variant ?? names[0]];
  if (!run) throw new FaultreelError(exitCodes.usage, { message: `expected a variant of this study, found "${variant}"`, hint: `It has: ${names.join(', ')}.` });
  return run;
};

const withHash = (attachment: Attachment): Attachment & { readonly sha256: string } => ({ ...attachment, sha256: createHash('sha256').update(attachment.bytes).digest('hex') });
