import { shortPath } from '../look/sureness.js';
import { inputValue } from '../look/numbers.js';
import type { Input, Lang } from '../../src/study/types.js';
import { column, styles, type Flow } from './flow.js';
import { lineShapes } from './line-ink.js';
import { bold, breakLines, clean, say, type Line, type TextStyle } from './rich.js';

const style = { ...styles.small, size: 7, lineHeight: 9 } as const satisfies TextStyle;
const columns = 3;
const gap = 14;
/** Fewer rows than this are not worth beginning on a page. */
const fewestRows = 6;

/** Inputs of one basis that say nothing but their value, in small type in three columns: each value once, with the names that have it. */
export const valueGroups = (flow: Flow, inputs: readonly Input[]): void => {
  const width = (column.width - gap * (columns - 1)) / columns;
  let lines = groupsOf(inputs, flow.lang).flatMap(({ value, basis, names }) => breakLines(`${bold(say(value, basis))}: ${names.join(', ')}`, width, style));
  while (lines.length > 0) {
    const rows = Math.ceil(lines.length / columns);
    flow.need(Math.min(rows, fewestRows) * style.lineHeight);
    const fitting = Math.max(1, Math.min(rows, Math.floor(flow.left / style.lineHeight)));
    drawColumns(flow, lines.slice(0, fitting * columns), fitting, width);
    lines = lines.slice(fitting * columns);
  }
};

const drawColumns = (flow: Flow, lines: readonly Line[], rows: number, width: number): void => {
  const shapes = lines.flatMap((line, index) => lineShapes(line, column.left + Math.floor(index / rows) * (width + gap), flow.y + (index % rows) * style.lineHeight + 7, style));
  flow.add('P', [{ page: flow.page, shapes }]);
  flow.y += rows * style.lineHeight;
};

/** The most common value first. Zero is zero in every unit. */
const groupsOf = (inputs: readonly Input[], lang: Lang): { value: string; basis: Input['basis']; names: string[] }[] => {
  const groups = new Map<string, { value: string; basis: Input['basis']; names: string[] }>();
  for (const { path, value, unit, currency, basis } of inputs) {
    const text = value === 0 ? '0' : inputValue(value, unit, lang, currency);
    const group = groups.get(text) ?? { value: text, basis, names: [] };
    group.names.push(clean(shortPath(path)));
    groups.set(text, group);
  }
  return [...groups.values()].sort((a, b) => b.names.length - a.names.length);
};
