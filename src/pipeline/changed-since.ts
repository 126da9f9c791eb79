import path from 'node:path';
import { reasonOf, runChild } from '../../renderers/browser/child.js';
import { FaultreelError, exitCodes } from '../errors.js';
import { packageFolder, type Host } from '../host.js';

/** What is another one than at some commit. */
export interface Changes {
  /** Whether a file differs, or is new: committed since, or not committed yet. So does what it links to, and a file in a folder that is told as a whole: another repository in this one. */
  has(file: string): Promise<boolean>;
  /** Why every scenario may end otherwise; null when nothing says so. */
  readonly everything: string | null;
}

/**
 * What changed since the commit at which this branch left `ref`.
 * @throws FaultreelError (usage) outside of a repository, for a commit that is not there, and where the history is too short to tell
 */
export const changesSince = async (ref: string, host: Host): Promise<Changes> => {
  const top = (await git(['rev-parse', '--show-toplevel'], host, (said) => ({ message: `--changed-since: expected a git repository here, but git says: ${said}`, hint: 'Run faultreel check in a clone that git trusts, or without --changed-since' }))).trim();
  const fetchIt = 'Fetch it first, for example git fetch origin main; in GitHub Actions, actions/checkout needs fetch-depth: 0';
  const commit = (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], host, () => ({ message: `--changed-since: expected a commit, found "${ref}", which this clone does not have`, hint: fetchIt }))).trim();
  const base = (await git(['merge-base', commit, 'HEAD'], host, () => ({ message: `--changed-since: expected a common ancestor of ${ref} and this branch, found none in this clone`, hint: fetchIt }))).trim();
  const inTop = (args: readonly string[]): Promise<string> => git(['-C', top, ...args], host, (said) => ({ message: `--changed-since: git ${args[0]} failed: ${said}`, hint: 'Run faultreel check without --changed-since' }));
  const names = [await inTop(['diff', '--name-only', '--no-renames', '--ignore-submodules=none', '-z', base, '--']), await inTop(['ls-files', '--others', '--exclude-standard', '-z'])].join('').split('\0').filter((name) => name !== '');
  const changed = new Set(names);
  return {
    has: async (file) => {
      const at = path.resolve(host.cwd, file);
      const itself = path.join((await host.realPath(path.dirname(at))) ?? path.dirname(at), path.basename(at));
      return [itself, (await host.realPath(at)) ?? itself].some((place) => isIn(changed, path.relative(top, place)));
    },
    everything: (await ownChange(changed, top, host)) ?? versionChange(await inTop(['diff', '--unified=0', '--no-color', '--no-ext-diff', base, '--', ...manifests])),
  };
};

/** Whether a path, or a folder around it, is among the changed ones. Of what lies outside nobody can tell. */
const isIn = (changed: ReadonlySet<string>, own: string): boolean => {
  if (own.startsWith('..') || path.isAbsolute(own)) return true;
  const parts = own.split(path.sep);
  return changed.has(own) || parts.slice(0, -1).some((_, i) => [parts.slice(0, i + 1).join('/'), `${parts.slice(0, i + 1).join('/')}/`].some((folder) => changed.has(folder)));
};

/** Files that say which version of a tool is used, and how it is called. */
const manifests = [':(glob)**/package.json', ':(glob)**/package-lock.json', ':(glob)**/npm-shrinkwrap.json', ':(glob)**/pnpm-lock.yaml', ':(glob)**/yarn.lock', '.github', '.gitlab-ci.yml'];

const versionChange = (diff: string): string | null => {
  let file = '';
  for (const line of diff.split('\n')) {
    if (/^(\+\+\+|---) /.test(line)) file = /^\S+ (?:[ab]\/)?(.+)$/.exec(line)?.[1] ?? file;
    else if (/^[+-].*\bfaultreel\b/.test(line)) return `${file} names another faultreel`;
  }
  return null;
};

/** This repository may be the tool's own. */
const ownChange = async (changed: ReadonlySet<string>, top: string, host: Host): Promise<string | null> => {
  const own = path.relative(top, (await host.realPath(packageFolder())) ?? '/');
  if (own.startsWith('..') || path.isAbsolute(own) || own.split(path.sep).includes('node_modules')) return null;
  const code = ['src', 'renderers', 'templates', 'package.json', 'package-lock.json'].map((name) => path.join(own, name));
  const file = [...changed].find((name) => code.some((place) => name === place || name.startsWith(`${place}/`)));
  return file === undefined ? null : `${file} is of faultreel itself`;
};

const git = async (args: readonly string[], host: Host, failure: (said: string) => { readonly message: string; readonly hint: string }): Promise<string> => {
  const ending = await runChild('git', ['-C', host.cwd, ...args], { env: { ...host.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }, deadlineMs: 60_000 });
  if (ending.spawnError) throw new FaultreelError(exitCodes.environment, { message: `--changed-since needs git, which ${reasonOf(ending)}`, hint: 'Install git, or run faultreel check without --changed-since' });
  if (ending.code !== 0) throw new FaultreelError(exitCodes.usage, failure(ending.stderr.trim().split('\n')[0] || reasonOf(ending)));
  return ending.stdout;
};
