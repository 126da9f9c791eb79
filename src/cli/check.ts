import path from 'node:path';
import { Command } from 'commander';
import { annotations } from '../../renderers/text/annotations.js';
import { checkedEnding, checkedLines } from '../../renderers/text/check-lines.js';
import { checkMarkdown } from '../../renderers/text/check-markdown.js';
import { junitXml } from '../../renderers/text/junit.js';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import { check } from '../pipeline/check.js';
import { promised, writtenProducts } from '../pipeline/products.js';
import type { Shard } from '../pipeline/shards.js';
import { Verdict, type Context } from './context.js';
import { parseSeeds, parseThreads, usageError } from './options.js';
import { surroundings } from './run.js';

export const checkCommand = (context: Context): Command =>
  new Command('check')
    .description('for CI: simulate scenarios over seeds; fail when a claim, an objective or a figure is not as told')
    .argument('[paths...]', 'scenario files, and folders that hold them (default: scenarios)')
    .option('--baseline <folder>', 'compare every figure with what it was when the baseline was written')
    .option('--update', 'write the baselines anew')
    .option('--changed-since <ref>', 'only scenarios that differ from where this branch left a commit; all when the tool differs')
    .option('--seeds <n>', 'so many seeds', parseSeeds, 10)
    .option('--junit <file>', 'write JUnit XML')
    .option('--summary <file>', 'write Markdown, for a pull request or $GITHUB_STEP_SUMMARY')
    .option('--json', 'print everything that was found as JSON on stdout; the lines go to stderr')
    .option('--shard <i/n>', 'the i-th of n machines that check at the same time', parseShard)
    .option('--threads <n>', 'runs at the same time (default: all cores)', parseThreads)
    .option('--force', 'simulate again what was simulated before, unchanged')
    .option('--quiet', 'no progress and no lines of those that pass')
    .addHelpText('after', '\nExamples:\n  faultreel check\n  faultreel check scenarios --baseline baseline --update\n  faultreel check scenarios --baseline baseline --changed-since origin/main --summary summary.md --junit junit.xml')
    .action((paths: string[], flags: CheckFlags) => checkAll(paths, flags, context));

interface CheckFlags {
  readonly baseline?: string;
  readonly update?: boolean;
  readonly changedSince?: string;
  readonly seeds: number;
  readonly junit?: string;
  readonly summary?: string;
  readonly json?: boolean;
  readonly shard?: Shard;
  readonly threads?: number;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

const checkAll = async (paths: readonly string[], flags: CheckFlags, context: Context): Promise<void> => {
  const { host } = context;
  const { update = false, json = false, quiet = false, junit, summary, seeds, baseline, changedSince, shard, threads, force = false } = flags;
  await refuseTargets({ '--junit': junit, '--summary': summary }, host);
  // Who takes the JSON of stdout still sees in a log how it went.
  const lines = json ? host.stderr : host.stdout;
  const checked = await check(
    paths,
    {
      ...{ seeds, update, ...(baseline !== undefined && { baseline }), ...(changedSince !== undefined && { changedSince }), ...(shard && { shard }), ...(threads !== undefined && { threads }) },
      onChecked: (scenario) => {
        if (!(quiet && scenario.passed)) lines.write(checkedLines(scenario));
        if (host.env.GITHUB_ACTIONS === 'true') host.stderr.write(annotations(scenario, fromRoot(scenario.file, host)));
      },
    },
    surroundings(context, { quiet, force, sandbox: true }, { sparse: true }),
  );
  if (json) host.stdout.write(`${JSON.stringify(checked, null, 2)}\n`);
  if (!quiet || !checked.passed) lines.write(checkedEnding(checked));
  if (junit !== undefined) await writeFile('--junit', junit, junitXml(checked), host);
  if (summary !== undefined) await writeFile('--summary', summary, checkMarkdown(checked, ({ name }) => (name === null ? [] : promised(writtenProducts).filter((file) => shown.has(file)).map((file) => path.join('out', name, file)))), host);
  if (!checked.passed) throw new Verdict(checked.scenarios.some(({ status }) => status === 'invalid') ? exitCodes.invalidScenario : exitCodes.checkFailed);
};

/** GitHub names files from the root of the repository. */
const fromRoot = (file: string, { cwd, env }: Host): string => {
  const own = env.GITHUB_WORKSPACE === undefined ? '..' : path.relative(env.GITHUB_WORKSPACE, path.resolve(cwd, file));
  return own.startsWith('..') || path.isAbsolute(own) ? file : own;
};

/** Of the artefacts, those that a reviewer opens. */
const shown: ReadonlySet<string> = new Set(['video.mp4', 'report.pdf', 'replay.html']);

/** `2/4`. */
const parseShard = (text: string): Shard => {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (index === undefined || Number(index) < 1 || Number(index) > Number(of)) throw usageError(`--shard: expected i/n with i from 1 to n, found "${text}"`, 'Write --shard 1/4 on the first of four machines, --shard 4/4 on the last');
  return { index: Number(index), of: Number(of) };
};

/** What cannot be written, or should not be, is told before anything is simulated. */
const refuseTargets = async (targets: Readonly<Record<string, string | undefined>>, host: Host): Promise<void> => {
  const named = Object.entries(targets).flatMap(([flag, file]) => (file === undefined ? [] : [[flag, file] as const]));
  for (const [flag, file] of named) {
    if (file === '' || /\.ya?ml$/.test(file) || (await host.isFolder(file))) throw usageError(`${flag}: expected a file to write, found "${file}"`, `Write ${flag} ${flag === '--junit' ? 'junit.xml' : 'summary.md'}`);
  }
  const [one, other] = named.map(([, file]) => path.resolve(host.cwd, file));
  if (one !== undefined && one === other) throw usageError('--junit and --summary name the same file', 'Write --junit junit.xml --summary summary.md');
};

const writeFile = async (flag: string, file: string, text: string, host: Host): Promise<void> => {
  try {
    await host.makeFolder(path.dirname(path.resolve(host.cwd, file)));
    await host.write(file, text);
  } catch (cause) {
    throw new FaultreelError(exitCodes.environment, { message: `${flag}: cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, hint: 'Name a file that you may write' }, { cause });
  }
};
