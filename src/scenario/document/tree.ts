import type { Place } from '../../errors.js';

/** A text that positions point into: the scenario file, or one `--set path=value`. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Where something stands: offsets in UTF-16 code units, `end` exclusive. */
export interface Mark {
  readonly source: Source;
  readonly offset: number;
  readonly end: number;
}

interface Located {
  readonly at: Mark;
  /** The key, or the override, that put this node where it is. */
  readonly key?: Mark;
}
export interface ScalarNode extends Located {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** As written, without quotes. */
  readonly text: string;
  readonly quoted: boolean;
}
export interface ListNode extends Located {
  readonly kind: 'list';
  readonly items: readonly Node[];
}
/** Entries sit in a `Map`, so that no key of a file can reach a prototype. */
export interface MapNode extends Located {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Node>;
}
export type Node = ScalarNode | ListNode | MapNode;

/** Names and list indices from the root. */
export type Path = readonly string[];

export const dotted = (path: Path): string => path.join('.');

/** The key when there is one, else the node itself: where a caret stands for "something is missing here". */
export const headOf = (node: Node): Mark => node.key ?? node.at;

export const emptyMap = (at: Mark, key?: Mark): MapNode => ({ kind: 'map', entries: new Map(), at, ...(key && { key }) });

export const childOf = (node: Node | undefined, segment: string): Node | undefined => {
  if (node?.kind === 'map') return node.entries.get(segment);
  if (node?.kind === 'list' && /^\d{1,9}$/.test(segment)) return node.items[Number(segment)];
  return undefined;
};

/** The node at a path, or the deepest one on the way to it. */
export const locate = (root: Node, path: Path): Node => {
  let node = root;
  for (const segment of path) {
    const next = childOf(node, segment);
    if (!next) return node;
    node = next;
  }
  return node;
};

/** A node in a few words, for "found …". */
export const describeNode = (node: Node): string => {
  if (node.kind === 'map') return node.entries.size === 0 ? 'an empty map' : `a map (${[...node.entries.keys()].slice(0, 4).join(', ')}${node.entries.size > 4 ? ', …' : ''})`;
  if (node.kind === 'list') return `a list of ${node.items.length}`;
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'boolean') return `\`${node.value}\``;
  const text = node.text.length > 60 ? `${node.text.slice(0, 57)}…` : node.text;
  if (typeof node.value === 'number') return text;
  return node.quoted || text === '' ? `"${text}"` : `\`${text}\``;
};

/** The node as it was written, on one line. */
export const writtenText = (node: Node): string => node.at.source.text.slice(node.at.offset, node.at.end).replace(/\s+/g, ' ').trim() || 'null';

export const placeOf = ({ source, offset }: Mark): Place => {
  const starts = lineStartsOf(source);
  let line = 0;
  for (let above = starts.length; line + 1 < above; ) {
    const middle = (line + above) >> 1;
    if (starts[middle] <= offset) line = middle;
    else above = middle;
  }
  const start = starts[line];
  return {
    file: source.file,
    line: line + 1,
    column: offset - start + 1,
    sourceLine: source.text.slice(start, starts[line + 1] === undefined ? undefined : starts[line + 1] - 1).replace(/\r$/, ''),
  };
};

/** Where each line begins, found once a text: a file may have as many mistakes as lines. */
const lineStartsOf = (source: Source): readonly number[] => {
  let starts = lineStarts.get(source);
  if (!starts) {
    starts = [0];
    for (let end = source.text.indexOf('\n'); end >= 0; end = source.text.indexOf('\n', end + 1)) starts.push(end + 1);
    lineStarts.set(source, starts);
  }
  return starts;
};
const lineStarts = new WeakMap<Source, number[]>();
