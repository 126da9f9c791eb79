import type { Problems } from '../document/problems.js';
import { type Node, type Path, type ScalarNode, describeNode, dotted, headOf } from '../document/tree.js';
import type { Value } from '../model.js';
import type { NamedValue } from './value.js';

/**
 * One type of the grammar. The definitions made of these are the language: shape checks, defaults, basis, overrides and the JSON schema all come from them.
 * Reading is total: what is wrong is reported and replaced by a blank, so that one pass finds every problem.
 */
export interface Type<T> {
  /** After "expected": `a duration such as 250ms`. */
  readonly expected: string;
  read(node: Node, at: Path, reading: Reading): T;
  /** Stands in for what could not be read; harmless to every later check (`NaN`, '', empty). */
  blank(at: Path, parent: Node, reading: Reading): T;
  schema(definitions: Definitions): JsonSchema;
  /** The type inside, one name or index further on; for overrides by path. */
  inside?(segment: string): Inside | undefined;
  /** Names that `inside` knows by itself. */
  readonly names?: readonly string[];
  /** A short form written as the map that it stands for. */
  unfold?(node: Node): Node;
}

export interface Inside {
  readonly type: Type<unknown>;
  /** Whether an override may put something here that the file does not have. */
  readonly mayBeAdded: boolean;
  /** Whether an override may go further inside when the file has nothing here. */
  readonly mayBeEntered: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Named parts of the JSON schema, filled while it is made. */
export type Definitions = Map<string, JsonSchema>;

/** The state of reading one variant of a file. */
export class Reading {
  /** Every value in the order of reading. */
  readonly inputs: Value[] = [];
  readonly named = new Map<string, NamedValue>();

  /** `original`: the file before this variant's overrides; `naming`: that in which values have names, before any is moved to be tried. */
  constructor(readonly root: Node, readonly problems: Problems, readonly original: Node = root, readonly naming: Node = root) {}

  /** "expected …, found …" at a node. */
  unexpected(node: Node, at: Path, expected: string, hint?: string): void {
    const where = at.length > 0 ? ` for \`${dotted(at)}\`` : '';
    const isEmpty = node.kind === 'scalar' && node.value === null;
    this.problems.add(isEmpty ? headOf(node) : node.at, `expected ${expected}${where}, found ${describeNode(node)}`, hint);
  }
}

/** One key of a map: its type, what it means, and what holds when it is left out. */
export interface Field<T> {
  readonly type: Type<unknown>;
  readonly doc: string;
  readonly required: boolean;
  /** As written in a file; for the JSON schema. */
  readonly fallback?: string | number | boolean | readonly string[];
  read(node: Node, at: Path, reading: Reading): T;
  absent(at: Path, parent: Node, reading: Reading): T;
}
/** Fields of any types; `Shape` gives each its own back. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Shape<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** A key that must be there. */
export const required = <T>(type: Type<T>, doc: string, hint?: string): Field<T> => ({
  type,
  doc,
  required: true,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: (at, parent, reading) => {
    const where = at.length > 1 ? ` in \`${dotted(at.slice(0, -1))}\`` : '';
    reading.problems.add(headOf(parent), `expected \`${at.at(-1)}\`${where}, found none`, hint ?? `\`${at.at(-1)}\`: ${type.expected}. ${doc}.`);
    return type.blank(at, parent, reading);
  },
});

/** A key that may be missing, with nothing in its place. */
export const optional = <T>(type: Type<T>, doc: string): Field<T | undefined> => ({
  type,
  doc,
  required: false,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: () => undefined,
});

/** A key with a default that is no quantity: a word, a switch, a number of the presentation. */
export const defaulted = <T extends string | number | boolean>(type: Type<T>, fallback: T, doc: string, written: string | number | boolean = fallback): Field<T> => ({
  type,
  doc,
  required: false,
  fallback: written,
  read: (node, at, reading) => type.read(node, at, reading),
  absent: () => fallback,
});

/** A scalar as if it stood at `parent`: how defaults are read. */
export const writtenAt = (parent: Node, written: string | number): ScalarNode => ({ kind: 'scalar', value: written, text: String(written), quoted: false, at: headOf(parent) });
