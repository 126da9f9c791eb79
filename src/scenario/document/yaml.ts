import { type CST, Composer, type Document, Lexer, Parser, isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, ParsedNode } from 'yaml';
import { targetsOf } from './anchors.js';
import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import type { Problems } from './problems.js';
import { type Mark, type Node, type Source, headOf, placeOf } from './tree.js';
import { sayInWords } from './yaml-words.js';

/**
 * YAML 1.2 (so JSON, too) to a tree of ours with positions. Null when the text cannot be read at all; every problem lands in `problems`.
 * `text` may be the source's text with its beginning blanked, so that positions count from there.
 * Works in stages, because the composer recurses: nesting is measured on the parser's flat output first, and the parser itself is stopped where a file does nothing but nest.
 */
export const readYaml = (source: Source, problems: Problems, text: string = source.text): Node | null => {
  const start: Mark = { source, offset: 0, end: 0 };
  if (text.length > limits.textLength) {
    problems.add(start, `expected at most ${grouped(limits.textLength)} characters, found ${grouped(text.length)}`);
    return null;
  }
  const { tokens, openAt } = tokensOf(text);
  const tooDeep = openAt ?? deeperThan(limits.depth, tokens);
  if (tooDeep !== null) {
    problems.add({ source, offset: tooDeep, end: tooDeep }, `expected at most ${limits.depth} maps and lists inside each other, found more`);
    return null;
  }
  const documents = [...new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, merge: false, logLevel: 'silent' }).compose(tokens)];
  if (!reportSyntax(source, tokens, documents, problems)) return null;
  const contents = documents[0]?.contents as ParsedNode | null | undefined;
  if (!documents[0] || !contents || (isScalar(contents) && contents.value === null)) {
    problems.add(start, 'expected a scenario, found an empty file', 'a scenario begins with the line `faultreel: 1`; docs/language.md has a small one to start from');
    return null;
  }
  return convert(contents, source, problems);
};

/** The parser keeps one token for each open map, list and item: far beyond the depth allowed there is no need to go on, at a kilobyte a bracket. */
const mostOpen = 8 * limits.depth;

const tokensOf = (text: string): { readonly tokens: readonly CST.Token[]; readonly openAt: number | null } => {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > mostOpen) return { tokens, openAt: Math.min(parser.offset, text.length) };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, openAt: null };
};

/** Every token with its depth. Iterative: a stranger's file may nest a million brackets. */
const everyToken = function* (tokens: readonly CST.Token[]): Generator<{ readonly token: CST.Token; readonly depth: number }> {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    const { token, depth } = next;
    const inner: (CST.Token | null | undefined)[] = 'items' in token ? token.items.flatMap((item) => [item.key, item.value]) : 'value' in token && typeof token.value === 'object' ? [token.value] : [];
    for (const child of inner) if (child) open.push({ token: child, depth: depth + ('items' in token ? 1 : 0) });
  }
};

/** Offset of something nested deeper than `most`, or null. */
const deeperThan = (most: number, tokens: readonly CST.Token[]): number | null => {
  for (const { token, depth } of everyToken(tokens)) if (depth > most) return token.offset;
  return null;
};

/** Where the quote was opened that is missed at `end`: that is where the mistake is, not at the end of the file. */
const openingQuote = (tokens: readonly CST.Token[], end: number): number => {
  const quoted = [...everyToken(tokens)].flatMap(({ token }) => ((token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') && token.offset < end ? token.offset : []));
  return quoted.length > 0 ? Math.max(...quoted) : end;
};

const reportSyntax = (source: Source, tokens: readonly CST.Token[], documents: readonly Document.Parsed[], problems: Problems): boolean => {
  const directive = /^%.*$/m.exec(source.text.slice(0, documents[0]?.contents?.range[0] ?? 0));
  if (directive) problems.add({ source, offset: directive.index, end: directive.index }, `expected no YAML directive, found \`${directive[0]}\``, 'remove the line: a scenario is always YAML 1.2');
  // What follows the first syntax error is mostly its echo; tabs are each a mistake of their own.
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  for (const error of errors.filter((candidate, index) => index === 0 || candidate.code === 'TAB_AS_INDENT' || candidate.code === 'TAG_RESOLVE_FAILED')) {
    const offset = /quote/.test(error.message) ? openingQuote(tokens, error.pos[0]) : Math.min(error.pos[0], source.text.length);
    const lineSoFar = source.text.slice(source.text.lastIndexOf('\n', offset - 1) + 1, offset);
    const { message, hint } = sayInWords(error.code, error.message, lineSoFar, source.text.slice(offset, offset + 1));
    problems.add({ source, offset, end: offset }, message, hint);
  }
  const second = documents[1];
  if (second) problems.add({ source, offset: second.range[0], end: second.range[1] }, 'expected one scenario in the file, found a second document after `---`', 'put the second scenario into a file of its own');
  return !problems.any;
};

const convert = (root: ParsedNode, source: Source, problems: Problems): Node | null => {
  let nodes = 0;
  let aliases = 0;
  const unfolding = new Set<unknown>();
  const targets = targetsOf(root);
  const markOf = (node: { range?: readonly [number, number, number] | null | undefined }): Mark => ({ source, offset: node.range?.[0] ?? 0, end: node.range?.[1] ?? 0 });
  const nothing = (at: Mark, key?: Mark): Node => ({ kind: 'scalar', value: null, text: '', quoted: false, at, ...(key && { key }) });

  const follow = (alias: Alias.Parsed, key: Mark | undefined): Node => {
    const at = markOf(alias);
    const target = targets.get(alias);
    if (++aliases > limits.aliases) throw new TooMuch(at, `expected at most ${grouped(limits.aliases)} aliases (\`*name\`), found more`);
    if (!target) problems.add(at, `expected an anchor \`&${alias.source}\` before the alias \`*${alias.source}\`, found none`);
    else if (unfolding.has(target)) problems.add(at, `the alias \`*${alias.source}\` stands inside what it names, and would never end`);
    else return visit(target, key);
    return nothing(at, key);
  };

  const visit = (node: ParsedNode | null, key?: Mark): Node => {
    if (!node) return nothing(key ?? markOf(root), key);
    const at = markOf(node);
    if (++nodes > limits.nodes) throw new TooMuch(key ?? at, `expected at most ${grouped(limits.nodes)} keys and values once every alias is unfolded, found more`);
    if (isAlias(node)) return follow(node, key);
    const located = { at, ...(key && { key }) };
    if (node.tag !== undefined) problems.add(at, `expected a plain value, found a YAML tag (\`${node.tag}\`)`, 'remove the tag: the language needs none');
    if (isScalar(node)) {
      const quoted = node.type !== 'PLAIN' && node.type !== undefined;
      const value = node.value;
      if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return { kind: 'scalar', value, text: quoted ? String(value) : (node.source ?? String(value ?? '')), quoted, ...located };
      return { kind: 'scalar', value: node.source ?? '', text: node.source ?? '', quoted, ...located };
    }
    unfolding.add(node);
    const converted: Node = isSeq(node)
      ? { kind: 'list', items: node.items.map((item) => visit(item)), ...located }
      : { kind: 'map', entries: isMap(node) ? entriesOf(node.items) : new Map(), ...located };
    unfolding.delete(node);
    return converted;
  };

  const entriesOf = (pairs: readonly { key: ParsedNode; value: ParsedNode | null }[]): Map<string, Node> => {
    const entries = new Map<string, Node>();
    let last = '';
    for (const { key, value } of pairs) {
      const at = key ? markOf(key) : markOf(root);
      if (value === null && continueProse(entries, last, key)) continue;
      if (!isScalar(key) || key.value === null) {
        problems.add(at, 'expected a name before the colon, found something else');
        continue;
      }
      const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
      const first = entries.get(name);
      if (forbiddenKeys.has(name)) problems.add(at, `\`${name}\` cannot be a key or a name here`, 'it is a reserved word of the tool; choose another name');
      else if (name === '<<') problems.add(at, 'expected a key, found the merge key `<<`, which YAML 1.2 does not have', 'repeat the entries, or name the shared value under `values`');
      else if (first) problems.add(at, `the key \`${name}\` stands here twice in one map; it was first written in line ${placeOf(headOf(first)).line}`, 'keep one of the two');
      else entries.set((last = name), visit(value, at));
    }
    return entries;
  };

  try {
    return visit(root);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    problems.add(error.at, error.message);
    return null;
  }
};

/**
 * `{why: told by the team, not checked}` in YAML is a key `not checked` without a value. No key of ours has a space in it:
 * it is the rest of the sentence, and is read as such.
 */
const continueProse = (entries: Map<string, Node>, name: string, key: ParsedNode): boolean => {
  const last = entries.get(name);
  if (last?.kind !== 'scalar' || last.quoted || typeof last.value !== 'string') return false;
  if (!isScalar(key) || key.type !== 'PLAIN' || typeof key.value !== 'string' || !key.value.includes(' ')) return false;
  const end = key.range[1];
  if (last.at.source.text.slice(last.at.end, end).includes('\n')) return false;
  const text = last.at.source.text.slice(last.at.offset, end);
  entries.set(name, { ...last, value: text, text, at: { ...last.at, end } });
  return true;
};

/** Names that reach into JavaScript's own objects. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Ends the conversion of a file that is too large to go on with. */
class TooMuch extends Error {
  constructor(readonly at: Mark, message: string) {
    super(message);
  }
}
