import { isPaper, papers, type Paper } from '../../renderers/pdf/paper.js';
import { shortestFilmMs } from '../../renderers/video/film-length.js';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Setting, SweepSetting } from '../pipeline/load.js';
import { mostSeeds, mostThreads } from '../pipeline/simulate.js';
import { products, type Product } from '../pipeline/products.js';
import { isLang, langs } from '../text/lang.js';
import type { Lang } from '../study/types.js';

/** Parsers of option values; each says what it expected, what it found and what to write instead. */

export const usageError = (message: string, hint: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint });

export const parseProducts = (text: string): ReadonlySet<Product> => {
  const names = text.split(',').map((name) => name.trim());
  const strange = names.find((name) => !(products as readonly string[]).includes(name));
  if (strange !== undefined) throw usageError(`--only: expected a list of ${products.join(', ')}, found "${strange}"`, 'Write, for example, --only report or --only video,report');
  return new Set(names as Product[]);
};

export const parseLang = (text: string): Lang => {
  if (!isLang(text)) throw usageError(`--lang: expected ${langs.join(' or ')}, found "${text}"`, 'Write --lang ko for a film and a report in Korean');
  return text;
};

export const parseTheme = (text: string): 'dark' | 'light' => {
  if (text !== 'dark' && text !== 'light') throw usageError(`--theme: expected dark or light, found "${text}"`, 'Write --theme light for bright rooms and print');
  return text;
};

export const parsePaper = (text: string): Paper => {
  if (!isPaper(text)) throw usageError(`--paper: expected ${Object.keys(papers).join(' or ')}, found "${text}"`, 'Write --paper letter for a report on US Letter');
  return text;
};

export const parseFps = (text: string): number => wholeNumber('--fps', text, 1, 60, 'frames of film a second', '--fps 30');

export const parseSeed = (text: string): number => wholeNumber('--seed', text, 0, 2 ** 32 - 1, 'a seed', '--seed 7');

/** `5s` → 5000. */
export const parseEvery = (text: string): number => {
  const everyMs = durationMs(text);
  if (everyMs === null) throw usageError(`--every: expected a duration with its unit, found "${text}"`, 'Write --every 5s for a row every five simulated seconds');
  return everyMs;
};

const longestFilmMs = 3_600_000;

/** Length of a film. */
export const parseFilmDuration = (text: string): number => {
  const ms = durationMs(text);
  if (ms === null || ms < shortestFilmMs || ms > longestFilmMs) throw usageError(`--duration: expected the length of the film from ${shortestFilmMs / 1000}s to ${longestFilmMs / 60_000}m, found "${text}"`, 'Write --duration 60s for a film of a minute, whatever it shows');
  return ms;
};

export const parseJobs = (text: string): number => wholeNumber('--jobs', text, 1, 16, 'browsers', '--jobs 2');

export const parseCamera = (text: string): 'canvas' | 'screenshot' => {
  if (text !== 'canvas' && text !== 'screenshot') throw usageError(`--camera: expected canvas or screenshot, found "${text}"`, 'Leave it out: the fastest that shows the right picture is used');
  return text;
};

/** `1m30s`, `90s`, `1.5m` → ms; null when it is no duration or none above zero. */
export const durationMs = (text: string): number | null => {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  let ms = 0;
  for (const [, value, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) ms += Number(value) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 ? ms : null;
};

/** `--set values.order-cpu=12ms`, as often as it is given. */
export const collectSetting = (text: string, before: readonly Setting[] = []): readonly Setting[] => {
  const equals = text.indexOf('=');
  if (equals < 1 || equals === text.length - 1) throw usageError(`--set: expected path=value, found "${text}"`, 'Write, for example, --set values.order-cpu=12ms');
  return [...before, { path: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim() }];
};

export const parseSeeds = (text: string): number => wholeNumber('--seeds', text, 1, mostSeeds, 'how many seeds to run', '--seeds 10');

export const parseThreads = (text: string): number => wholeNumber('--threads', text, 1, mostThreads, 'threads that simulate at the same time', '--threads 2');

export const parseSensitivity = (text: string): 'off' | 'ends' | 'all' => {
  if (text !== 'off' && text !== 'ends' && text !== 'all') throw usageError(`--sensitivity: expected off, ends or all, found "${text}"`, 'Write --sensitivity ends to test the verdicts of the shown variant against the ranges of its guesses, all for every variant');
  return text;
};

/** `--sweep services.app.to.db.pool.max=5..40:8`, as often as it is given. */
export const collectSweep = (text: string, before: readonly SweepSetting[] = []): readonly SweepSetting[] => {
  const [, path, from, to, count] = /^([^=]+)=(.+?)\.\.(.+):(\d+)$/.exec(text) ?? [];
  if (path === undefined) throw usageError(`--sweep: expected path=from..to:points, found "${text}"`, 'Write, for example, --sweep values.event-rate=200/s..900/s:8');
  return [...before, { path: path.trim(), from: from.trim(), to: to.trim(), points: Number(count) }];
};

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

const wholeNumber = (flag: string, text: string, low: number, high: number, what: string, example: string): number => {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= low && value <= high)) throw usageError(`${flag}: expected ${what} as a whole number from ${low} to ${high}, found "${text}"`, `Write, for example, ${example}`);
  return value;
};
