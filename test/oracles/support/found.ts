import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** One figure of one case, as found. `halfWidth` of its 99 % interval, in its own unit. */
export interface Found {
  readonly family: string;
  readonly id: string;
  readonly figure: string;
  readonly tolerance: number;
  readonly expected: number;
  readonly found: number;
  readonly halfWidth: number;
  /** How exactly the study keeps it, relative. */
  readonly resolution: number;
  readonly wide: boolean;
}

/** What the families of a run have found; not kept in the repository. */
export const folder = path.resolve(import.meta.dirname, '../../../coverage/oracles');
export const off = ({ found, expected }: Found): number => found / expected - 1;
/** Whether the truth lies in the interval, which is wider by what the study does not keep: chance is not the only error. */
export const isInside = ({ found, expected, halfWidth, resolution }: Found): boolean => Math.abs(found - expected) <= halfWidth + resolution * Math.abs(expected);
export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
export const insideShare = (rows: readonly Found[]): number => rows.filter(isInside).length / rows.length;
/** Mean of the signed relative errors of those that are as narrow as they should be. */
export const bias = (rows: readonly Found[]): number => mean(rows.filter(({ wide }) => !wide).map(off));
/** Half the tolerance is what an interval may have to each side. An exact figure has none. */
export const notNarrow = ({ halfWidth, tolerance, expected }: Found): boolean => halfWidth > (tolerance / 2) * Math.abs(expected);

export const keep = (family: string, rows: readonly Found[]): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${family}.json`), JSON.stringify(rows));
};

/** Of all families that this run has been through. */
export const kept = (): Found[] => readdirSync(folder).filter((name) => name.endsWith('.json')).toSorted().flatMap((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Found[]);

/** For people: a line for each figure, and one for each family. */
export const table = (rows: readonly Found[]): string => {
  const families = [...new Set(rows.map(({ family }) => family))];
  const width = Math.max(...rows.map(({ id }) => id.length));
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`.padStart(9);
  const lineOf = (row: Found): string =>
    [row.id.padEnd(width), row.figure.padEnd(17), row.expected.toPrecision(6).padStart(12), row.found.toPrecision(6).padStart(12), percent(off(row)), `±${percent(row.halfWidth / row.expected)}`, percent(row.tolerance), isInside(row) ? '' : 'outside', row.wide ? 'wide' : ''].join('  ').trimEnd();
  const sumOf = (name: string, of: readonly Found[]): string => `${name}: ${of.length} figures of ${new Set(of.map(({ id }) => id)).size} cases, ${percent(insideShare(of)).trim()} inside their 99 % interval, mean relative error ${percent(bias(of)).trim()} (wide ones left out)`;
  const head = [['case'.padEnd(width), 'figure'.padEnd(17), 'expected'.padStart(12), 'found'.padStart(12), 'off'.padStart(9), ' half width'.padStart(10), 'tolerance'.padStart(9)].join('  ')];
  return [...families.flatMap((family) => [sumOf(family, rows.filter((row) => row.family === family)), ...head, ...rows.filter((row) => row.family === family).map(lineOf), '']), sumOf('all', rows), ''].join('\n');
};
