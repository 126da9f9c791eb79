import { type MapNode, type Node, type Path, type ScalarNode, dotted, headOf } from '../document/tree.js';
import type { Basis } from '../model.js';
import { suggest } from '../nearest.js';
import { parseQuantity } from '../quantities.js';
import { line } from './basic.js';
import type { Reading } from './type.js';

/** A value as it was said, before anybody knows what type of number is wanted. */
export interface Statement {
  readonly literal: ScalarNode;
  /** Absent for a bare value: the key then decides. */
  readonly basis?: Exclude<Basis, 'default'>;
  readonly from?: string;
  readonly why?: string;
  readonly range?: readonly [ScalarNode, ScalarNode];
  readonly spread?: WrittenSpread;
}
export interface WrittenSpread {
  readonly key: Node;
  readonly cv?: number;
  readonly lognormal?: boolean;
  readonly quantiles?: readonly { readonly share: number; readonly literal: ScalarNode }[];
}

export const basisKeys = ['measured', 'spec', 'chosen', 'assumed'] as const;
export const spreadKeys = ['cv', 'dist', 'quantiles'] as const;
export const statementKeys = [...basisKeys, 'from', 'why', 'range', ...spreadKeys] as const;

/** Reads `12ms` or `{assumed: 12ms, range: […], why: …}`; undefined when it is neither (reported). */
export const readStatement = (node: Node, at: Path, reading: Reading, expected: string): Statement | undefined => {
  if (node.kind === 'scalar') return { literal: node };
  if (node.kind === 'list') {
    reading.unexpected(node, at, expected);
    return undefined;
  }
  for (const [key, value] of node.entries) {
    if (!(statementKeys as readonly string[]).includes(key)) reading.problems.add(headOf(value), `unknown key \`${key}\` in the value \`${dotted(at)}\``, suggest(key, statementKeys, 'a value has'));
  }
  const basis = basisOf(node, at, reading, expected);
  const literal = basis && node.entries.get(basis);
  if (!basis || !literal) return undefined;
  if (literal.kind !== 'scalar' || literal.text.startsWith('$')) {
    reading.unexpected(literal, [...at, basis], expected, literal.kind === 'scalar' ? `\`${basis}\` says a number itself; use \`${literal.text}\` in place of the whole value` : undefined);
    return undefined;
  }
  const range = rangeOf(node, at, reading);
  const spread = spreadOf(node, at, reading);
  return { literal, basis, ...sourceOf(node, basis, at, reading), ...(range && { range }), ...(spread && { spread }) };
};

const basisOf = (node: MapNode, at: Path, reading: Reading, expected: string): Statement['basis'] => {
  const said = basisKeys.filter((key) => node.entries.has(key));
  if (said.length === 0) {
    reading.problems.add(headOf(node), `expected ${expected} for \`${dotted(at)}\`, found a map that does not say how the number is known`, 'write one of `measured: …`, `spec: …`, `chosen: …` or `assumed: …` in it');
  }
  if (said.length > 1) {
    reading.problems.add(headOf(node.entries.get(said[1])!), `expected one of \`measured\`, \`spec\`, \`chosen\`, \`assumed\` in \`${dotted(at)}\`, found ${said.map((key) => `\`${key}\``).join(' and ')}`, 'a number is known in one way: keep the one that is true');
  }
  return said.length === 1 ? said[0] : undefined;
};

const sourceOf = (node: MapNode, basis: NonNullable<Statement['basis']>, at: Path, reading: Reading): { from?: string; why?: string } => {
  const from = node.entries.get('from');
  const why = node.entries.get('why');
  const needsFrom = basis === 'measured' || basis === 'spec';
  if (needsFrom && !from) {
    const example = basis === 'measured' ? 'from: "APM, p50 of 12 May, 14:00"' : 'from: "maker\'s data sheet, 2026-07"';
    reading.problems.add(headOf(node.entries.get(basis)!), `expected \`from\` beside \`${basis}\` in \`${dotted(at)}\`, found none: a ${basis === 'measured' ? 'measured' : "maker's"} number names its source`, `add \`${example}\`, or write \`assumed\` if nobody ${basis === 'measured' ? 'measured it' : 'published it'}`);
  }
  if (!needsFrom && from) reading.problems.add(headOf(from), `expected no \`from\` beside \`${basis}\` in \`${dotted(at)}\``, 'give the reason with `why`; a number that was seen somewhere is `measured`');
  if (needsFrom && why) reading.problems.add(headOf(why), `expected no \`why\` beside \`${basis}\` in \`${dotted(at)}\``, `\`from\` names the source; \`why\` is the reason of a \`chosen\` or \`assumed\` number`);
  return {
    ...(from && needsFrom && { from: line.read(from, [...at, 'from'], reading) }),
    ...(why && !needsFrom && { why: line.read(why, [...at, 'why'], reading) }),
  };
};

const rangeOf = (node: MapNode, at: Path, reading: Reading): Statement['range'] => {
  const range = node.entries.get('range');
  if (!range) return undefined;
  if (range.kind === 'list' && range.items.length === 2) {
    const [low, high] = range.items;
    if (low?.kind === 'scalar' && high?.kind === 'scalar') return [low, high];
  }
  reading.unexpected(range, [...at, 'range'], 'a list of the lowest and the highest value that you would believe, such as [7ms, 12ms]');
  return undefined;
};

const spreadOf = (node: MapNode, at: Path, reading: Reading): WrittenSpread | undefined => {
  const key = spreadKeys.map((name) => node.entries.get(name)).find((inner) => inner !== undefined);
  if (!key) return undefined;
  const cvNode = node.entries.get('cv');
  const dist = node.entries.get('dist');
  const quantiles = node.entries.get('quantiles');
  if (quantiles && (cvNode || dist)) reading.problems.add(headOf(quantiles), `expected either \`quantiles\` or \`cv\` and \`dist\` in \`${dotted(at)}\`, found both`, 'keep one of them');
  if (dist && !(dist.kind === 'scalar' && dist.value === 'lognormal')) reading.unexpected(dist, [...at, 'dist'], '`lognormal`', 'without `dist` the draws are gamma distributed');
  const cv = cvNode && numberOf(cvNode, [...at, 'cv'], reading);
  const points = quantiles && quantilesOf(quantiles, [...at, 'quantiles'], reading);
  return { key, ...(cv !== undefined && { cv }), ...(dist && { lognormal: true }), ...(points && { quantiles: points }) };
};

const numberOf = (node: Node, at: Path, reading: Reading): number | undefined => {
  if (node.kind === 'scalar' && typeof node.value === 'number' && node.value >= 0 && node.value <= 20) return node.value;
  reading.unexpected(node, at, 'a coefficient of variation from 0 (constant) over 1 (exponential) to 20');
  return undefined;
};

const quantilesOf = (node: Node, at: Path, reading: Reading): WrittenSpread['quantiles'] => {
  if (node.kind !== 'map' || node.entries.size === 0) {
    reading.unexpected(node, at, 'shares and values such as {50%: 12ms, 95%: 40ms, 99%: 90ms}');
    return undefined;
  }
  return [...node.entries].flatMap(([key, value]) => {
    const share = parseQuantity({ kind: 'scalar', value: key, text: key, quoted: false, at: headOf(value) }, ['share'], false);
    if ('value' in share && share.value > 0 && share.value <= 1 && value.kind === 'scalar') return [{ share: share.value, literal: value }];
    reading.problems.add(headOf(value), `expected a share and a value such as 95%: 40ms in \`${dotted(at)}\`, found \`${key}\``);
    return [];
  });
};
