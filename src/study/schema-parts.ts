import { eventKinds } from '../scenario/model.js';
import { listOf, oneOf, orNull, shape, type Schema } from './json-schema.js';
import type * as Model from './types.js';

/** Pieces that several parts of the study's schema are made of. */
export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const number: Schema = { type: 'number' };
export const positive: Schema = { type: 'number', minimum: 0 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const share: Schema = { type: 'number', minimum: 0, maximum: 1 };
export const both: Schema = shape<Model.Text>({ en: text, ko: text });

export const basis = oneOf('measured', 'spec', 'chosen', 'assumed', 'default');
export const unit = oneOf('ms', '/s', 'B', 'B/s', 'count', 'cores', 'factor', 'share', 'weight', 'money/h');
export const metric = oneOf(
  ...['good', 'declined', 'refused', 'failed', 'dropped', 'rate', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max'],
  ...['cpu', 'queue', 'slots', 'memory', 'poolWait', 'lockWait', 'ooms', 'ejections', 'launches', 'cost'],
);
export const eventKind = oneOf(...eventKinds);

export const override = shape<Model.Override>({ path: text, value: text });

export const spread: Schema = { type: 'object', properties: { kind: oneOf('gamma', 'lognormal', 'quantiles'), cv: positive, points: listOf({ type: 'array', items: number, minItems: 2, maxItems: 2 }) }, required: ['kind'], additionalProperties: false };

export const input = shape<Model.Input>(
  { path: text, value: orNull(number), unit, basis, setting: flag, from: text, why: text, range: { type: 'array', items: number, minItems: 2, maxItems: 2 }, currency: text, spread },
  ['from', 'why', 'range', 'currency', 'spread'],
);
export const compared = orNull(shape<Model.Compared>({ phase: orNull(text), variant: text }));
/** Of `FigureName`. */
export const figureName = { variant: text, of: text, metric, over: oneOf('good', 'valid', 'bad'), phase: orNull(text), vs: compared, unit };
