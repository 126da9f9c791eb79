import { override, setOverride } from '../scenario/document/overrides.js';
import { Problems } from '../scenario/document/problems.js';
import { childOf, type Node, type Path } from '../scenario/document/tree.js';
import { readYaml } from '../scenario/document/yaml.js';
import { scenarioType } from '../scenario/grammar/scenario.js';
import { basisKeys } from '../scenario/grammar/statement.js';
import type { Change, ChangedValue, Side, Touched } from '../study/comparison.js';
import { splitSubject } from '../study/events.js';
import type { Override } from '../study/types.js';

/**
 * Inputs that are not the same on all sides: the scenario files with their overrides applied, compared leaf by leaf.
 * What is judged, said or asked (objectives, claims, titles, stops) is no input. In the order of the files.
 */
export const changesOf = (sides: readonly Side[]): readonly Change[] => {
  const files = sides.map(fileOf);
  const trees = files.map(({ tree }) => tree);
  const found = differences(trees, []).map((path) => changeAt(path, trees, sides));
  // An override that has no place in the file's text is told as it was written.
  const loose = new Set(files.flatMap(({ unplaced }) => unplaced.map(({ path }) => path)).filter((path) => !saidOnly.has(path.split('.')[0])));
  return [...found, ...[...loose].flatMap((path) => looseChange(path, sides, files.map(({ unplaced }) => unplaced)) ?? [])];
};

/** Parts of a file that change no figure. */
const saidOnly: ReadonlySet<string> = new Set(['faultreel', 'title', 'about', 'limits', 'claims', 'objectives', 'rehearsal', 'variants']);

interface File {
  readonly tree: Node | null;
  readonly unplaced: readonly Override[];
}

const fileOf = ({ study, variant }: Side): File => {
  let tree = readYaml({ file: study.scenario.name, text: study.scenario.text }, new Problems());
  const unplaced: Override[] = [];
  for (const one of study.runs[variant].overrides) {
    const problems = new Problems();
    const read = setOverride(one.path, one.value, problems);
    const next = tree && read ? override(tree, read, scenarioType, problems) : undefined;
    if (next) tree = next;
    else unplaced.push(one);
  }
  return { tree, unplaced };
};

/** Paths of the outermost nodes that differ. Where a side has nothing and the others are not alike, it is what they differ in that is told. */
const differences = (nodes: readonly (Node | null)[], path: Path): readonly Path[] => {
  const open = nodes.map(withoutBasis);
  const present = open.filter((node) => node !== null);
  const isAlike = present.length > 1 && new Set(present.map(textOf)).size === 1;
  if (present.length > 0 && present.every((node) => node.kind === 'map') && (present.length === open.length || (present.length > 1 && !isAlike))) {
    const names = new Set(open.flatMap((node) => (node?.kind === 'map' ? [...node.entries.keys()] : [])));
    return [...names].filter((name) => path.length > 0 || !saidOnly.has(name)).flatMap((name) => differences(open.map((node) => childOf(node ?? undefined, name) ?? null), [...path, name]));
  }
  const lengths = new Set(open.map((node) => (node?.kind === 'list' ? node.items.length : -1)));
  if (open.every((node) => node?.kind === 'list') && lengths.size === 1) return Array.from({ length: [...lengths][0] }, (_, i) => i).flatMap((i) => differences(open.map((node) => childOf(node ?? undefined, String(i)) ?? null), [...path, String(i)]));
  return new Set(nodes.map(textOf)).size > 1 ? [path] : [];
};

/** A value that says how it is known, without saying so. */
const withoutBasis = (node: Node | null): Node | null => {
  const key = basisKeyOf(node);
  return key === undefined || node?.kind !== 'map' ? node : node.entries.get(key)!;
};

const basisKeyOf = (node: Node | null) => (node?.kind === 'map' ? basisKeys.find((key) => node.entries.has(key)) : undefined);

/** As written, on one line; a guess with its sign. Null where there is nothing. */
const textOf = (node: Node | null): string | null => {
  if (node === null) return null;
  const inner = withoutBasis(node)!;
  return basisKeyOf(node) === 'assumed' ? `≈${compact(inner)}` : compact(inner);
};

/** On one line, without what a file says beside it. */
const compact = (node: Node): string => {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'list') return `[${node.items.map((item) => textOf(item) ?? '').join(', ')}]`;
  return `{ ${[...node.entries].map(([key, child]) => `${key}: ${textOf(child) ?? ''}`).join(', ')} }`;
};

const changeAt = (path: Path, trees: readonly (Node | null)[], sides: readonly Side[]): Change => {
  const values = trees.map((tree, i): ChangedValue => {
    const text = textOf(nodeAt(tree, path));
    return { text, filledIn: text === null && nodeAt(tree, path.slice(0, -1)) ? filledIn(path, sides[i]) : null };
  });
  return { path: path.join('.'), isWhole: path.length === 2 && wholes.has(path[0]) && values.some(({ text }) => text === null), values, touches: uniqueTouches(trees.flatMap((tree) => touchesOf(path, tree))) };
};

const wholes: ReadonlySet<string> = new Set(['services', 'traffic', 'hosts', 'faults']);

const nodeAt = (tree: Node | null, path: Path): Node | null => path.reduce<Node | null>((node, segment) => childOf(withoutBasis(node) ?? undefined, segment) ?? null, tree);

const looseChange = (path: string, sides: readonly Side[], unplaced: readonly (readonly Override[])[]): Change | null => {
  const values = sides.map((side, i): ChangedValue => {
    const text = unplaced[i].find((one) => one.path === path)?.value ?? null;
    return { text, filledIn: text === null ? filledIn(path.split('.'), side) : null };
  });
  return new Set(values.map(({ text }) => text)).size > 1 ? { path, isWhole: false, values, touches: touchesOf(path.split('.'), null) } : null;
};

/** What the tool filled in where the file says nothing: from the register of inputs, or a word of the picture (`shared`, `round-robin`). */
const filledIn = (path: Path, { study, variant }: Side): ChangedValue['filledIn'] => {
  // The register is the first variant's: what that one sets itself says nothing of a side that does not.
  const input = study.inputs.find((candidate) => candidate.path === path.join('.') && candidate.basis === 'default');
  if (input) return { value: input.value, unit: input.unit, ...(input.currency === undefined ? {} : { currency: input.currency }) };
  const { services, links } = study.runs[variant].system;
  const [room, name, to, callee, ...rest] = path;
  if (room !== 'services') return null;
  const [root, inside] = to === 'to' ? [links.find((link) => link.caller === name && link.callee === callee), rest] : [services.find((service) => service.name === name), path.slice(2)];
  const found = inside.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined), root);
  return typeof found === 'string' ? { value: found, unit: null } : null;
};

/** What of the picture an input belongs to: a service, a link, a traffic, a host; for a named value all that use it. */
const touchesOf = (path: Path, tree: Node | null): readonly Touched[] => {
  const [room, name, to, callee, ...rest] = path;
  if (name === undefined) return [];
  if (room === 'services' && to === 'to' && callee !== undefined) return [{ kind: 'link', name: `${name}.${callee}`, at: shortPath(rest) }];
  if (room === 'services') return [{ kind: 'service', name, at: shortPath(path.slice(2)) }];
  if (room === 'traffic') return [{ kind: 'traffic', name, at: shortPath(path.slice(2)) }];
  if (room === 'hosts') return [{ kind: 'host', name, at: shortPath(path.slice(2)) }];
  if (room === 'faults') return hitBy(name, shortPath(path.slice(2)), tree);
  if (room !== 'values' || tree === null) return [];
  return ['services', 'traffic', 'hosts', 'faults'].flatMap((where) => usesOf(`$${name}`, childOf(tree, where) ?? null, [where])).flatMap((use) => touchesOf(use, tree)).map((touched) => ({ ...touched, at: name }));
};

/** A fault is an input of what it hits. */
const hitBy = (fault: string, at: string, tree: Node | null): readonly Touched[] => {
  const target = nodeAt(tree, ['faults', fault, 'target']);
  if (target?.kind !== 'scalar') return [];
  const { service, instance } = splitSubject(target.text);
  return [{ kind: instance === null && service.includes('.') ? 'link' : 'service', name: service, at }];
};

const usesOf = (reference: string, node: Node | null, path: Path): readonly Path[] => {
  if (node?.kind === 'map') return [...node.entries].flatMap(([key, child]) => usesOf(reference, child, [...path, key]));
  if (node?.kind === 'list') return node.items.flatMap((child, i) => usesOf(reference, child, [...path, String(i)]));
  return node?.kind === 'scalar' && (node.text === reference || new RegExp(`(^|[^\\w-])\\${reference}(?![\\w-])`).test(node.text)) ? [path] : [];
};

/** `handlers.place-order.1.cpu` → `place-order.cpu`: the names in it. */
const shortPath = (path: Path): string => path.filter((part) => !/^(handlers|steps|\d+)$/.test(part)).join('.');

const uniqueTouches = (all: readonly Touched[]): readonly Touched[] => [...new Map(all.map((one) => [`${one.kind} ${one.name} ${one.at}`, one])).values()];
