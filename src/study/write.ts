import { FaultreelError, exitCodes } from '../errors.js';
import type { Schema } from './json-schema.js';
import { studySchema } from './schema.js';
import type { Study } from './types.js';

/**
 * The text of study.json: keys in the order of the schema, maps in the order of the scenario, lists of plain values on one line.
 * @throws FaultreelError (internal) for a number that JSON cannot say: NaN and infinities never leave the engine.
 */
export const writeStudy = (study: Study): string => writeJson(study, studySchema, 'study');

/** The text of any value by its schema, as `writeStudy` lays it out; `name` stands before paths in messages. */
export const writeJson = (value: unknown, schema: Schema, name: string): string => `${write(value, schema, '', name)}\n`;

const write = (value: unknown, schema: Schema | undefined, indent: string, path: string): string => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw notFinite(path, value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return writeList(value, schema, indent, path);
  return writeObject(value as Readonly<Record<string, unknown>>, schema, indent, path);
};

const writeList = (list: readonly unknown[], schema: Schema | undefined, indent: string, path: string): string => {
  const items = schema && fitting(schema, 'array');
  const parts = list.map((item, i) => write(item, items && 'items' in items ? items.items : undefined, `${indent} `, `${path}[${i}]`));
  const plain = list.every((item) => typeof item !== 'object' || item === null);
  if (plain) return `[${parts.join(',')}]`;
  return `[\n${parts.map((part) => `${indent} ${part}`).join(',\n')}\n${indent}]`;
};

const writeObject = (value: Readonly<Record<string, unknown>>, schema: Schema | undefined, indent: string, path: string): string => {
  const form = schema && fitting(schema, 'object', value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const known = form && 'properties' in form ? Object.keys(form.properties) : null;
  if (known) keys.sort((a, b) => known.indexOf(a) - known.indexOf(b));
  const parts = keys.map((key) => `${JSON.stringify(key)}: ${write(value[key], formOf(form, key), `${indent} `, path ? `${path}.${key}` : key)}`);
  const oneLine = `{${parts.join(', ')}}`;
  if (oneLine.length <= 120 && !oneLine.includes('\n')) return oneLine;
  return `{\n${parts.map((part) => `${indent} ${part}`).join(',\n')}\n${indent}}`;
};

const formOf = (form: Schema | null | undefined, key: string): Schema | undefined => {
  if (!form || !('additionalProperties' in form)) return undefined;
  if ('properties' in form) return form.properties[key];
  return form.additionalProperties;
};

/** Of several alternatives, the one that a value of this type is written by. */
const fitting = (schema: Schema, type: 'object' | 'array', value?: Readonly<Record<string, unknown>>): Schema | null => {
  const options = 'anyOf' in schema ? schema.anyOf : [schema];
  const typed = options.filter((option) => 'type' in option && option.type === type);
  return typed.find((option) => !value || !('required' in option) || option.required.every((key) => key in value)) ?? typed[0] ?? null;
};

const notFinite = (path: string, value: number): FaultreelError =>
  new FaultreelError(exitCodes.internal, {
    message: `${path} is ${value}: a study holds finite numbers, and null where nothing is known`,
    hint: 'This is a fault of faultreel. Please report it with the scenario.',
  });
