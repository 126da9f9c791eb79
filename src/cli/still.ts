import { Command } from 'commander';
import { parseSize } from '../../renderers/video/size.js';
import type { Setting } from '../pipeline/load.js';
import { defaultLook } from '../pipeline/look.js';
import { still, type At } from '../pipeline/still.js';
import { nearest } from '../scenario/nearest.js';
import { eventKinds } from '../scenario/model.js';
import type { Context } from './context.js';
import { collectSetting, durationMs, parseLang, parseSeed, parseTheme, usageError } from './options.js';
import { lookOf, surroundings, type LookFlags } from './run.js';

export const stillCommand = (context: Context): Command =>
  new Command('still')
    .description('one picture of the film')
    .argument('<scenario>', 'a scenario file, or the study.json of an earlier run')
    .requiredOption('--at <moment>', 'a time (4m30s, 04:30), an event ("oom order-api"), title, verdict, or "question 1"', parseAt)
    .option('--out <file>', 'a .png, or a .svg, which needs no browser (default: named after scenario and moment, here)')
    .option('--variant <name>', 'of which variant (the first)')
    .option('--lang <lang>', 'en or ko', parseLang, defaultLook.lang)
    .option('--theme <theme>', 'dark or light', parseTheme, defaultLook.theme)
    .option('--size <WxH>', `of the picture (default: ${defaultLook.width}x${defaultLook.height})`, parseSize)
    .option('--set <path=value>', 'replace a value in every variant; may be repeated', collectSetting)
    .option('--seed <n>', "another seed than the file's", parseSeed)
    .option('--force', 'simulate again what was simulated before, unchanged')
    .option('--quiet', 'no progress and no closing line')
    .option('--no-sandbox', 'start the browser without its sandbox (containers that cannot have one)')
    .addHelpText('after', '\nExamples:\n  faultreel still scenarios/order-api-spike.yaml --at "oom order-api"\n  faultreel still out/order-api-spike/study.json --at 4m30s --theme light --out moment.svg')
    .action(async (file: string, flags: StillFlags) => {
      const { at, out, set = [], seed } = flags;
      if (out !== undefined && !/\.(png|svg)$/.test(out)) throw usageError(`--out: expected a file that ends in .png or .svg, found "${out}"`, `Write --out ${out.replace(/\.[^./\\]*$/, '')}.png`);
      const made = await still(file, { ...lookOf({ ...flags, fps: defaultLook.fps }), at, set, ...(out !== undefined && { out }), ...(seed !== undefined && { seed }) }, surroundings(context, flags));
      if (!flags.quiet) context.host.stdout.write(`${made}\n`);
    });

interface StillFlags extends LookFlags {
  readonly at: At;
  readonly out?: string;
  readonly set?: readonly Setting[];
  readonly seed?: number;
}

/** `4m30s`, `04:30`, `oom order-api`, `title`, `verdict`, `question 2`. */
export const parseAt = (text: string): At => {
  const words = text.trim().split(/\s+/);
  const timeMs = /^0(s|m|ms)?$/.test(text) ? 0 : (durationMs(text) ?? clockMs(text));
  if (timeMs !== null) return { timeMs };
  if (text === 'title' || text === 'verdict') return { card: text };
  if (words[0] === 'question' && words.length <= 2 && /^\d*$/.test(words[1] ?? '')) return { question: Number(words[1] ?? 1) };
  if (words.length === 2 && (eventKinds as readonly string[]).includes(words[0])) return { kind: words[0], subject: words[1] };
  const near = nearest(words[0], [...eventKinds, 'title', 'verdict', 'question']);
  throw usageError(`--at: expected a time, an event with its subject, title, verdict or question 1, found "${text}"`, near === undefined ? `Write --at 4m30s or --at "oom order-api"; events are ${eventKinds.join(', ')}` : `Did you mean "${[near, ...words.slice(1)].join(' ')}"?`);
};

/** `04:30` → 270,000; null when it is none. */
const clockMs = (text: string): number | null => {
  const match = /^(?:(\d+):)?(\d{1,2}):(\d{2})$/.exec(text);
  return match ? (Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3])) * 1000 : null;
};
