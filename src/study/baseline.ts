import { FaultreelError, exitCodes } from '../errors.js';
import { listOf, mapOf, orNull, shape } from './json-schema.js';
import { count, figureName, flag, number, text } from './schema-parts.js';
import type { FigureName, Override } from './types.js';
import { mismatch } from './validate.js';
import { writeJson } from './write.js';

export const baselineSchemaId = 'faultreel-baseline/1';

/**
 * What a scenario came to when somebody agreed with it: every figure under every seed. A later run is held against it. Figures are in base units, with six significant digits;
 * lists are in the order of `seeds`.
 */
export interface Baseline {
  readonly schema: typeof baselineSchemaId;
  /** `build` tells two builds of the same version apart. */
  readonly tool: { readonly version: string; readonly build: string };
  readonly scenario: { readonly name: string; readonly sha256: string; readonly set: readonly Override[] };
  readonly seeds: readonly number[];
  /** Kernel events of all variants under one seed: what a simulation of it costs. */
  readonly events: number;
  readonly figures: readonly (FigureName & { readonly values: readonly (number | null)[] })[];
  /** Whether each objective was met; null = unknown. */
  readonly verdicts: readonly { readonly objective: string; readonly variant: string; readonly phase: string | null; readonly met: readonly (boolean | null)[] }[];
  readonly claims: readonly { readonly claim: string; readonly variant: string; readonly phase: string | null; readonly held: readonly boolean[] }[];
  /** By variant: objective and resource, `availability order-api cpu`; empty where nothing broke. */
  readonly firstToBreak: Readonly<Record<string, readonly string[]>>;
}

const judgedAt = { variant: text, phase: orNull(text) };
const baselineSchema = shape<Baseline>({
  schema: { const: baselineSchemaId },
  tool: shape<Baseline['tool']>({ version: text, build: text }),
  scenario: shape<Baseline['scenario']>({ name: text, sha256: text, set: listOf(shape<Override>({ path: text, value: text })) }),
  seeds: listOf({ type: 'integer' }),
  events: count,
  figures: listOf(shape<Baseline['figures'][number]>({ ...figureName, values: listOf(orNull(number)) })),
  verdicts: listOf(shape<Baseline['verdicts'][number]>({ objective: text, ...judgedAt, met: listOf(orNull(flag)) })),
  claims: listOf(shape<Baseline['claims'][number]>({ claim: text, ...judgedAt, held: listOf(flag) })),
  firstToBreak: mapOf(listOf(text)),
});

/** The same baseline gives the same text. */
export const writeBaseline = (baseline: Baseline): string => writeJson(baseline, baselineSchema, 'baseline');

/**
 * @param file its name, for messages
 * @throws FaultreelError (usage) when it is not JSON, of another version, or not as the schema says
 */
export const readBaseline = (content: string, file: string): Baseline => {
  const value = parse(content, file);
  const wrong = mismatch(baselineSchema, value) ?? contradiction(value as Baseline);
  if (!wrong) return value as Baseline;
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema !== baselineSchemaId) throw broken(`${file} is no baseline of this version: expected "schema": "${baselineSchemaId}", found ${schema === undefined ? 'no schema' : JSON.stringify(schema)}`);
  throw broken(`${file} is not a whole baseline: ${wrong.path} ${wrong.message}`);
};

const parse = (content: string, file: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    const conflict = /^<{7} /m.test(content);
    throw broken(`${file} is no baseline: ${conflict ? 'it holds the marks of a merge conflict' : 'it is not JSON'}`);
  }
};

/** Below this no interval of a median reaches 95 %. */
export const fewestSeeds = 6;

/** Enough seeds, none twice, and a value a seed in every list. */
const contradiction = ({ seeds, figures, verdicts, claims, firstToBreak }: Baseline): { readonly path: string; readonly message: string } | null => {
  if (new Set(seeds).size < fewestSeeds || new Set(seeds).size < seeds.length) return { path: 'seeds', message: `expected at least ${fewestSeeds}, none of them twice` };

  const lists: (readonly [string, readonly unknown[]])[] = [
    ...figures.map(({ values }, i) => [`figures[${i}].values`, values] as const),
    ...verdicts.map(({ met }, i) => [`verdicts[${i}].met`, met] as const),
    ...claims.map(({ held }, i) => [`claims[${i}].held`, held] as const),
    ...Object.entries(firstToBreak).map(([variant, values]) => [`firstToBreak.${variant}`, values] as const),
  ];
  const unequal = lists.find(([, list]) => list.length !== seeds.length);
  return unequal ? { path: unequal[0], message: `expected ${seeds.length} values, one a seed, found ${unequal[1].length}` } : null;
};

const broken = (message: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint: 'Take it back from version control, or write it anew with faultreel check --update' });
