import { childOf } from '../document/tree.js';
import type { Reading } from '../grammar/type.js';
import type { System } from '../model.js';
import { askingAbout } from './asking.js';
import { checkCalls } from './calls.js';
import { checkFaults } from './faults.js';
import { checkGoals } from './goals.js';
import { locksOf } from './locks.js';
import { checkRehearsal } from './events.js';
import { checkServices } from './services.js';
import { checkSize } from './size.js';
import { checkSteps } from './steps.js';
import { checkTimes } from './times.js';
import { checkTraffic } from './traffic.js';

/** Everything that only the whole file can say: names that exist, calls that end, times in order, bounds over all. */
export const checkMeaning = (system: System, reading: Reading): void => {
  // Without readable services every name in the file would be unknown.
  const services = childOf(reading.root, 'services');
  if (services && services.kind !== 'map') return;
  const asking = askingAbout(system, reading, new Set(locksOf(system)));
  checkTimes(asking);
  checkServices(asking);
  checkSize(asking);
  checkTraffic(asking);
  checkSteps(asking);
  checkCalls(asking);
  checkFaults(asking);
  checkGoals(asking);
  checkRehearsal(asking);
};
