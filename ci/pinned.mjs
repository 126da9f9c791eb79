// Prints the folder of a faultreel that is installed here, or what npm has to install: what the lock file pins, else what package.json names, else $FAULTREEL_VERSION, else the version of this action.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { notice } from './notice.mjs';

const json = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** The current folder and those around it, up to the root of the repository. */
const foldersAround = (folder) => {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, '.git')) || parent === folder ? [folder] : [folder, ...foldersAround(parent)];
};

const installedIn = (folder) => {
  const place = path.join(folder, 'node_modules/faultreel');
  return existsSync(path.join(place, 'package.json')) ? realpathSync(place) : null;
};

const lockedIn = (folder) => {
  const locked = ['npm-shrinkwrap.json', 'package-lock.json'].map((name) => json(path.join(folder, name))?.packages?.['node_modules/faultreel']).find((one) => one);
  if (!locked) return null;
  const { version, resolved = '', link = false } = locked;
  if (link || resolved.startsWith('file:')) return path.resolve(folder, resolved.replace(/^file:/, ''));
  return resolved.startsWith('git') ? resolved : `faultreel@${version}`;
};

const namedIn = (folder) => {
  const { dependencies = {}, devDependencies = {} } = json(path.join(folder, 'package.json')) ?? {};
  const range = dependencies.faultreel ?? devDependencies.faultreel;
  if (!range) return null;
  notice(`package.json names faultreel ${range}, and no package-lock.json pins it: install your packages before this step, to be sure of the version`);
  return range.startsWith('file:') ? path.resolve(folder, range.slice('file:'.length)) : `faultreel@${range}`;
};

const asked = () => {
  const version = process.env.FAULTREEL_VERSION?.trim() || json(path.join(import.meta.dirname, '../package.json')).version;
  return existsSync(version) ? path.resolve(version) : `faultreel@${version}`;
};

const folders = foldersAround(process.cwd());
const first = (find) => folders.reduce((found, folder) => found ?? find(folder), null);
process.stdout.write(first(installedIn) ?? first(lockedIn) ?? first(namedIn) ?? asked());
