/** The part of JSON Schema (2020-12) that the study needs, and that `validate.ts` understands. */
export type Schema =
  | { readonly type: 'object'; readonly description?: string; readonly properties: Readonly<Record<string, Schema>>; readonly required: readonly string[]; readonly additionalProperties: false }
  | { readonly type: 'object'; readonly description?: string; readonly additionalProperties: Schema; readonly minProperties?: number }
  | { readonly type: 'array'; readonly description?: string; readonly items: Schema; readonly minItems?: number; readonly maxItems?: number }
  | { readonly type: 'number' | 'integer'; readonly description?: string; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'string'; readonly description?: string; readonly pattern?: string }
  | { readonly type: 'boolean' | 'null'; readonly description?: string }
  | { readonly enum: readonly string[] }
  | { readonly const: string }
  | { readonly anyOf: readonly Schema[] };

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T] & string;

/** An object of exactly the keys of `T`: a type that gains a field makes this file fail to compile until the schema has it. */
export const shape = <T extends object>(properties: { readonly [K in keyof T & string]-?: Schema }, optional: readonly OptionalKeys<T>[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !(optional as readonly string[]).includes(key)),
  additionalProperties: false,
});
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const oneOf = (...names: readonly string[]): Schema => ({ enum: names });
