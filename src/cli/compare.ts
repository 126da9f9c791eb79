import { Command } from 'commander';
import { parseSize } from '../../renderers/video/size.js';
import { compare, type CompareResult } from '../pipeline/compare.js';
import { dryCompare } from '../pipeline/dry-render.js';
import { defaultLook } from '../pipeline/look.js';
import { type Product } from '../pipeline/products.js';
import type { Context } from './context.js';
import { printRender } from './dry-run.js';
import { parseCamera, parseFilmDuration, parseFps, parseJobs, parseLang, parseTheme, usageError } from './options.js';
import { madeLines, surroundings, type LookFlags } from './run.js';

export const compareCommand = (context: Context): Command =>
  new Command('compare')
    .description('two to four variants, scenarios or studies: one film side by side, the difference in words and figures')
    .argument('<file...>', 'a scenario or study with its variants, or several; file#variant for another than the first')
    .option('--variants <list>', 'two to four variants of one file (default: its first two)', parseVariants)
    .option('--out <folder>', 'results go into a folder named after what is compared in here', 'out')
    .option('--only <list>', 'of video, report, text (default: video,report; text prints the difference and writes nothing)', parseCompareProducts)
    .option('--lang <lang>', 'en or ko', parseLang, defaultLook.lang)
    .option('--theme <theme>', 'dark or light', parseTheme, defaultLook.theme)
    .option('--size <WxH>', `of the film (default: ${defaultLook.width}x${defaultLook.height})`, parseSize)
    .option('--fps <n>', 'frames of film a second', parseFps, defaultLook.fps)
    .option('--duration <time>', 'length of the film, such as 60s (default: what the pacing of the sides gives)', parseFilmDuration)
    .option('--jobs <n>', 'browsers side by side (default: by memory and cores)', parseJobs)
    .option('--camera <name>', 'canvas or screenshot (default: the fastest that shows the right picture)', parseCamera)
    .option('--json', 'print the figures of the difference on stdout')
    .option('--dry-run', 'check everything and tell what would be made; simulate, film and write nothing')
    .option('--force', 'simulate and film again what was made before, unchanged')
    .option('--quiet', 'no progress and no closing lines')
    .option('--timings', 'tell wall seconds of each part')
    .option('--no-sandbox', 'start the browser without its sandbox (containers that cannot have one)')
    .addHelpText(
      'after',
      '\nExamples:\n  faultreel compare scenarios/order-api-spike.yaml\n  faultreel compare scenarios/order-api-spike.yaml --variants as-it-is,dedicated-health-path,no-fail-open\n  faultreel compare before.yaml after.yaml#patched --only report\n  faultreel compare out/a/study.json out/b/study.json',
    )
    .action((files: string[], flags: CompareFlags) => compareAll(files, flags, context));

interface CompareFlags extends LookFlags {
  readonly out: string;
  readonly variants?: readonly string[];
  readonly only?: ReadonlySet<Product>;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

const filmAndReport: ReadonlySet<Product> = new Set(['video', 'report']);

const compareAll = async (files: readonly string[], flags: CompareFlags, context: Context): Promise<void> => {
  const { lang, theme, fps, size: { width, height } = defaultLook, only = filmAndReport, variants, duration, jobs, camera, json = false, quiet = false } = flags;
  if (height > width) throw usageError(`--size: a comparison is filmed in landscape, found ${width}x${height}`, `Write --size ${height}x${width}`);
  if (duration !== undefined && !only.has('video')) throw usageError('--duration is the length of the film, but no film was asked for', 'Add --only video');
  const writes = only.has('video') || only.has('report');
  const options = { lang, theme, fps, width, height, wanted: only, ...(writes && { out: flags.out }), durationMs: duration, jobs, camera, ...(variants && { variants }) };
  if (flags.dryRun) return printRender(await dryCompare(files, options, context.host), { json }, context.host);
  const result = await compare(files, options, surroundings(context, flags));
  context.host.stdout.write(shown(result, json, quiet));
};

const shown = ({ comparison, closing, text, made }: CompareResult, json: boolean, quiet: boolean): string => {
  if (json) return `${JSON.stringify({ ...comparison, closing }, null, 2)}\n`;
  if (quiet) return '';
  return text ?? `${madeLines(made)}${closing}\n`;
};

const parseVariants = (text: string): readonly string[] => {
  const names = text.split(',').map((name) => name.trim());
  if (names.length < 2 || names.length > 4 || names.includes('')) throw usageError(`--variants: expected two to four names, found "${text}"`, 'Write, for example, --variants as-it-is,dedicated-health-path');
  return names;
};

const parseCompareProducts = (text: string): ReadonlySet<Product> => {
  const possible: readonly string[] = ['video', 'report', 'text'];
  const names = text.split(',').map((name) => name.trim());
  const strange = names.find((name) => !possible.includes(name));
  if (strange !== undefined) throw usageError(`--only: expected a list of ${possible.join(', ')}, found "${strange}"`, 'Write, for example, --only report or --only video,report');
  return new Set(names as Product[]);
};
