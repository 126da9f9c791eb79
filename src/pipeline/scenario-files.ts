import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';

/** Where scenarios are looked for when nobody says. */
export const usualFolder = 'scenarios';

/**
 * Scenario files: those that are named, and those in folders that are named, sorted, each once. Of a folder, a file counts when its text begins to be a scenario; other YAML is passed over.
 * @throws FaultreelError (usage) for a path that is not there, and when nothing is found
 */
export const findScenarios = async (paths: readonly string[], host: Host): Promise<readonly string[]> => {
  const asked = paths.length > 0 ? paths : [usualFolder];
  const found: string[] = [];
  for (const one of asked) {
    if (await host.isFolder(one)) found.push(...(await scenariosIn(one, host)));
    else if ((await host.sizeOf(one)) !== null) found.push(path.normalize(one));
    else throw new FaultreelError(exitCodes.usage, { message: `cannot read ${one}: there is no such file or folder`, hint: paths.length > 0 ? 'Give scenario files or folders that hold them' : `Scenarios are looked for in ${usualFolder}; name other files or folders: faultreel check rehearsals` });
  }
  if (found.length > 0) return [...new Set(found)].sort();
  throw new FaultreelError(exitCodes.usage, { message: `expected scenarios in ${asked.join(', ')}, found none`, hint: 'A scenario is a .yaml file with `faultreel: 1`; faultreel init writes one' });
};

const scenariosIn = async (folder: string, host: Host): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of await host.list(folder)) {
    const inner = path.join(folder, name);
    // A link may lead back to where it stands.
    if (passedOver.has(name) || name.startsWith('.') || (await host.isLink(inner))) continue;
    if (await host.isFolder(inner)) found.push(...(await scenariosIn(inner, host)));
    else if (/\.(ya?ml|json)$/.test(name) && looksLikeScenario(await host.readText(inner).catch(() => unreadable))) found.push(inner);
  }
  return found;
};

const passedOver: ReadonlySet<string> = new Set(['node_modules', 'out']);

/** Passed on, so that it is told among the findings. */
const unreadable = 'faultreel: 1';

const looksLikeScenario = (text: string): boolean => /^["']?faultreel["']?\s*:/m.test(text) || /^\s*\{\s*"faultreel"\s*:/.test(text);
