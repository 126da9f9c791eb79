// Films what changed into $FAULTREEL_OUT/films, laid out as the scenarios are, and writes films.json: what was made, what could not be, and what was left out. A film that fails is told and fails nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notice } from './notice.mjs';
import { wordsOf } from './words.mjs';

const { FAULTREEL_PROGRAM: program, FAULTREEL_OUT, FAULTREEL_FILM, FAULTREEL_FILMS, FAULTREEL_RUN_OPTIONS } = process.env;
const out = FAULTREEL_OUT || 'out/faultreel';
const mode = FAULTREEL_FILM || 'changed';
const most = Number(FAULTREEL_FILMS || 3);
const options = wordsOf(FAULTREEL_RUN_OPTIONS ?? '--sensitivity off');

const refuse = (text) => {
  notice(text, 'error');
  process.exit(2);
};
if (!['true', 'false', 'changed'].includes(mode)) refuse(`film: expected true, false or changed, found "${mode}"`);
if (!Number.isInteger(most) || most < 0) refuse(`films: expected a whole number, found "${FAULTREEL_FILMS}"`);

const json = (name) => (existsSync(path.join(out, name)) ? JSON.parse(readFileSync(path.join(out, name), 'utf8')) : null);

/** Scenarios in the order of their weight; all that were checked follow where all are wanted. */
const wanted = () => {
  if (mode === 'false') return [];
  const changed = json('changed.json') ?? [];
  if (mode === 'changed') return changed;
  const rest = (json('check.json')?.scenarios ?? []).filter(({ file }) => !changed.some((one) => one.file === file));
  return [...changed, ...rest.map(({ file }) => ({ file, why: 'asked for', variant: null }))];
};

/** Ubuntu 24.04 and its like keep user namespaces, which Chromium's sandbox is made of, from programs that they do not know. */
const sandboxOptions = () => {
  if (process.platform !== 'linux' || process.getuid() === 0 || spawnSync('unshare', ['--user', '--map-root-user', 'true']).status !== 1) return [];
  notice('this machine does not allow the sandbox of the browser: films are made without it');
  return ['--no-sandbox'];
};

/** Names that every file system, and GitHub's artifacts, take. */
const tame = (name) => name.replace(/[":<>|*?\r\n\\]/g, '_');

const placeOf = (file, taken) => {
  const own = path.normalize(file).replace(/\.[^./]*$/, '').split(path.sep).filter((part) => part !== '..' && part !== '').map(tame).join('/');
  let place = own;
  for (let i = 2; taken.has(place); i += 1) place = `${own}-${i}`;
  taken.add(place);
  return place;
};

const films = { made: [], failed: [], leftOut: [] };
const taken = new Set();
const candidates = wanted();
const sandbox = candidates.length > 0 ? sandboxOptions() : [];
for (const { file, why, variant } of candidates) {
  if (why === 'invalid') films.leftOut.push({ file, why });
  else if (films.made.length + films.failed.length >= most) films.leftOut.push({ file, why: `more than ${most}` });
  else {
    const work = path.join(out, 'films/.work');
    rmSync(work, { recursive: true, force: true });
    // What one names oneself counts: the last of an option does.
    const seen = variant === null ? [] : ['--variant', variant];
    // Its lines would tell where the files are now, and not where they will be.
    const { status } = spawnSync(process.execPath, [program, 'run', ...seen, ...options, ...sandbox, '--out', work, '--', file], { stdio: ['ignore', 'ignore', 2] });
    const [name] = status === 0 && existsSync(work) ? readdirSync(work) : [];
    if (name === undefined) films.failed.push({ file, code: status });
    else {
      const place = path.posix.join('films', placeOf(file, taken));
      mkdirSync(path.dirname(path.join(out, place)), { recursive: true });
      renameSync(path.join(work, name), path.join(out, place));
      films.made.push({ file, why, variant, folder: place, files: readdirSync(path.join(out, place)).toSorted() });
      process.stderr.write(`${file}: ${path.join(out, place)}\n`);
    }
    rmSync(work, { recursive: true, force: true });
  }
}
for (const { file, code } of films.failed) notice(`${file} could not be filmed: exit code ${code}; the log has the reason`, 'warning');
writeFileSync(path.join(out, 'films.json'), `${JSON.stringify(films, null, 2)}\n`);
