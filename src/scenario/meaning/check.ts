import type { Reading } from '../grammar/type.js';
import type { System } from '../model.js';

/** Everything that only the whole file can say. */
export const checkMeaning = (_system: System, _reading: Reading): void => undefined;
