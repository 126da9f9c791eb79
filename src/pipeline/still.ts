import path from 'node:path';
import { checkTemporaryFolder } from '../../renderers/browser/temporary-folder.js';
import { openCamera } from '../../renderers/browser/camera.js';
import { findBrowser } from '../../renderers/browser/find.js';
import { clock } from '../../renderers/look/numbers.js';
import { stillSvg, type StillMoment } from '../../renderers/video/still.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { exitCodes, FaultreelError } from '../errors.js';
import type { Host } from '../host.js';
import { eventKinds } from '../scenario/model.js';
import { readStudy } from '../study/read.js';
import { splitSubject } from '../study/events.js';
import type { LoggedEvent, Study } from '../study/types.js';
import { loadScenario, noSuchVariant, readFile, type Setting } from './load.js';
import { firstVariant, type Look } from './look.js';
import { notWritable } from './publish.js';
import { studyFor } from './kept-study.js';
import { writeWhole } from './whole-file.js';
import type { Surroundings } from './surroundings.js';

/** Which picture of the film: a simulated time in ms, the first event of a kind at a subject, or a card. */
export type At = { readonly timeMs: number } | { readonly kind: string; readonly subject: string } | { readonly card: 'title' | 'verdict' } | { readonly question: number };

export interface StillOptions extends Look {
  readonly at: At;
  /** A .png, or a .svg, which needs no browser; named after scenario and moment in the current folder when absent. */
  readonly out?: string;
  readonly set: readonly Setting[];
  readonly seed?: number;
}

/**
 * One picture of the film, made from a scenario or from a study.json; returns the file's path. All variants are simulated: places and scales are of all of them.
 * @throws FaultreelError (usage) when the moment is not in the run, with what there is; (environment) when it cannot be written, before anything is simulated
 */
export const still = async (file: string, options: StillOptions, around: Surroundings): Promise<string> => {
  const { host, progress } = around;
  await refuseTarget(options.out, host);
  const study = await studyIn(file, options, around);
  const variant = options.variant ?? firstVariant(study);
  if (!Object.hasOwn(study.runs, variant)) throw noSuchVariant(variant, Object.keys(study.runs), file);
  const moment = momentIn(study, variant, options.at);
  const svg = stillSvg(study, { ...options, variant }, moment);
  const target = path.resolve(host.cwd, options.out ?? `${study.scenario.name}-${fileNameOf(study, moment)}.png`);
  const picture = target.endsWith('.svg') ? Buffer.from(svg) : await photographed(svg, options, around);
  // It may have become a folder meanwhile.
  await refuseFolder(target, host);
  await writeWhole(target, picture, host);
  progress.end();
  return target;
};

const photographed = async (svg: string, { width, height }: Pick<Look, 'width' | 'height'>, { host, progress, signal }: Surroundings): Promise<Uint8Array> => {
  progress.stage('still');
  const onNotice = (notice: string): void => progress.notice(notice);
  const found = await findBrowser(host, { onNotice, signal });
  const camera = await openCamera({ host, found, width, height, jobs: 1, camera: 'screenshot', onNotice, signal });
  try {
    return await camera.still(svg);
  } finally {
    await camera.close();
  }
};

const studyIn = async (file: string, options: StillOptions, around: Surroundings): Promise<Study> => {
  const text = await readFile(file, around.host);
  if (/^\s*\{\s*"schema"\s*:\s*"faultreel-study/.test(text)) return readStudy(text, file);
  return (await studyFor(await loadScenario(file, options, around.host), options, around)).study;
};

const momentIn = (study: Study, variant: string, at: At): StillMoment => {
  const run = study.runs[variant];
  const { tickMs } = study.scenario;
  const tickOf = (ms: number): number => Math.min(run.ticks.count - 1, Math.floor(ms / tickMs + 1e-9));
  if ('card' in at) return at;
  if ('timeMs' in at) {
    if (at.timeMs > run.durationMs) throw usage(`--at: the run of ${variant} ends at ${clock(run.durationMs)}, found ${clock(at.timeMs)}`, `Give a time from 0s to ${run.durationMs / 1000}s`);
    return { tick: tickOf(at.timeMs) };
  }
  if ('question' in at) {
    const stops = stopsInRun(study, variant);
    if (at.question < 1 || at.question > stops.length) throw usage(`--at: the film of ${variant} asks ${stops.length} question${stops.length === 1 ? '' : 's'}, found question ${at.question}`, stops.length > 0 ? `Write --at "question 1"` : 'Ask something under rehearsal.stops in the scenario');
    return at;
  }
  const event = run.eventLog.find((logged) => logged.kind === at.kind && isAt(logged, at.subject));
  if (!event) throw usage(`--at: no event "${at.kind} ${at.subject}" happens in ${variant}`, happened(run.eventLog));
  return { tick: tickOf(event.tMs) };
};

const isAt = (event: LoggedEvent, subject: string): boolean => event.subject === subject || splitSubject(event.subject).service === subject;

const listedEvents = 12;

/** Each kind of event with its subject once, as `--at` takes them. */
const happened = (events: readonly LoggedEvent[]): string => {
  const forms = [...new Set(events.map(({ kind, subject }) => `${kind} ${splitSubject(subject).service}`))];
  if (forms.length === 0) return `Nothing happens in this run: give a time, for example --at 1m (events are: ${eventKinds.join(', ')})`;
  return `It has: ${forms.slice(0, listedEvents).map((form) => `"${form}"`).join(', ')}${forms.length > listedEvents ? ` and ${forms.length - listedEvents} more` : ''}`;
};

const fileNameOf = (study: Study, moment: StillMoment): string => ('card' in moment ? moment.card : 'question' in moment ? `question-${moment.question}` : clock(moment.tick * study.scenario.tickMs).replace(/[:.]/g, 'm').concat('s'));

/** What would only be found out when the picture is there. */
const refuseTarget = async (out: string | undefined, host: Host): Promise<void> => {
  const target = path.resolve(host.cwd, out ?? 'still.png');
  if (out !== undefined) await refuseFolder(target, host);
  await host.remove(await besideOf(target, host));
  if (!target.endsWith('.svg')) await checkTemporaryFolder(host);
};

const refuseFolder = async (target: string, host: Host): Promise<void> => {
  if (await host.isFolder(target)) throw usage(`--out: expected a file, found that ${target} is a folder`, `Give a file in it, for example --out ${path.join(target, 'still.png')}`);
};

/** A new folder beside a file that is to be replaced. */
const besideOf = async (target: string, host: Host): Promise<string> => {
  const folder = path.dirname(target);
  if (!(await host.isFolder(folder))) throw new FaultreelError(exitCodes.environment, { message: `There is no folder ${folder}`, hint: 'Make it, or give another file with --out' });
  return host.makeTemporaryFolder(target).catch((cause: unknown) => {
    throw notWritable(folder, host, cause);
  });
};

const usage = (message: string, hint: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint });
