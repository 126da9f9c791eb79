import type { Schema } from './json-schema.js';

/** What is wrong with a JSON value by a schema: the path of the first deepest mismatch and what was expected there; null when it fits. */
export const mismatch = (schema: Schema, value: unknown, path = ''): { readonly path: string; readonly message: string } | null => {
  if ('anyOf' in schema) return mismatchOfAny(schema.anyOf, value, path);
  if ('const' in schema) return value === schema.const ? null : { path, message: `expected ${JSON.stringify(schema.const)}, found ${show(value)}` };
  if ('enum' in schema) return schema.enum.includes(value as string) ? null : { path, message: `expected one of ${schema.enum.join(', ')}, found ${show(value)}` };
  switch (schema.type) {
    case 'object':
      return isRecord(value) ? mismatchOfObject(schema, value, path) : expected('an object', value, path);
    case 'array':
      return Array.isArray(value) ? mismatchOfArray(schema, value, path) : expected('a list', value, path);
    case 'number':
    case 'integer':
      return mismatchOfNumber(schema, value, path);
    case 'string':
      if (typeof value !== 'string') return expected('a text', value, path);
      return schema.pattern && !new RegExp(schema.pattern, 'u').test(value) ? expected(`a text like ${schema.pattern}`, value, path) : null;
    case 'boolean':
      return typeof value === 'boolean' ? null : expected('true or false', value, path);
    case 'null':
      return value === null ? null : expected('null', value, path);
  }
};

type Mismatch = ReturnType<typeof mismatch>;
type ObjectSchema = Extract<Schema, { type: 'object' }>;

const mismatchOfObject = (schema: ObjectSchema, value: Readonly<Record<string, unknown>>, path: string): Mismatch => {
  const at = (key: string): string => (path ? `${path}.${key}` : key);
  if (!('properties' in schema)) {
    const keys = Object.keys(value);
    if (keys.length < (schema.minProperties ?? 0)) return { path, message: `expected at least ${schema.minProperties ?? 0} entry, found none` };
    return first(keys, (key) => mismatch(schema.additionalProperties, value[key], at(key)));
  }
  const missing = schema.required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return { path: at(missing), message: 'is missing' };
  return first(Object.keys(value), (key) =>
    Object.hasOwn(schema.properties, key) ? mismatch(schema.properties[key], value[key], at(key)) : { path: at(key), message: 'is a key that this version does not know' },
  );
};

const mismatchOfArray = (schema: Extract<Schema, { type: 'array' }>, value: readonly unknown[], path: string): Mismatch => {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems || value.length > maxItems) return { path, message: `expected ${minItems} entries, found ${value.length}` };
  for (let i = 0; i < value.length; i++) {
    const wrong = mismatch(schema.items, value[i], `${path}[${i}]`);
    if (wrong) return wrong;
  }
  return null;
};

const mismatchOfNumber = (schema: Extract<Schema, { type: 'number' | 'integer' }>, value: unknown, path: string): Mismatch => {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value !== 'number' || !Number.isFinite(value)) return expected('a number', value, path);
  if (schema.type === 'integer' && !Number.isInteger(value)) return expected('a whole number', value, path);
  return value < minimum || value > maximum ? expected(maximum === Infinity ? `a number of at least ${minimum}` : `a number from ${minimum} to ${maximum}`, value, path) : null;
};

/** The complaint of the alternative that got furthest is the one that helps. */
const mismatchOfAny = (schemas: readonly Schema[], value: unknown, path: string): Mismatch => {
  let furthest: Mismatch = null;
  for (const schema of schemas) {
    const wrong = mismatch(schema, value, path);
    if (wrong === null) return null;
    if (furthest === null || wrong.path.length > furthest.path.length) furthest = wrong;
  }
  return furthest;
};

const first = (keys: readonly string[], check: (key: string) => Mismatch): Mismatch => {
  for (const key of keys) {
    const wrong = check(key);
    if (wrong) return wrong;
  }
  return null;
};

const expected = (what: string, value: unknown, path: string): Mismatch => ({ path, message: `expected ${what}, found ${show(value)}` });

const show = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
