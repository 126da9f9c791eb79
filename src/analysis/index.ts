export { askedOf, readingOf, type Asked, type Reading } from './figures.js';
export { testedGuesses } from './rests-on.js';
export { judgeables, studyOf, trialFigures, type Origin, type Trials } from './study.js';
export { sweepOf, sweepValues, type SweepPlan } from './sweep.js';
export { testing, type Point, type Readings, type Testing } from './testing.js';
export { askings } from './verdicts.js';
export { baselineOf } from './baseline.js';
export { driftOf, isUnchanged } from './drift.js';
export { goalsOf } from './goals.js';
