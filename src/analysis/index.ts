export { studyOf, type Origin } from './study.js';
export { unsupportedChecks } from './unsupported-checks.js';
