import { listOf, mapOf, oneOf, orNull, shape } from './json-schema.js';
import { text, flag, number, positive, count, both, unit, metric, figureName, input, compared } from './schema-parts.js';
import type * as Model from './types.js';

const resource = oneOf('cpu', 'slots', 'pool', 'memory', 'lock');
export const firstToBreak = orNull(
  shape<Model.FirstToBreak>({
    objective: text,
    phase: orNull(text),
    tMs: positive,
    resource: orNull(
      shape<NonNullable<Model.FirstToBreak['resource']>>({ service: text, instance: orNull({ type: 'integer', minimum: 1 }), what: resource, sinceMs: positive }),
    ),
    evidence: mapOf(number),
  }),
);

const pathValue = { path: text, value: number };
const seedFigure = { median: orNull(number), low: orNull(number), high: orNull(number), min: orNull(number), max: orNull(number), known: count };
const figures = listOf(orNull(number));
const brokenFirst = { objective: orNull(text), service: orNull(text), what: orNull(resource) };
export const seedSpread = shape<Model.SeedSpread>({
  seeds: listOf({ type: 'integer' }),
  figures: listOf(shape<Model.SeedSpread['figures'][number]>({ ...figureName, ...seedFigure })),
  firstToBreak: mapOf(listOf(shape<Model.SeedSpread['firstToBreak'][string][number]>({ ...brokenFirst, seeds: count }))),
});
export const sensitivity = shape<Model.Sensitivity>({
  guesses: listOf(input),
  runs: count,
  figures: listOf(shape<Model.FigureName>(figureName)),
  written: figures,
  ends: listOf(shape<Model.Sensitivity['ends'][number]>({ ...pathValue, end: oneOf('low', 'high'), figures, firstToBreak: shape<Model.BrokenFirst>(brokenFirst) })),
  between: listOf(shape<Model.Sensitivity['between'][number]>({ ...pathValue, figures })),
});
export const sweep = shape<Model.Sweep>(
  { variant: text, path: text, unit, currency: text, written: orNull(number), values: listOf(number), figures: listOf(shape<Model.FigureName>(figureName)), at: listOf(figures), knees: figures },
  ['currency'],
);

export const verdict = shape<Model.Verdict>(
  {
    objective: text,
    phase: orNull(text),
    variant: text,
    of: text,
    metric,
    target: text,
    unit,
    actual: orNull(number),
    met: orNull(flag),
    expected: flag,
    vs: compared,
    blind: flag,
    basis: oneOf('counted', 'estimated'),
    sure: oneOf('firm', 'hinges', 'untested'),
    restsOn: listOf(text),
    flipsAt: shape<Model.PathValue>(pathValue),
    tested: orNull(
      shape<Model.TestedVerdict>({
        met: orNull(flag),
        moves: listOf(shape<Model.TestedVerdict['moves'][number]>({ path: text, low: orNull(number), high: orNull(number), swing: positive })),
        flips: listOf(shape<Model.TestedVerdict['flips'][number]>({ ...pathValue, holdsAt: number, end: oneOf('low', 'high') })),
        corner: orNull(shape<NonNullable<Model.TestedVerdict['corner']>>({ values: listOf(shape<Model.PathValue>(pathValue)), actual: orNull(number), met: orNull(flag) })),
        together: listOf(shape<Model.PathValue>(pathValue)),
        unknownAt: listOf(text),
      }),
    ),
    seeds: orNull(shape<Model.JudgedSeeds>({ ...seedFigure, of: count, met: count })),
  },
  ['flipsAt'],
);
export const claim = shape<Model.ClaimResult>(
  {
    claim: text,
    variant: text,
    phase: orNull(text),
    says: orNull(both),
    from: orNull(text),
    target: text,
    unit: orNull(unit),
    vs: compared,
    actual: orNull(number),
    order: listOf(shape<NonNullable<Model.ClaimResult['order']>[number]>({ event: text, tMs: orNull(positive) })),
    held: flag,
    expected: flag,
    seeds: orNull(shape<NonNullable<Model.ClaimResult['seeds']>>({ of: count, held: count })),
  },
  ['order'],
);
