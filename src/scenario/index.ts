export { parseScenario, type ParseOptions } from './parse.js';
export { jsonSchema } from './json-schema.js';
export { catalogue } from './catalogue.js';
export type * from './model.js';
