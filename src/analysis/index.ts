export { askedOf, readingOf, type Asked, type Reading } from './figures.js';
export { testedGuesses } from './rests-on.js';
export { judgeables, studyOf, trialFigures, type Origin, type Trials } from './study.js';
export { sweepOf, sweepValues, type SweepPlan } from './sweep.js';
export { testing, type Point, type Readings, type Testing } from './testing.js';
export { askings } from './verdicts.js';
