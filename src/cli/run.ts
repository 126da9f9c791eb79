import path from 'node:path';
import { Command } from 'commander';
import { parseSize } from '../../renderers/video/size.js';
import { closingText } from '../../renderers/text/closing.js';
import { terminalText } from '../../renderers/text/terminal.js';
import { defaultLook, firstVariant, type Look } from '../pipeline/look.js';
import type { Made } from '../pipeline/publish.js';
import { dryRun } from '../pipeline/dry-run.js';
import { openCache } from '../pipeline/cache.js';
import { writtenProducts, type Product } from '../pipeline/products.js';
import { run, type RunResult } from '../pipeline/run.js';
import type { Surroundings } from '../pipeline/surroundings.js';
import { withSandbox } from '../pipeline/environment.js';
import { writeStudy } from '../study/write.js';
import { loadScenario, planSweeps, type Setting, type SweepSetting } from '../pipeline/load.js';
import { collectSetting, collectSweep, parseCamera, parseEvery, parseFilmDuration, parseFps, parseJobs, parseLang, parsePaper, parseProducts, parseSeed, parseSeeds, parseSensitivity, parseTheme, parseThreads, usageError } from './options.js';
import type { Context } from './context.js';
import { printPlans } from './dry-run.js';
import { progressOn } from './progress.js';

export const runCommand = (context: Context): Command =>
  withLook(
    new Command('run')
      .description('simulate a scenario, film it and report on it')
      .argument('<scenario...>', 'scenario files')
      .option('--out <folder>', 'results go into a folder of the scenario\'s name in here', 'out')
      .option('--only <list>', 'of video, report, replay, text (default: all but text, which prints and writes nothing)', parseProducts)
      .option('--set <path=value>', 'replace a value in every variant; may be repeated', collectSetting)
      .option('--seed <n>', "another seed than the file's", parseSeed)
      .option('--seeds <n>', 'so many seeds, for medians and their 95% intervals (default: 1)', parseSeeds)
      .option('--sensitivity <what>', 'test verdicts against the ranges of the guesses: off, ends (of the shown variant), all (of every variant) (default: ends, off for text alone)', parseSensitivity)
      .option('--sweep <path=from..to:points>', 'move one value over a range; may be repeated', collectSweep)
      .option('--threads <n>', 'runs at the same time (default: all cores)', parseThreads)
      .option('--every <duration>', 'a row of text for so much simulated time', parseEvery)
      .option('--json', 'print the study on stdout, in place of text')
      .option('--dry-run', 'check everything and tell what would be made; simulate, film and write nothing'),
  )
    .addHelpText('after', '\nExamples:\n  faultreel run scenarios/order-api-spike.yaml\n  faultreel run scenarios/order-api-spike.yaml --only text --every 5s\n  faultreel run scenarios/order-api-spike.yaml --only report --lang ko --set values.order-cpu=12ms\n  faultreel run scenarios/order-api-spike.yaml --only report --seeds 10 --sweep values.event-rate=200/s..900/s:8')
    .action((files: string[], flags: RunFlags) => runAll(files, flags, context));

/** Options that say how film and report look; `run` and `render` share them. */
export const withLook = (command: Command): Command =>
  command
    .option('--variant <name>', 'the variant to film and print (the first)')
    .option('--lang <lang>', 'en or ko', parseLang, defaultLook.lang)
    .option('--theme <theme>', 'dark or light', parseTheme, defaultLook.theme)
    .option('--paper <paper>', 'of the report, a4 or letter', parsePaper, defaultLook.paper)
    .option('--size <WxH>', `of the film (default: ${defaultLook.width}x${defaultLook.height})`, parseSize)
    .option('--fps <n>', 'frames of film a second', parseFps, defaultLook.fps)
    .option('--duration <time>', 'length of the film, such as 60s (default: what the pacing of the scenario gives)', parseFilmDuration)
    .option('--jobs <n>', 'browsers side by side (default: by memory and cores)', parseJobs)
    .option('--camera <name>', 'canvas or screenshot (default: the fastest that shows the right picture)', parseCamera)
    .option('--force', 'simulate and film again what was made before, unchanged')
    .option('--quiet', 'no progress and no closing lines')
    .option('--timings', 'tell wall seconds of each part')
    .option('--no-sandbox', "start the browser without its sandbox (containers that cannot have one)");

export interface LookFlags extends Omit<Look, 'width' | 'height' | 'durationMs'> {
  readonly duration?: number;
  readonly sandbox: boolean;
  readonly force?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  readonly quiet?: boolean;
  readonly timings?: boolean;
}

interface RunFlags extends LookFlags {
  readonly out: string;
  readonly only?: ReadonlySet<Product>;
  readonly set?: readonly Setting[];
  readonly seed?: number;
  readonly seeds?: number;
  readonly sensitivity?: 'off' | 'ends' | 'all';
  readonly sweep?: readonly SweepSetting[];
  readonly threads?: number;
  readonly every?: number;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export const lookOf = ({ variant, lang, theme, paper, size: { width, height } = defaultLook, fps, duration, jobs, camera }: LookFlags): Look => ({ lang, theme, paper, width, height, fps, durationMs: duration, jobs, camera, ...(variant !== undefined && { variant }) });

export const surroundings = ({ host, signal }: Context, { quiet = false, timings = false, force = false, sandbox }: Pick<LookFlags, 'quiet' | 'timings' | 'force' | 'sandbox'>, { sparse = false }: { readonly sparse?: boolean } = {}): Surroundings => {
  const progress = progressOn(host, { quiet, timings, sparse });
  const sandboxed = withSandbox(host, sandbox);
  return { host: sandboxed, signal, progress, cache: openCache(sandboxed, { fresh: force, notice: (text) => progress.notice(text) }) };
};

const runAll = async (files: readonly string[], flags: RunFlags, context: Context): Promise<void> => {
  refuseContradictions(files, flags);
  const { out, only = writtenProducts, set = [], sweep = [], seed, seeds, threads } = flags;
  const writes = [...only].some((product) => writtenProducts.has(product));
  const trials = { sensitivity: flags.sensitivity ?? (writes ? 'ends' : 'off'), ...(seed !== undefined && { seed }), ...(seeds !== undefined && { seeds }), ...(threads !== undefined && { threads }) } as const;
  if (flags.dryRun) return printPlans(await Promise.all(files.map((file) => dryRun(file, { ...lookOf(flags), wanted: only, set, sweep, ...trials, ...(writes && { out }) }, context.host))), flags, context.host);
  const around = surroundings(context, flags);
  // What is wrong with the last file is told before the first is filmed.
  for (const file of files) planSweeps(await loadScenario(file, { set, ...(flags.variant !== undefined && { variant: flags.variant }) }, context.host), sweep, { set, variant: flags.variant });
  for (const file of files) {
    const result = await run(file, { ...lookOf(flags), wanted: only, set, sweep, ...trials, ...(writes && { out }) }, around);
    show(result, flags, context);
  }
};

const refuseContradictions = (files: readonly string[], { only = writtenProducts, every, json = false, dryRun = false }: RunFlags): void => {
  if (every !== undefined && !only.has('text')) throw usageError('--every says how often text has a row, but no text was asked for', 'Add --only text');
  if (json && !dryRun && files.length > 1) throw usageError(`--json prints one study, but ${files.length} scenarios were given`, 'Run them one by one');
  const names = files.map((file) => path.parse(file).name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw usageError(`two scenarios are called ${twice}: the results of one would replace those of the other`, 'Run them one by one, with a --out for each');
};

const show = ({ study, made }: RunResult, { only = writtenProducts, every, json = false, quiet = false, lang, variant = firstVariant(study) }: RunFlags, { host }: Context): void => {
  if (json) host.stdout.write(writeStudy(study));
  else if (only.has('text')) host.stdout.write(terminalText(study, { variant, lang, everyMs: every ?? study.scenario.tickMs }));
  if (json || quiet) return;
  if (!only.has('text')) host.stderr.write(closingText(study, variant, lang));
  host.stdout.write(madeLines(made));
};

/** What was written, one line a file, for people and for `cut -f1`. */
export const madeLines = (made: readonly Made[]): string => made.map(({ file, about }) => `${file}\t${about}\n`).join('');
