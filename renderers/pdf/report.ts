import { createHash } from 'node:crypto';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Lang, Study } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import type { Attachment, Book } from './book.js';
import type { ReportContext } from './context.js';
import { column, Flow } from './flow.js';
import { furniture } from './furniture.js';
import { countedPage, countedRoom } from './pages/counted.js';
import { guessedPage } from './pages/guessed.js';
import { knownPage } from './pages/known.js';
import { methodPage } from './pages/method.js';
import { timelinePage } from './pages/timeline.js';
import { variantsPage } from './pages/variants.js';
import { verdictPage } from './pages/verdict.js';
import { loadProse } from './prose.js';
import { clean } from './rich.js';
import { writeBook } from './write-book.js';

export interface ReportOptions {
  readonly lang: Lang;
  /** The variant that the pages are about; the reference when left out. */
  readonly variant?: string;
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

/** The report before it is a file. */
export const layReport = async (study: Study, { lang, variant, attachments, command }: ReportOptions): Promise<Book> => {
  const words = reportWords[lang];
  const flow = new Flow(lang);
  const report: ReportContext = { flow, study, run: runOf(study, variant), lang, words, prose: await loadProse(lang), command, attachments: attachments.map(withHash) };
  flow.section(words.title.objectives, 0, () => verdictPage(report));
  flow.section(words.title.timeline, room, () => timelinePage(report));
  flow.section(words.title.known, room, () => knownPage(report));
  flow.section(words.title.counted, Math.max(room, countedRoom(report)), () => countedPage(report));
  flow.section(words.title.guessed, room, () => guessedPage(report));
  flow.section(words.title.variants, room, () => variantsPage(report));
  flow.section(words.title.method, room, () => methodPage(report));
  const title = clean(study.scenario.title[lang]);
  const pages = flow.page + 1;
  return {
    lang,
    title,
    subject: words.report,
    pages,
    root: flow.root,
    artifacts: [...flow.artifacts, ...furniture(pages, title, study.scenario.seed, lang)],
    bookmarks: flow.bookmarks,
    links: flow.links(),
    attachments,
  };
};

/** A section goes on where the one before it ended when more than a third of the page is free. */
const room = (column.bottom - column.top) / 3;

const runOf = (study: Study, variant: string | undefined): ReportContext['run'] => {
  const names = Object.keys(study.runs);
  const run = study.runs[variant ?? names[0]];
  if (!run) throw new FaultreelError(exitCodes.usage, { message: `expected a variant of this study, found "${variant}"`, hint: `It has: ${names.join(', ')}.` });
  return run;
};

const withHash = (attachment: Attachment): Attachment & { readonly sha256: string } => ({ ...attachment, sha256: createHash('sha256').update(attachment.bytes).digest('hex') });
