import type { Scenario } from '../scenario/model.js';
import type { Reading } from '../analysis/index.js';
import { readStudy } from '../study/read.js';
import { writeStudy } from '../study/write.js';
import type { Cache, Key } from './cache.js';
import { simulateStudy, type Simulated, type StudyOptions } from './simulate.js';
import type { Surroundings } from './surroundings.js';
import { toolBuild } from './tool-build.js';

export interface KeptStudy extends Simulated {
  /** It was made before. */
  readonly cached: boolean;
}

/** The study of a scenario: as it was made before, or made now and kept. */
export const studyFor = async (scenario: Scenario, options: StudyOptions, around: Surroundings): Promise<KeptStudy> => {
  const { cache, host, progress } = around;
  if (!cache) return { ...(await simulateStudy(scenario, options, around)), cached: false };
  const key = studyKey(scenario, options, await toolBuild(host));
  const kept = await take(cache, key);
  if (kept) {
    progress.detail(`${scenario.name}: simulated before, taken from the cache (--force simulates again)`);
    return { ...kept, cached: true };
  }
  const made = await simulateStudy(scenario, options, around);
  await cache.keep(key, new Map([[files.study, writeStudy(made.study)], [files.readings, JSON.stringify(made.bySeed.map((readings) => [...readings]))]]));
  return { ...made, cached: false };
};

/** Everything that decides a study. The number of threads does not. */
export const studyKey = ({ name, text, variants }: Scenario, { seed, seeds = 1, set = [], sensitivity = 'off', sweeps = [], variant }: StudyOptions, build: string): Key => ({
  what: 'study',
  ingredients: {
    tool: build,
    name,
    content: text,
    variants: variants.map((system) => system.variant),
    seed: seed ?? variants[0].seed,
    seeds,
    set: set.map(({ path, value }) => [path, value]),
    sensitivity,
    sweeps: sweeps.map(({ input, values }) => [input.path, values]),
    // Which one is shown is seen in a study only by what was tried with it.
    tried: sensitivity === 'ends' || sweeps.length > 0 ? (variant ?? variants[0].variant) : null,
  },
});

const files = { study: 'study.json', readings: 'readings.json' } as const;

const take = async (cache: Cache, key: Key): Promise<Simulated | null> => {
  const kept = await cache.take(key);
  const [study, readings] = [kept?.get(files.study), kept?.get(files.readings)];
  if (!study || !readings) return null;
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  try {
    const bySeed = (JSON.parse(decode(readings)) as (readonly [string, Reading])[][]).map((entries) => new Map(entries));
    const whole = readStudy(decode(study), files.study);
    return bySeed.length === (whole.spread?.seeds.length ?? 1) && bySeed.every((own) => Object.keys(whole.runs).every((variant) => own.has(variant))) ? { study: whole, bySeed } : null;
  } catch {
    // Somebody wrote there who should not have: it is made again.
    return null;
  }
};
