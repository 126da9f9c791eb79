export { studyOf, type Origin } from './study.js';
