import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import type { Scenario } from '../scenario/model.js';
import { suggest } from '../scenario/nearest.js';
import { readStudy } from '../study/read.js';
import type { Study } from '../study/types.js';
import { loadScenario, readFile } from './load.js';
import { studyFor } from './kept-study.js';
import type { Surroundings } from './surroundings.js';

/** One side as it was asked for. */
export interface Input {
  readonly source: Source;
  readonly variant: string;
  /** Of a side among sides of several files. */
  readonly name: string;
}

/** A file: a scenario with the variants of it that are to run, or a study. */
export type Source = { readonly file: string; readonly name: string } & ({ readonly kind: 'scenario'; readonly scenario: Scenario } | { readonly kind: 'study'; readonly study: Study });

/**
 * What is to be compared: variants of one file, or a variant of each of several (`file#variant`, else the first).
 * @throws FaultreelError (usage) when it is not two to four sides, a variant is missing or ticks differ, (invalid scenario) with all that is wrong in a file
 */
export const openInputs = async (files: readonly string[], variants: readonly string[] | undefined, host: Host): Promise<readonly Input[]> => {
  const asked = files.map(parted);
  const names = new Set(asked.map(({ file }) => file));
  const opened = new Map<string, Source>();
  for (const name of names) opened.set(name, await open(name, host));
  const inputs = asked.length === 1 ? ofOneFile(opened.get(asked[0].file)!, asked[0].variant, variants) : ofSeveral(asked, opened, variants);
  if (inputs.length < 2 || inputs.length > 4) throw usage(`expected two to four sides to compare, found ${inputs.length}`, 'Name two to four variants, for example --variants as-it-is,dedicated-health-path');
  refuseTwice(inputs);
  refuseOtherTicks(inputs);
  return withVariants(inputs);
};

/** `a.yaml#variant`. */
const parted = (text: string): { readonly file: string; readonly variant: string | undefined } => {
  const at = text.lastIndexOf('#');
  return at > 0 ? { file: text.slice(0, at), variant: text.slice(at + 1) } : { file: text, variant: undefined };
};

const open = async (file: string, host: Host): Promise<Source> => {
  if (!file.endsWith('.json')) return ofScenario(file, await loadScenario(file, {}, host));
  const text = await readFile(file, host);
  if (!/"schema"\s*:\s*"faultreel-study/.test(text.slice(0, 400))) return ofScenario(file, await loadScenario(file, {}, host));
  const study = readStudy(text, file);
  return { file, name: study.scenario.name, kind: 'study', study };
};

const ofScenario = (file: string, scenario: Scenario): Source => ({ file, name: scenario.name, kind: 'scenario', scenario });

const variantsIn = (source: Source): readonly string[] => (source.kind === 'scenario' ? source.scenario.variants.map(({ variant }) => variant) : Object.keys(source.study.runs));

const ofOneFile = (source: Source, variant: string | undefined, variants: readonly string[] | undefined): readonly Input[] => {
  const all = variantsIn(source);
  if (variant !== undefined) throw usage(`one side is not a comparison: ${source.file}#${variant}`, `Write ${source.file} --variants ${variant},${all.find((other) => other !== variant) ?? 'OTHER'}`);
  if (variants === undefined && all.length < 2) throw usage(`${source.file} has no variants to compare with each other`, 'Add variants to the file, or give a second file');
  return (variants ?? all.slice(0, 2)).map((name) => ({ source, variant: known(name, source, '--variants'), name }));
};

const ofSeveral = (asked: readonly ReturnType<typeof parted>[], opened: ReadonlyMap<string, Source>, variants: readonly string[] | undefined): readonly Input[] => {
  if (variants !== undefined) throw usage('--variants names variants of one file, but several were given', 'Write the variant behind each file: a.yaml#variant b.yaml#variant');
  const sides = asked.map(({ file, variant }) => ({ source: opened.get(file)!, variant }));
  // A name alone stands for a side unless two sides have it.
  const isShared = (name: string): boolean => sides.filter(({ source }) => source.name === name).length > 1;
  return sides.map(({ source, variant }) => {
    const chosen = variant === undefined ? variantsIn(source)[0] : known(variant, source, `${source.file}#${variant}`);
    const unique = isShared(source.name) ? `${path.basename(path.dirname(path.resolve('/', source.file))) || 'file'}.${source.name}` : source.name;
    return { source, variant: chosen, name: variant === undefined ? unique : `${unique}.${chosen}` };
  });
};

const known = (name: string, source: Source, flag: string): string => {
  const names = variantsIn(source);
  if (names.includes(name)) return name;
  const hint = suggest(name, names, 'it has');
  throw new FaultreelError(exitCodes.usage, { message: `${flag}: ${source.file} has no variant "${name}"`, ...(hint !== undefined && { hint }) });
};

const refuseTwice = (inputs: readonly Input[]): void => {
  const keys = inputs.map(({ source, variant }) => `${source.file}#${variant}`);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw usage(`${twice} is given twice: nothing would differ`, 'Give each side once');
};

const tickMsOf = (source: Source): number => (source.kind === 'study' ? source.study.scenario.tickMs : source.scenario.variants[0].tickMs);

/** One clock can only have one tick. */
const refuseOtherTicks = (inputs: readonly Input[]): void => {
  const [first] = inputs;
  const other = inputs.find(({ source }) => tickMsOf(source) !== tickMsOf(first.source));
  if (other) throw usage(`expected the same tick on all sides, found ${tickMsOf(first.source)} ms in ${first.source.file} and ${tickMsOf(other.source)} ms in ${other.source.file}`, 'Set `tick` to the same length in both files');
};

/** Only the variants that are compared run, in the order in which they were asked for, and those that their objectives are held against. */
const withVariants = (inputs: readonly Input[]): readonly Input[] => {
  const narrowed = new Map<Source, Source>();
  for (const { source } of inputs) {
    if (source.kind === 'study' || narrowed.has(source)) continue;
    const wanted = [...new Set(inputs.filter((input) => input.source === source).map(({ variant }) => variant))];
    const { variants } = source.scenario;
    const against = variants.filter(({ variant }) => wanted.includes(variant)).flatMap(({ objectives }) => objectives.flatMap(({ vs }) => vs?.variant ?? []));
    const names = [...new Set([...wanted, ...against])];
    narrowed.set(source, { ...source, scenario: { ...source.scenario, variants: names.flatMap((name) => variants.find(({ variant }) => variant === name) ?? []) } });
  }
  return inputs.map((input) => ({ ...input, source: narrowed.get(input.source) ?? input.source }));
};

/** Simulates a scenario, or gives the study that there is. */
export const studyOfInput = async (source: Source, around: Surroundings): Promise<Study> => (source.kind === 'study' ? source.study : (await studyFor(source.scenario, {}, around)).study);

const usage = (message: string, hint: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint });
