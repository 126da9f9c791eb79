/** What the statistical cases need of the tool: one entry, so that the long ones can run it as one file. */
export { simulate } from '../../../src/engine/index.js';
export { parseScenario } from '../../../src/scenario/index.js';
export { numberAt } from '../../../src/study/columns.js';
