import type { System, Value } from '../scenario/model.js';
import { partsThatMove } from './graph.js';

/** A guess: an assumed value, or a fact of the world that the tool filled in. A default of a setting is true of what is simulated. */
export const isGuess = ({ basis, setting }: Pick<Value, 'basis' | 'setting'>): boolean => basis === 'assumed' || (basis === 'default' && !setting);

/** A guess with two ends to move it to. */
export const isRanged = (value: Value): value is Value & { readonly range: readonly [number, number] } => isGuess(value) && value.range !== undefined && value.range[0] < value.range[1];

/**
 * Paths of the guesses that can move a figure of `of`, by the wiring alone: those with a range first, then other assumed ones, then defaults.
 * Wiring only excludes; which of them matter most is for sensitivity to say.
 */
export const restsOn = (system: System, of: string): string[] => {
  const parts = partsThatMove(system, of);
  const faults = system.faults.filter(({ target }) => parts.has('service' in target ? target.service : target.caller)).map(({ name }) => `faults.${name}`);
  const read = new Set([...parts].flatMap((name) => [...(system.reads[`services.${name}`] ?? []), ...(system.reads[`traffic.${name}`] ?? [])]).concat(faults.flatMap((name) => system.reads[name] ?? [])));
  const guesses = system.inputs.filter((input) => isGuess(input) && read.has(input.path));
  const rank = ({ range, basis }: Value): number => (range ? 0 : basis === 'assumed' ? 1 : 2);
  return guesses.toSorted((a, b) => rank(a) - rank(b)).map(({ path }) => path);
};

/** The inputs of these paths. */
export const guessesOf = ({ inputs }: System, paths: readonly string[]): Value[] => inputs.filter(({ path }) => paths.includes(path));

/** Guesses with two ends that can move an objective, in the order of the file; without an objective there is no verdict to be sure of. */
export const testedGuesses = (system: System): (Value & { readonly range: readonly [number, number] })[] => {
  const reaching = new Set(system.objectives.flatMap(({ of }) => restsOn(system, of!)));
  return system.inputs.filter(isRanged).filter(({ path, value }) => reaching.has(path) && Number.isFinite(value));
};
