import { createHash } from 'node:crypto';
import path from 'node:path';
import { codeFolder, packageFolder, type Host } from '../host.js';
import { filesIn } from './files-in.js';

/**
 * What tells two builds of this tool apart, versions of what it depends on included: a hash of its code, its templates and those versions. The fonts have a hash of their own.
 */
export const toolBuild = async (host: Host): Promise<string> => {
  const hash = createHash('sha256');
  const code = codeFolder();
  const folders = [path.join(code, 'src'), path.join(code, 'renderers'), path.join(packageFolder(), 'templates')];
  for (const folder of folders) for (const file of await filesIn(folder, host)) if (isCode(file)) hash.update(`${path.relative(folder, file)}\0`).update(await host.readBytes(file));
  for (const line of await dependencyVersions(host)) hash.update(`${line}\0`);
  return hash.digest('hex').slice(0, 16);
};

/** As `toolBuild`, of the bundled fonts. */
export const fontsBuild = async (host: Host): Promise<string> => {
  const hash = createHash('sha256');
  for (const file of await filesIn(path.join(packageFolder(), 'templates/fonts'), host)) hash.update(await host.readBytes(file));
  return hash.digest('hex').slice(0, 16);
};

const isCode = (file: string): boolean => !/\.(d\.ts|map)$/.test(file) && path.basename(path.dirname(file)) !== 'fonts';

/** Of what is installed, found as node finds it: in this package's folder, or in one around it. */
const dependencyVersions = async (host: Host): Promise<readonly string[]> => {
  const own = JSON.parse(await host.readText(path.join(packageFolder(), 'package.json'))) as { readonly dependencies: Readonly<Record<string, string>> };
  const versions: string[] = [];
  for (const name of Object.keys(own.dependencies).sort()) versions.push(`${name}@${await installedVersion(name, packageFolder(), host)}`);
  return versions;
};

const installedVersion = async (name: string, folder: string, host: Host): Promise<string> => {
  const text = await host.readText(path.join(folder, 'node_modules', name, 'package.json')).catch(() => null);
  if (text !== null) return (JSON.parse(text) as { readonly version: string }).version;
  const around = path.dirname(folder);
  return around === folder ? 'not found' : installedVersion(name, around, host);
};
