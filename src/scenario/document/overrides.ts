import { basisKeys, spreadKeys } from '../grammar/statement.js';
import type { Type } from '../grammar/type.js';
import { suggest } from '../nearest.js';
import type { Problems } from './problems.js';
import { suggestSimilar } from './similar-paths.js';
import { type ListNode, type Mark, type MapNode, type Node, type Path, childOf, describeNode, dotted, emptyMap, headOf } from './tree.js';
import { readYaml } from './yaml.js';

/** One `path: value` of a variant, or one `--set path=value`. */
export interface Override {
  readonly path: string;
  /** `null` leaves out what stands at the path. */
  readonly value: Node;
  /** The path itself, for errors about it. */
  readonly at: Mark;
}

/** The tree with one override applied; nodes keep their places, the new one has the override's. Undefined when the path does not exist (reported). */
export const override = (root: Node, { path, value, at }: Override, type: Type<unknown>, problems: Problems): Node | undefined => {
  const fail = (message: string, hint?: string): undefined => void problems.add(at, message, hint);

  const replace = (node: Node | undefined, inner: Type<unknown>, done: Path, rest: Path): Node | null | undefined => {
    const [segment, ...further] = rest;
    if (segment === undefined) return isNull(value) ? null : { ...withOldSpread(node, value), key: at };
    const open = node && (inner.unfold?.(node) ?? node);
    if (open?.kind === 'scalar' && open.value !== null) return fail(`\`${path}\` does not exist: \`${dotted(done)}\` is ${describeNode(open)}, a single value with nothing inside`, `replace \`${dotted(done)}\` as a whole`);
    const child = childOf(open, segment);
    const inside = inner.inside?.(segment);
    const mayGoOn = child ? inside : further.length > 0 ? inside?.mayBeEntered && inside : isNull(value) ? undefined : inside?.mayBeAdded && inside;
    if (!mayGoOn) return fail(`\`${path}\` does not exist${child || !inside || !isNull(value) ? '' : ': there is nothing to leave out'}`, suggestSimilar(root, joined) ?? suggestPath(done, segment, further, open, inner));
    const replaced = replace(child, mayGoOn.type, [...done, segment], further);
    return replaced === undefined ? undefined : open?.kind === 'list' ? withItem(open, Number(segment), replaced) : withEntry(open ?? emptyMap(at, at), segment, replaced);
  };

  const segments = path.split('.');
  if (segments.some((segment) => segment === '')) return fail(`expected a path of names joined by dots, found \`${path}\``);
  if (segments[0] === 'variants' || segments[0] === 'faultreel') return fail(`\`${segments[0]}\` cannot be replaced`);
  // `p99.9` is the one key of the language with a dot in it.
  const joined = segments.at(-2) === 'p99' && segments.at(-1) === '9' ? [...segments.slice(0, -2), 'p99.9'] : segments;
  return replace(root, type, [], joined) ?? undefined;
};

/**
 * A bare number in the place of a value that says how it is known: the number is new, and so is its basis, but how single draws spread around it stays.
 * Otherwise `--set values.work=9ms` would change the law of `{ assumed: 9ms, cv: 0.5 }` with the same number.
 */
const withOldSpread = (old: Node | undefined, value: Node): Node => {
  if (value.kind !== 'scalar' || value.text.startsWith('$') || old?.kind !== 'map') return value;
  const basis = basisKeys.find((key) => old.entries.has(key));
  const was = basis && old.entries.get(basis);
  if (was?.kind !== 'scalar') return value;
  const why = `stands in the place of ${was.text}`;
  const entries = new Map<string, Node>([[basis === 'chosen' ? 'chosen' : 'assumed', value], ['why', { kind: 'scalar', value: why, text: why, quoted: true, at: value.at }]]);
  for (const key of spreadKeys) if (old.entries.has(key)) entries.set(key, old.entries.get(key)!);
  return { kind: 'map', entries, at: value.at };
};

const isNull = (node: Node): boolean => node.kind === 'scalar' && node.value === null;

const suggestPath = (done: Path, segment: string, further: Path, open: Node | undefined, inner: Type<unknown>): string | undefined => {
  const existing = open?.kind === 'map' ? [...open.entries.keys()] : open?.kind === 'list' ? open.items.map((_, index) => String(index)) : [];
  const known = [...new Set([...existing, ...(open?.kind === 'list' ? [] : (inner.names ?? []))])];
  const hint = suggest(segment, known, done.length > 0 ? `in \`${dotted(done)}\`` : 'at the top');
  return hint?.replace(/^did you mean `(.+)`\?$/, (_, name: string) => `did you mean \`${dotted([...done, name, ...further])}\`?`);
};

const withItem = (list: ListNode, index: number, item: Node | null): Node => ({
  ...list,
  items: item ? list.items.map((old, at) => (at === index ? item : old)) : list.items.filter((_, at) => at !== index),
});

const withEntry = (map: Node, name: string, value: Node | null): MapNode => {
  const entries = new Map(map.kind === 'map' ? map.entries : []);
  if (value) entries.set(name, value);
  else entries.delete(name);
  return { kind: 'map', entries, at: map.at, ...(map.key && { key: map.key }) };
};

/** The overrides that a variant's map holds. */
export const overridesOf = (variant: Node | undefined): readonly Override[] =>
  variant?.kind === 'map' ? [...variant.entries].map(([path, value]) => ({ path, value, at: headOf(value) })) : [];

/** `--set path=value`, the value being YAML; undefined when it cannot be read (reported). */
export const setOverride = (path: string, written: string, problems: Problems, flag = '--set'): Override | undefined => {
  const source = { file: flag, text: `${path}=${written}` };
  const at: Mark = { source, offset: 0, end: path.length };
  const valueAt: Mark = { source, offset: path.length + 1, end: source.text.length };
  if (written.trim() === '') return void problems.add(valueAt, `expected a value after \`${path}=\`, found nothing`, 'write `null` to leave the key out');
  if (/^\s*(null|~)\s*$/.test(written)) return { path, at, value: { kind: 'scalar', value: null, text: 'null', quoted: false, at: valueAt } };
  const value = readYaml(source, problems, `${' '.repeat(path.length + 1)}${written}`);
  return value ? { path, at, value } : undefined;
};
