import { type MapNode, type Node, describeNode, dotted, emptyMap, headOf } from '../document/tree.js';
import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import { suggest } from '../nearest.js';
import { checkName } from './basic.js';
import type { Field, Fields, JsonSchema, Shape, Type } from './type.js';

/** A map with known keys. `what` carries its article: `a service`. Named in the JSON schema by `definition`. */
export const object = <F extends Fields>(what: string, fields: F, definition?: string): Type<Shape<F>> => {
  const keys = Object.keys(fields);
  return {
    expected: `${what} (a map with keys such as ${keys.slice(0, 3).join(', ')})`,
    read(node, at, reading) {
      if (node.kind !== 'map') {
        reading.unexpected(node, at, this.expected, node.kind === 'scalar' && node.value === null ? 'write `{}` for one with nothing but defaults' : undefined);
        return this.blank(at, node, reading);
      }
      for (const [key, value] of node.entries) {
        if (!Object.hasOwn(fields, key)) reading.problems.add(headOf(value), `unknown key \`${key}\` in ${at.length > 0 ? `\`${dotted(at)}\`` : what}`, suggest(key, keys, `keys of ${what}`));
      }
      const read = keys.map((key) => {
        const field = fields[key];
        const value = node.entries.get(key);
        return [key, value ? field.read(value, [...at, key], reading) : field.absent([...at, key], node, reading)] as const;
      });
      return Object.fromEntries(read) as Shape<F>;
    },
    blank: (at, parent, reading) =>
      Object.fromEntries(keys.map((key) => {
        const field = fields[key];
        return [key, field.required ? field.type.blank([...at, key], parent, reading) : field.absent([...at, key], parent, reading)];
      })) as Shape<F>,
    inside: (segment) => (Object.hasOwn(fields, segment) ? { type: fields[segment].type, mayBeAdded: true, mayBeEntered: true } : undefined),
    names: keys,
    schema(definitions) {
      if (definition === undefined) return schemaOfFields(what, fields, definitions);
      if (!definitions.has(definition)) {
        definitions.set(definition, {});
        definitions.set(definition, schemaOfFields(what, fields, definitions));
      }
      return { $ref: `#/$defs/${definition}` };
    },
  };
};

const schemaOfFields = (what: string, fields: Fields, definitions: Map<string, JsonSchema>): JsonSchema => {
  const needed = Object.keys(fields).filter((key) => fields[key].required);
  return {
    description: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, { ...field.type.schema(definitions), description: field.doc, ...(field.fallback !== undefined && { default: field.fallback }) }]),
    ),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
};

/** A group of keys that is always there: left out, each of its keys has its default. */
export const group = <T>(type: Type<T>, doc: string): Field<T> => ({
  type,
  doc,
  required: false,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: (at, parent, reading) => type.read(emptyMap(headOf(parent)), at, reading),
});

interface RecordOptions {
  readonly most?: number;
  readonly reserved?: readonly string[];
  /** Whether an override may add an entry; go inside one that the file does not have. */
  readonly mayBeAdded?: boolean;
  readonly mayBeEntered?: boolean;
}

/** A map from names to one type, in file order. `what` carries its article. */
export const record = <T>(what: string, type: Type<T>, { most = limits.listLength, reserved = [], mayBeAdded = true, mayBeEntered = false }: RecordOptions = {}): Type<ReadonlyMap<string, T>> => ({
  expected: `a map from names to ${what.replace(/^an? /, '')} entries`,
  read(node, at, reading) {
    if (node.kind !== 'map') {
      reading.unexpected(node, at, this.expected);
      return new Map();
    }
    checkSize(node.entries.size, most, node, at, reading);
    const entries = [...node.entries].filter(([name, value]) => checkName(name, value, reading, what, reserved));
    return new Map(entries.map(([name, value]) => [name, type.read(value, [...at, name], reading)]));
  },
  blank: () => new Map(),
  inside: () => ({ type, mayBeAdded, mayBeEntered }),
  schema: (definitions) => ({ type: 'object', propertyNames: { pattern: '^[a-z][a-z0-9-]*$' }, additionalProperties: type.schema(definitions), maxProperties: most }),
});

/** A record that may be left out: then it is empty. */
export const records = <T>(type: Type<ReadonlyMap<string, T>>, doc: string): Field<ReadonlyMap<string, T>> => ({
  type,
  doc,
  required: false,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: () => new Map(),
});

export const list = <T>(type: Type<T>, { least = 0, most = limits.listLength }: { least?: number; most?: number } = {}): Type<readonly T[]> => ({
  expected: `a list, each entry ${type.expected}`,
  read(node, at, reading) {
    if (node.kind !== 'list') {
      reading.unexpected(node, at, this.expected, node.kind === 'map' ? 'begin each entry with a hyphen, `- …`, or put the list into brackets' : node.kind === 'scalar' && node.value !== null ? `write [${node.text}] for a list of one` : undefined);
      return [];
    }
    if (node.items.length < least) reading.problems.add(node.at, `expected at least ${least} in the list \`${dotted(at)}\`, found ${node.items.length}`);
    checkSize(node.items.length, most, node, at, reading);
    return node.items.map((item, index) => type.read(item, [...at, String(index)], reading));
  },
  blank: () => [],
  inside: (segment) => (/^\d+$/.test(segment) ? { type, mayBeAdded: false, mayBeEntered: false } : undefined),
  schema: (definitions) => ({ type: 'array', items: type.schema(definitions), minItems: least, maxItems: most }),
});

/** A list that may be left out: then it is `fallback`. */
export const lists = <T extends string>(type: Type<readonly T[]>, fallback: readonly T[], doc: string): Field<readonly T[]> => ({
  type,
  doc,
  required: false,
  fallback,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: () => fallback,
});

/** Two entries in a fixed order: `[from, to]`. */
export const pair = <A, B>(expected: string, first: Type<A>, second: Type<B>): Type<readonly [A, B]> => ({
  expected,
  read(node, at, reading) {
    if (node.kind === 'list' && node.items.length === 2) return [first.read(node.items[0], [...at, '0'], reading), second.read(node.items[1], [...at, '1'], reading)];
    reading.unexpected(node, at, expected);
    return this.blank(at, node, reading);
  },
  blank: (at, parent, reading) => [first.blank([...at, '0'], parent, reading), second.blank([...at, '1'], parent, reading)],
  inside: (segment) => (segment === '0' ? { type: first, mayBeAdded: false, mayBeEntered: false } : segment === '1' ? { type: second, mayBeAdded: false, mayBeEntered: false } : undefined),
  names: ['0', '1'],
  schema: (definitions) => ({ type: 'array', prefixItems: [first.schema(definitions), second.schema(definitions)], items: false, minItems: 2 }),
});

/** One of several forms, told apart by `when`; the last one reads what no other claims, and says what it expected. */
export const either = <T>(expected: string, ...forms: readonly { readonly when: (node: Node) => boolean; readonly type: Type<T> }[]): Type<T> => ({
  expected,
  read(node, at, reading) {
    const form = forms.find(({ when }) => when(node));
    if (form) return form.type.read(node, at, reading);
    reading.unexpected(node, at, expected);
    return this.blank(at, node, reading);
  },
  blank: (at, parent, reading) => forms[0].type.blank(at, parent, reading),
  inside(segment) {
    for (const { type } of forms) {
      const inside = type.inside?.(segment);
      if (inside) return inside;
    }
    return undefined;
  },
  names: forms.flatMap(({ type }) => type.names ?? []),
  schema: (definitions) => ({ anyOf: forms.map(({ type }) => type.schema(definitions)) }),
});

export const isScalar = (node: Node): boolean => node.kind === 'scalar';
export const isList = (node: Node): boolean => node.kind === 'list';
export const isMap = (node: Node): node is MapNode => node.kind === 'map';
export const hasKey = (key: string) => (node: Node): boolean => node.kind === 'map' && node.entries.has(key);

/** The same type, read to something else. */
export const mapped = <A, B>(type: Type<A>, make: (read: A) => B): Type<B> => ({
  expected: type.expected,
  read: (node, at, reading) => make(type.read(node, at, reading)),
  blank: (at, parent, reading) => make(type.blank(at, parent, reading)),
  schema: (definitions) => type.schema(definitions),
  ...(type.inside && { inside: (segment: string) => type.inside!(segment) }),
  ...(type.names && { names: type.names }),
  ...(type.unfold && { unfold: (node: Node) => type.unfold!(node) }),
});

/** A type that is defined further down, or in terms of itself. */
export const lazy = <T>(expected: string, get: () => Type<T>): Type<T> => ({
  expected,
  read: (node, at, reading) => get().read(node, at, reading),
  blank: (at, parent, reading) => get().blank(at, parent, reading),
  schema: (definitions) => get().schema(definitions),
  inside: (segment) => get().inside?.(segment),
});

const checkSize = (size: number, most: number, node: Node, at: readonly string[], reading: { problems: { add(at: Node['at'], message: string): void } }): void => {
  if (size > most) reading.problems.add(headOf(node), `expected at most ${grouped(most)} entries in \`${dotted(at)}\`, found ${describeNode(node).startsWith('a list') ? '' : 'a map of '}${grouped(size)}`);
};

/** Of a map, exactly one of these keys; reports none or several and returns the first. */
export const exactlyOne = <K extends string>(node: Node, keys: readonly K[], at: readonly string[], reading: { problems: { add(at: Node['at'], message: string, hint?: string): void } }, what: string): K | undefined => {
  if (node.kind !== 'map') return undefined;
  const there = keys.filter((key) => node.entries.has(key));
  const choice = keys.map((key) => `\`${key}\``).join(', ');
  if (there.length === 0) reading.problems.add(headOf(node), `expected ${what} in \`${dotted(at)}\`: one of ${choice}; found none`);
  if (there.length > 1) reading.problems.add(headOf(node.entries.get(there[1])!), `expected only one ${what.replace(/^an? /, '')} in \`${dotted(at)}\`, found ${there.map((key) => `\`${key}\``).join(' and ')}`, 'keep one of them');
  return there[0];
};
