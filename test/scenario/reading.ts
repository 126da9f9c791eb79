import { readFileSync } from 'node:fs';
import { FaultreelError, describeError } from '../../src/errors.js';
import { type ParseOptions, type Scenario, type System, type Value, parseScenario } from '../../src/scenario/index.js';

export const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
export const spike = textOf('../../scenarios/order-api-spike.yaml');
export const everything = textOf('fixtures/every-construct.yaml');
export const smallest = textOf('fixtures/smallest.yaml');

export const parse = (text: string, options: Partial<ParseOptions> = {}): Scenario => parseScenario(text, { file: 'test.yaml', ...options });
export const systemOf = (text: string, variant?: string): System => parse(text, variant === undefined ? {} : { variant }).variants[0];

/** All messages as the terminal shows them; empty when the text is accepted. */
export const complaints = (text: string, options: Partial<ParseOptions> = {}): string => {
  try {
    parse(text, options);
    return '';
  } catch (error) {
    if (error instanceof FaultreelError && error.exitCode === 3) return describeError(error);
    throw error;
  }
};

export const inputAt = ({ inputs }: System, path: string): Value => {
  const found = inputs.find((input) => input.path === path);
  if (!found) throw new Error(`no input ${path}`);
  return found;
};

/** The text with one part replaced; a part that is not there would test nothing. */
export const changed = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`not in the text: ${from}`);
  return text.replace(from, () => to);
};
