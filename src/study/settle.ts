import { FaultreelError, exitCodes } from '../errors.js';
import { studySchema } from './schema.js';
import type { Study } from './types.js';
import { mismatch } from './validate.js';
import { writeStudy } from './write.js';

/**
 * A study exactly as `readStudy` would give it back: what is shown after a run and what is shown from its study.json start from the same object,
 * down to the order of keys.
 * @throws FaultreelError (internal) when it is not as the schema says
 */
export const settle = (study: Study): Study => {
  const settled: unknown = JSON.parse(writeStudy(study));
  const wrong = mismatch(studySchema, settled);
  if (!wrong) return settled as Study;
  throw new FaultreelError(exitCodes.internal, { message: `the study is not as its schema says: ${wrong.path} ${wrong.message}`, hint: 'This is a fault of faultreel. Please report it with the scenario.' });
};
