import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import { readBaseline, writeBaseline, type Baseline } from '../study/baseline.js';
import { filesIn } from './files-in.js';
import { notWritable } from './publish.js';
import { writeWhole } from './whole-file.js';

/** A folder of baselines, one a scenario, laid out as the scenarios are: `scenarios/shop.yaml` has `<folder>/scenarios/shop.json`. */
export interface Baselines {
  fileOf(scenario: string): string;
  /** Null when there is none. */
  read(scenario: string): Promise<Baseline | null>;
  /** Writes whole files, one after the other. */
  write(baselines: ReadonlyMap<string, Baseline>): Promise<void>;
  /** Of scenarios that are not there any more. Whoever moved a scenario, or stands in another folder than usual, may want them: they are told, not removed. */
  orphans(): Promise<readonly string[]>;
}

export const baselinesIn = (folder: string, host: Host): Baselines => {
  const fileOf = (scenario: string): string => {
    const own = path.relative(host.cwd, path.resolve(host.cwd, scenario));
    if (own.startsWith('..') || path.isAbsolute(own)) throw new FaultreelError(exitCodes.usage, { message: `--baseline: expected scenarios below the current folder, found ${scenario}`, hint: 'A baseline is named for where its scenario stands: run faultreel check in a folder that holds both' });
    return path.join(folder, `${own.slice(0, own.length - path.extname(own).length)}.json`);
  };
  const read = async (file: string): Promise<Baseline | null> => ((await host.sizeOf(file)) === null ? null : readBaseline(await host.readText(file), file));
  return {
    fileOf,
    read: (scenario) => read(fileOf(scenario)),
    write: async (baselines) => {
      for (const [scenario, baseline] of baselines) {
        const folderOf = path.dirname(fileOf(scenario));
        await host.makeFolder(folderOf).catch((cause: unknown) => {
          throw notWritable(folderOf, host, cause);
        });
        await writeWhole(fileOf(scenario), writeBaseline(baseline), host);
      }
    },
    orphans: async () => {
      const orphans: string[] = [];
      for (const file of await filesIn(folder, host)) if (file.endsWith('.json') && (await isOrphan(path.relative(folder, file), file, host))) orphans.push(file);
      return orphans;
    },
  };
};

const endings = ['.yaml', '.yml', '.json'];

/** A file of somebody else's in the folder is none. */
const isOrphan = async (own: string, file: string, host: Host): Promise<boolean> => {
  for (const ending of endings) if ((await host.sizeOf(own.replace(/\.json$/, ending))) !== null) return false;
  return /"faultreel-baseline\//.test((await host.readText(file)).slice(0, 200));
};
