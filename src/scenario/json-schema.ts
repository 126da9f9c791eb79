import { scenarioType } from './grammar/scenario.js';
import type { Definitions, JsonSchema } from './grammar/type.js';

/** JSON Schema (draft 2020-12) of a scenario, from the same definitions that read one. For editors: it knows shapes, not meanings across the file. */
export const jsonSchema = (): JsonSchema => {
  const definitions: Definitions = new Map();
  const scenario = scenarioType.schema(definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:faultreel:scenario:1',
    title: 'faultreel scenario, version 1',
    ...scenario,
    $defs: Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
