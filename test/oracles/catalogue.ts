import { readFileSync } from 'node:fs';

/** One analytic case. Seconds and 1/s unless the name says otherwise. */
export interface OracleCase {
  readonly id: string;
  /** Relative; 0 = exact. */
  readonly tolerance: number;
  readonly given: Readonly<Record<string, number>>;
  readonly expected: Readonly<Record<string, number>>;
  /** Why no test is about it. */
  readonly notRun?: string;
}

export interface OracleFamily {
  readonly about: string;
  readonly formula: string;
  readonly source: string;
  readonly cases: readonly OracleCase[];
}

/** All of them, by family. */
export const families = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as Readonly<Record<string, OracleFamily>>;

/** Those of a family that are run. `Given` and `Expected` where not all of them are plain numbers. */
export const casesOf = <Given = OracleCase['given'], Expected = OracleCase['expected']>(family: string): readonly (Omit<OracleCase, 'given' | 'expected'> & { readonly given: Given; readonly expected: Expected })[] =>
  families[family].cases.filter(({ notRun }) => notRun === undefined) as unknown as readonly (Omit<OracleCase, 'given' | 'expected'> & { readonly given: Given; readonly expected: Expected })[];
