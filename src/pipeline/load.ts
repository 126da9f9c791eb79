import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import { unsupported } from '../engine/index.js';
import type { Unsupported } from '../scenario/unsupported.js';
import { unsupportedChecks } from '../analysis/index.js';
import { parseScenario } from '../scenario/index.js';
import type { Scenario } from '../scenario/model.js';
import { nearest, suggest } from '../scenario/nearest.js';

/** One `--set path=value`, as written. */
export interface Setting {
  readonly path: string;
  readonly value: string;
}

export interface LoadOptions {
  readonly set?: readonly Setting[];
  readonly variant?: string;
}

/**
 * Reads and parses a scenario, with `--set` applied to every variant.
 * @throws FaultreelError (usage) when there is no such file or variant, (invalid scenario) with everything that is wrong in it
 */
export const parseFile = async (file: string, { set = [], variant }: LoadOptions, host: Host): Promise<Scenario> => {
  const scenario = parseScenario(await readFile(file, host), { file, set });
  const names = scenario.variants.map((system) => system.variant);
  if (variant !== undefined && !names.includes(variant)) throw noSuchVariant(variant, names, file);
  return scenario;
};

/** As `parseFile`, and refuses by name what the language allows and this version does not simulate yet. */
export const loadScenario = async (file: string, options: LoadOptions, host: Host): Promise<Scenario> => {
  const scenario = await parseFile(file, options, host);
  refuseNotSimulated(scenario);
  return scenario;
};

/** @throws FaultreelError (invalid scenario) that names every such part */
export const refuseNotSimulated = (scenario: Scenario): void => {
  const missing = notSimulated(scenario);
  if (missing.length === 0) return;
  throw new FaultreelError(
    exitCodes.invalidScenario,
    missing.map(({ path: where, what }, i) => ({
      message: `${scenario.file}: ${where}: ${what} is valid, but this version does not simulate it yet`,
      ...(i === missing.length - 1 && { hint: 'Nothing was simulated: a run that left it out would answer another question. Leave it out of the file, or wait for a version that has it.' }),
    })),
  );
};

/** What a valid scenario uses that this version does not simulate, each once. */
export const notSimulated = (scenario: Scenario): readonly Unsupported[] => [
  ...new Map(scenario.variants.flatMap((system) => [...unsupported(system), ...unsupportedChecks(system)]).map((missing) => [missing.path, missing])).values(),
];

export const readFile = async (file: string, host: Host): Promise<string> => {
  try {
    return await host.readText(file);
  } catch (cause) {
    throw new FaultreelError(exitCodes.usage, { message: `cannot read ${file}: ${reasonOf(cause)}`, hint: await similarFile(file, host) }, { cause });
  }
};

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder, not a file';
  return cause instanceof Error ? cause.message : String(cause);
};

const similarFile = async (file: string, host: Host): Promise<string> => {
  const folder = path.dirname(file);
  const near = nearest(path.basename(file), (await host.list(folder)).filter((name) => name !== path.basename(file)));
  return near === undefined ? `Give the path of a file, for example ${file.endsWith('.json') ? 'out/order-api-spike/study.json' : 'scenarios/order-api-spike.yaml'}` : `Did you mean ${path.join(folder, near)}?`;
};

const noSuchVariant = (variant: string, names: readonly string[], file: string): FaultreelError => {
  const hint = suggest(variant, names, 'it has');
  return new FaultreelError(exitCodes.usage, { message: `--variant: ${file} has no variant "${variant}"`, ...(hint !== undefined && { hint }) });
};
