import { type Node, type Path, type ScalarNode, describeNode, dotted, placeOf } from '../document/tree.js';
import type { Drawn, Spread, Value } from '../model.js';
import { suggest } from '../nearest.js';
import { type Parsed, type QuantityKind, expectedQuantity, kindOf, parseQuantity, quantities } from '../quantities.js';
import { line, sayBase } from './basic.js';
import { type Statement, type WrittenSpread, readStatement, statementKeys } from './statement.js';
import { type Field, type Reading, type Type, required, writtenAt } from './type.js';
import { schemaOfValue, statementSchema } from './value-schema.js';

/** What a key asks of its value. */
export interface ValueForm {
  readonly kinds: readonly QuantityKind[];
  /** A setting (S: ours to decide) or the world's (W): what a bare value counts as. */
  readonly setting: boolean;
  readonly unlimited: boolean;
  /** Bounds in base units. */
  readonly min: number;
  readonly max: number;
  /** Of a drawn value (W~): the cv that holds when none is said. */
  readonly cv?: number;
}

/** An entry of `values`, and every use of it. */
export interface NamedValue {
  readonly statement: Statement;
  readonly at: Path;
  readonly uses: { readonly setting: boolean; readonly value: Mutable<Value> }[];
  /** What it was expected to be, once where it is not: five uses of one wrong number are one problem. */
  readonly misfits: Set<string>;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Says which draws a form asks for; a form without `cv` is not drawn. */
type ValueOf<F extends ValueForm> = F extends { readonly cv: number } ? Drawn : Value;

export const valueType = <F extends ValueForm>(form: F): Type<ValueOf<F>> => {
  const expected = expectedQuantity(form.kinds, form.unlimited);
  return {
    expected,
    read: (node, at, reading) => readValue(node, at, reading, form, expected) as ValueOf<F>,
    blank: (at) => blankValue(at, form) as ValueOf<F>,
    inside: (segment) => ((statementKeys as readonly string[]).includes(segment) ? { type: anything, mayBeAdded: true, mayBeEntered: true } : undefined),
    names: statementKeys,
    schema: (definitions) => {
      const key = `${form.kinds.join('-or-')}${form.unlimited ? '-or-unlimited' : ''}${form.cv === undefined ? '' : '-drawn'}`;
      if (!definitions.has(key)) definitions.set(key, schemaOfValue(form));
      return { $ref: `#/$defs/${key}` };
    },
  };
};

/** Part of a value, checked with the value as a whole. */
const anything: Type<unknown> = { ...line, inside: (segment) => (/^[\w%.]+$/.test(segment) ? { type: anything, mayBeAdded: true, mayBeEntered: true } : undefined) };

const readValue = (node: Node, at: Path, reading: Reading, form: ValueForm, expected: string): Value => {
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.startsWith('$')) return useNamed(node, at, reading, form, expected);
  const statement = readStatement(node, at, reading, expected);
  const value = statement && makeValue(statement, at, at, reading, form, expected, statement.literal);
  if (!value) return blankValue(at, form);
  reading.inputs.push(value);
  return value;
};

const useNamed = (node: ScalarNode, at: Path, reading: Reading, form: ValueForm, expected: string): Value => {
  const name = node.text.slice(1);
  const named = reading.named.get(name);
  if (!named) {
    const hint = suggest(name, reading.named.keys(), 'values of this file');
    reading.problems.add(node.at, `expected a value named \`${name}\` under \`values\`, found none`, hint?.replace(/did you mean `/, 'did you mean `$') ?? 'add it under `values`, or write the number here');
    return blankValue(at, form);
  }
  if (named.misfits.has(expected)) return blankValue(at, form);
  const value = makeValue(named.statement, named.at, at, reading, form, expected, node);
  if (!value) {
    named.misfits.add(expected);
    return blankValue(at, form);
  }
  if (named.uses.length === 0) reading.inputs.push(value);
  named.uses.push({ setting: form.setting, value });
  return value;
};

/** `path` is where the value stands, `at` where it is used, `blame` the node to point at. */
const makeValue = (statement: Statement, path: Path, at: Path, reading: Reading, form: ValueForm, expected: string, blame: ScalarNode): Value | undefined => {
  const base = (literal: ScalarNode, unlimited: boolean, role: Path): Parsed | undefined => {
    const parsed = parseQuantity(literal, form.kinds, unlimited);
    if (!('value' in parsed)) {
      if (blame !== statement.literal && literal === statement.literal) {
        const line = placeOf(literal.at).line;
        reading.problems.add(blame.at, `expected ${expected} for \`${dotted(at)}\`, found \`${blame.text}\`, which is ${describeNode(literal)} (line ${line})`, parsed.hint);
      } else reading.unexpected(literal, role, expected, parsed.hint);
      return undefined;
    }
    return withinBounds(parsed.value, literal === statement.literal ? blame : literal, at, reading, form) ? parsed : undefined;
  };
  const own = base(statement.literal, form.unlimited, at);
  if (!own) return undefined;
  const range = statement.range && rangeIn(statement.range, own.value, path, reading, (literal) => base(literal, false, [...path, 'range'])?.value);
  const spread = spreadOf(statement.spread, form, at, reading, (literal) => base(literal, false, [...path, 'quantiles'])?.value);
  return {
    path: dotted(path),
    value: own.value,
    unit: quantities[own.kind === 'unlimited' ? form.kinds[0] : own.kind].unit,
    basis: statement.basis ?? (form.setting ? 'chosen' : 'assumed'),
    setting: form.setting,
    ...(statement.from !== undefined && { from: statement.from }),
    ...(statement.why !== undefined && { why: statement.why }),
    ...(range && { range }),
    ...(own.currency !== undefined && { currency: own.currency }),
    ...(spread && { spread }),
  };
};

const withinBounds = (value: number, node: Node, at: Path, reading: Reading, form: ValueForm): boolean => {
  const kind = form.kinds[0];
  const { name } = quantities[kind];
  if (form.kinds.includes('count') && Number.isFinite(value) && !Number.isInteger(value) && form.kinds.length === 1) {
    reading.unexpected(node, at, 'a whole number', `for example ${Math.max(form.min, Math.round(value))}`);
    return false;
  }
  if (value < form.min) {
    const positive = form.min > 0 ? `${name} of at least ${sayBase(kind, form.min)}` : `${name} that is not negative`;
    reading.unexpected(node, at, positive);
    return false;
  }
  if (value > form.max && value !== Infinity) {
    reading.unexpected(node, at, `${name} of at most ${sayBase(kind, form.max)}`);
    return false;
  }
  return true;
};

const rangeIn = (written: readonly [ScalarNode, ScalarNode], value: number, path: Path, reading: Reading, base: (literal: ScalarNode) => number | undefined): readonly [number, number] | undefined => {
  const [low, high] = [base(written[0]), base(written[1])];
  if (low === undefined || high === undefined) return undefined;
  if (low > high) reading.problems.add(written[0].at, `expected the lower end first in the range of \`${dotted(path)}\`, found [${written[0].text}, ${written[1].text}]`, `write [${written[1].text}, ${written[0].text}]`);
  else if (value < low || value > high) reading.problems.add(written[0].at, `expected the value of \`${dotted(path)}\` inside its range [${written[0].text}, ${written[1].text}], found it outside`, 'widen the range, or correct the value');
  else return [low, high];
  return undefined;
};

const spreadOf = (written: WrittenSpread | undefined, form: ValueForm, at: Path, reading: Reading, base: (literal: ScalarNode) => number | undefined): Spread | undefined => {
  if (form.cv === undefined) {
    if (written) reading.problems.add(written.key.key ?? written.key.at, `expected no \`cv\`, \`dist\` or \`quantiles\`: \`${dotted(at)}\` is one number, nothing is drawn around it`, 'leave it out here; only times of steps, links, thinking and sockets are drawn');
    return undefined;
  }
  if (!written?.quantiles) return { kind: written?.lognormal ? 'lognormal' : 'gamma', cv: written?.cv ?? (written?.lognormal ? 1 : form.cv) };
  const points = written.quantiles.flatMap(({ share, literal }) => {
    const value = base(literal);
    return value === undefined ? [] : [[share, value] as const];
  });
  points.sort((a, b) => a[0] - b[0]);
  if (points.some(([, value], index) => index > 0 && value < points[index - 1][1])) {
    reading.problems.add(written.key.key ?? written.key.at, `expected quantiles that do not fall as the share grows in \`${dotted(at)}\``, 'the 95% value is at least as large as the 50% value');
  }
  return { kind: 'quantiles', points };
};

const blankValue = (at: Path, form: ValueForm): Value => ({
  path: dotted(at),
  value: Number.NaN,
  unit: quantities[form.kinds[0]].unit,
  basis: 'default',
  setting: form.setting,
  ...(form.cv !== undefined && { spread: { kind: 'gamma', cv: form.cv } }),
});

/** An entry of `values`: any quantity; its type is fixed where it is used. */
export const namedValue: Type<undefined> = {
  expected: 'a number with its unit, such as 12ms, 250/s, 8MiB, 60% or 4',
  read(node, at, reading) {
    const name = at.at(-1)!;
    const isReference = node.kind === 'scalar' && node.text.startsWith('$');
    if (isReference) reading.unexpected(node, at, this.expected, 'a named value cannot stand for another one');
    const statement = isReference ? undefined : readStatement(node, at, reading, this.expected);
    if (!statement) return undefined;
    const { literal } = statement;
    const isNumber = typeof literal.value === 'number' && Number.isFinite(literal.value);
    if (!isNumber && literal.value !== 'unlimited' && !kindOf(literal.text)) {
      reading.unexpected(literal, at, this.expected, /^-\s*[\d.]/.test(literal.text) ? 'no number of the language can be negative' : undefined);
      return undefined;
    }
    reading.named.set(name, { statement, at, uses: [], misfits: new Set() });
    return undefined;
  },
  blank: () => undefined,
  inside: (segment) => ((statementKeys as readonly string[]).includes(segment) ? { type: anything, mayBeAdded: true, mayBeEntered: true } : undefined),
  names: statementKeys,
  schema: () => ({ anyOf: [{ type: ['string', 'number'] }, statementSchema({ type: ['string', 'number'] }, true)] }),
};

/** Once all uses are known: a bare named value is `chosen` only when every key that uses it is a setting. Unused ones join the register. */
export const settleNamedValues = (reading: Reading): void => {
  for (const { statement, at, uses, misfits } of reading.named.values()) {
    if (uses.length === 0 && misfits.size === 0) {
      const kind = kindOf(statement.literal.text)?.kind ?? 'count';
      const form: ValueForm = { kinds: [kind === 'count' ? 'cores' : kind], setting: false, unlimited: true, min: 0, max: Infinity, cv: 0 };
      const value = makeValue(statement, at, at, reading, form, quantities[kind].name, statement.literal);
      if (value) reading.inputs.push({ ...value, unit: quantities[kind].unit });
    }
    const setting = uses.length > 0 && uses.every((use) => use.setting);
    for (const { value } of uses) {
      value.setting = setting;
      if (statement.basis === undefined) value.basis = setting ? 'chosen' : 'assumed';
    }
  }
};

interface Options {
  /** As written in a file. Without it the key is required, unless `optional`. */
  readonly fallback?: string | number;
  /**
   * Of a default that the world may contradict: both ends, as written. A default without one says "this is not modelled";
   * that is the file's choice and not a guess, so it counts as a setting.
   */
  readonly fallbackRange?: readonly [string | number, string | number];
  readonly unlimited?: boolean;
  readonly min?: number;
  readonly max?: number;
}
type Kinds = QuantityKind | readonly QuantityKind[];

const formOf = (kinds: Kinds, setting: boolean, { unlimited = false, min = 0, max = Infinity }: Options): ValueForm => ({ kinds: typeof kinds === 'string' ? [kinds] : kinds, setting, unlimited, min, max });

/** S: a key that we configure. */
export const setting = (kinds: Kinds, doc: string, options: Options = {}): Field<Value> => valueField(formOf(kinds, true, options), doc, options);
/** W: a key that the world decides. */
export const world = (kinds: Kinds, doc: string, options: Options = {}): Field<Value> => valueField(formOf(kinds, false, options), doc, options);
/** W~: a mean that single draws spread around. */
export const drawn = (kinds: Kinds, doc: string, options: Options & { cv?: number } = {}): Field<Drawn> => valueField({ ...formOf(kinds, false, options), cv: options.cv ?? 0 }, doc, options);
/** The same as a type, for lists and maps of values. */
export const settingType = (kinds: Kinds, options: Options = {}): Type<Value> => valueType(formOf(kinds, true, options));
export const worldType = (kinds: Kinds, options: Options = {}): Type<Value> => valueType(formOf(kinds, false, options));
export const drawnType = (kinds: Kinds, options: Options & { cv?: number } = {}): Type<Drawn> => valueType({ ...formOf(kinds, false, options), cv: options.cv ?? 0 });

/** A default that depends on the rest of the file, registered like every other. */
export const defaultValue = (kinds: Kinds, written: string | number, at: Path, parent: Node, reading: Reading): Value => {
  const form = formOf(kinds, true, { unlimited: true });
  const literal = writtenAt(parent, written);
  const value: Value = { ...makeValue({ literal }, at, at, reading, form, '', literal)!, basis: 'default' };
  reading.inputs.push(value);
  return value;
};

const valueField = <F extends ValueForm>(form: F, doc: string, { fallback, fallbackRange }: Options): Field<ValueOf<F>> => {
  const type = valueType(form);
  const marked = `${doc} (${form.cv !== undefined ? 'the world decides; drawn' : form.setting ? 'a setting' : 'the world decides'})`;
  if (fallback === undefined) return required(type, marked);
  return {
    type,
    doc: marked,
    required: false,
    fallback,
    read: (node, at, reading) => type.read(node, at, reading),
    absent(at, parent, reading) {
      const range = fallbackRange && ([writtenAt(parent, fallbackRange[0]), writtenAt(parent, fallbackRange[1])] as const);
      const literal = writtenAt(parent, fallback);
      const made = makeValue({ literal, ...(range && { range }) }, at, at, reading, form, type.expected, literal)!;
      const value = { ...made, basis: 'default', setting: form.setting || !range } as ValueOf<F>;
      reading.inputs.push(value);
      return value;
    },
  };
};
