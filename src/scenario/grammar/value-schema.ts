import { expectedQuantity, quantities } from '../quantities.js';
import type { JsonSchema } from './type.js';
import type { ValueForm } from './value.js';

/** The JSON schema of a value: bare, a `$name`, or a map that says how it is known. */
export const schemaOfValue = (form: ValueForm): JsonSchema => {
  const literals: JsonSchema[] = form.kinds.map((kind) => {
    const { pattern } = quantities[kind];
    return pattern ? { type: 'string', pattern: pattern.source } : { type: kind === 'count' ? 'integer' : 'number', minimum: 0 };
  });
  if (form.unlimited) literals.push({ const: 'unlimited' });
  return { description: `${expectedQuantity(form.kinds, form.unlimited)}, the \`$name\` of a value, or how it is known.`, anyOf: [...literals, { type: 'string', pattern: '^\\$[a-z][a-z0-9-]*$' }, statementSchema({ anyOf: literals }, form.cv !== undefined)] };
};

export const statementSchema = (literal: JsonSchema, isDrawn: boolean): JsonSchema => {
  const text = { type: ['string', 'number'] };
  const range = { type: 'array', items: literal, minItems: 2, maxItems: 2 };
  const spread = isDrawn ? { cv: { type: 'number', minimum: 0, maximum: 20 }, dist: { const: 'lognormal' }, quantiles: { type: 'object', propertyNames: { pattern: '^\\d+(\\.\\d+)?%$' }, additionalProperties: literal } } : {};
  const form = (basis: string, reason: 'from' | 'why'): JsonSchema => ({
    type: 'object',
    properties: { [basis]: literal, [reason]: text, range, ...spread },
    required: reason === 'from' ? [basis, 'from'] : [basis],
    additionalProperties: false,
  });
  return { anyOf: [form('measured', 'from'), form('spec', 'from'), form('chosen', 'why'), form('assumed', 'why')] };
};
