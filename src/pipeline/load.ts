import path from 'node:path';
import { FaultreelError, exitCodes, type Problem } from '../errors.js';
import type { Host } from '../host.js';
import { sweepValues, type SweepPlan } from '../analysis/index.js';
import { missingGlyphs } from '../../renderers/look/text-width.js';
import { grouped } from '../scenario/grouped.js';
import { parseScenario } from '../scenario/index.js';
import { limits } from '../scenario/limits.js';
import type { Scenario, System, Text } from '../scenario/model.js';
import { nearest, suggest } from '../scenario/nearest.js';

/** One `--set path=value`, as written. */
export interface Setting {
  readonly path: string;
  readonly value: string;
}

/** One `--sweep path=from..to:points`, as written. */
export interface SweepSetting {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly points: number;
}

export interface LoadOptions {
  readonly set?: readonly Setting[];
  readonly variant?: string;
}

/**
 * Reads and parses a scenario, with `--set` applied to every variant.
 * @throws FaultreelError (usage) when there is no such file or variant, (invalid scenario) with everything that is wrong in it
 */
const parseFile = async (file: string, { set = [], variant }: LoadOptions, host: Host): Promise<Scenario> => {
  await refuseStrangeFile(file, host);
  const scenario = parseScenario(await readFile(file, host), { file, set });
  const names = scenario.variants.map((system) => system.variant);
  if (variant !== undefined && !names.includes(variant)) throw noSuchVariant(variant, names, file);
  return scenario;
};

/** As `parseFile`, and refuses what the bundled fonts cannot draw. */
export const loadScenario = async (file: string, options: LoadOptions, host: Host): Promise<Scenario> => {
  const scenario = await parseFile(file, options, host);
  refuseUndrawable(scenario);
  return scenario;
};

/** Points of one sweep. */
const mostPoints = 200;

/**
 * What is to be swept, in base units.
 * @throws FaultreelError (invalid scenario) when the path is none of the scenario, or an end does not fit there, (usage) when it is not a number
 */
export const planSweeps = (scenario: Scenario, sweeps: readonly SweepSetting[], { set, variant = scenario.variants[0].variant }: { readonly set: readonly Setting[]; readonly variant?: string | undefined }): SweepPlan[] =>
  sweeps.map(({ path, from, to, points }) => {
    if (!Number.isInteger(points) || points < 2 || points > mostPoints) throw new FaultreelError(exitCodes.usage, { message: `--sweep: expected 2 to ${mostPoints} points, found ${points}`, hint: `Write --sweep ${path}=${from}..${to}:8` });
    const [low, high] = [from, to].map((value) => {
      const { variants } = parseScenario(scenario.text, { file: scenario.file, set, variant, moved: [{ path, value, flag: '--sweep' }] });
      const input = variants[0].inputs.find((one) => one.path === path);
      if (input && Number.isFinite(input.value)) return input;
      throw new FaultreelError(exitCodes.usage, { message: `--sweep: expected a number to move, found ${path}=${value}`, hint: 'A path that the register of the report lists, such as values.order-cpu, can be swept' });
    });
    if (low.value === high.value) throw new FaultreelError(exitCodes.usage, { message: `--sweep: expected two different ends, found ${path}=${from}..${to}`, hint: `Write, for example, --sweep ${path}=${from}..<another value>:${points}` });
    const written = scenario.variants.find((system) => system.variant === variant)!.inputs.find((one) => one.path === path);
    // A key that the file leaves out has no value as written.
    return { input: written ?? { ...low, value: NaN }, values: sweepValues(low.value, high.value, points, low.unit === 'count') };
  });

/** @throws FaultreelError (invalid scenario) that names characters which the bundled fonts cannot draw, or which nobody sees, with their places, before anything is simulated */
const refuseUndrawable = ({ variants, placeOf }: Scenario): void => {
  const problems = new Map<string, Problem>();
  for (const system of variants) {
    for (const [where, text] of textsOf(system)) {
      const said = Object.values(text).join('');
      const unseen = [...new Set(said.match(invisible) ?? [])];
      const missing = [...new Set(missingGlyphs(said.replace(invisible, '').replace(/\s/g, ' ')))];
      if (unseen.length + missing.length === 0 || problems.has(where)) continue;
      const expected = missing.length > 0 ? `characters that the bundled fonts can draw in ${where}, found ${missing.map((char) => `"${char}" (${codeOf(char)})`).join(', ')}${unseen.length > 0 ? ` and, unseen, ${unseen.map(codeOf).join(', ')}` : ''}` : `characters that can be seen in ${where}, found ${unseen.map(codeOf).join(', ')}`;
      problems.set(where, { message: `expected ${expected}`, where: placeOf(where, system.variant), hint: missing.length > 0 ? 'write it with letters, digits and signs of Latin or Hangul: film and report never show an empty box' : 'remove it: what nobody sees may turn a text round, or make two names look the same' });
    }
  }
  if (problems.size > 0) throw new FaultreelError(exitCodes.invalidScenario, [...problems.values()]);
};

const codeOf = (char: string): string => `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Controls but tab and line end, marks of direction and joining, line and paragraph separators, halves of pairs. */
const invisible = /[^\P{C}\t\n\r]|[\p{Zl}\p{Zp}]/gu;

/** Every text of a system that is drawn, with the path where it stands. */
const textsOf = ({ title, about, limits: notProven, services, traffic, claims, rehearsal, inputs }: System): (readonly [string, Text | readonly string[]])[] => [
  ['title', title],
  ...(about ? [['about', about] as const] : []),
  ...notProven.map((limit, i) => [`limits.${i}`, limit] as const),
  ...services.map((service) => [`services.${service.name}.title`, service.title] as const),
  ...traffic.map((source) => [`traffic.${source.name}.title`, source.title] as const),
  ...claims.flatMap((claim) => [[`claims.${claim.name}.says`, claim.says ?? []] as const, [`claims.${claim.name}.from`, [claim.from ?? '']] as const]),
  ...rehearsal.stops.flatMap((stop) => [[`rehearsal.stops.${stop.name}.ask`, stop.ask] as const, [`rehearsal.stops.${stop.name}.answer`, stop.answer ?? []] as const]),
  ...inputs.map((input) => [input.path, [input.why ?? '', input.from ?? '']] as const),
];

/** No scenario is longer: four bytes a character. */
const mostBytes = 4 * limits.textLength;

/**
 * A file that somebody else wrote may be a link, and what is wrong with the file that it links to would be printed with its lines.
 * @throws FaultreelError (invalid scenario) for a file that is far too large to be read, (usage) for a link from the working folder to a file outside it
 */
const refuseStrangeFile = async (file: string, host: Host): Promise<void> => {
  const bytes = await host.sizeOf(file);
  if (bytes !== null && bytes > mostBytes) throw new FaultreelError(exitCodes.invalidScenario, { message: `expected at most ${grouped(limits.textLength)} characters, found a file of ${grouped(bytes)} bytes`, where: { file, line: 1, column: 1, sourceLine: '' }, hint: 'a scenario is written by people: no real system needs so much' });
  const [folder, real] = [await host.realPath(host.cwd), await host.realPath(path.resolve(host.cwd, file))];
  const isWithin = (parent: string, child: string): boolean => !path.relative(parent, child).startsWith('..') && !path.isAbsolute(path.relative(parent, child));
  if (folder === null || real === null || !isWithin(host.cwd, path.resolve(host.cwd, file)) || isWithin(folder, real)) return;
  throw new FaultreelError(exitCodes.usage, { message: `${file} is a link to ${real}, outside of this folder`, hint: 'Give that file itself, if it is the scenario that you mean' });
};

/** @throws FaultreelError (usage) when there is no such file, or it is no text */
export const readFile = async (file: string, host: Host): Promise<string> => {
  const text = await host.readText(file).catch(async (cause: unknown) => {
    throw new FaultreelError(exitCodes.usage, { message: `cannot read ${file}: ${reasonOf(cause)}`, hint: await similarFile(file, host) }, { cause });
  });
  if (text.includes('\0')) throw new FaultreelError(exitCodes.usage, { message: `cannot read ${file}: it holds NUL bytes, so it is no text in UTF-8`, hint: 'Give a scenario (.yaml) or a study.json; one that an editor saved as UTF-16 must be saved as UTF-8' });
  return text;
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

export const noSuchVariant = (variant: string, names: readonly string[], file: string): FaultreelError => {
  const hint = suggest(variant, names, 'it has');
  return new FaultreelError(exitCodes.usage, { message: `--variant: ${file} has no variant "${variant}"`, ...(hint !== undefined && { hint }) });
};
