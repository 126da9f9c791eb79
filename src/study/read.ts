import { FaultreelError, exitCodes } from '../errors.js';
import { inconsistency } from './consistent.js';
import { studySchema } from './schema.js';
import { studySchemaId, type Study } from './types.js';
import { mismatch } from './validate.js';

/**
 * A study from the text of a study.json.
 * @param file its name, for messages
 * @throws FaultreelError (usage) when it is not JSON, of another version, or not as the schema says
 */
export const readStudy = (text: string, file: string): Study => {
  const value = parse(text, file);
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema !== studySchemaId) throw notThisVersion(file, schema);
  const wrong = mismatch(studySchema, value) ?? inconsistency(value as Study);
  if (wrong) {
    throw new FaultreelError(exitCodes.usage, {
      message: `${file} is not a whole study: ${wrong.path || 'the file'} ${wrong.message}`,
      hint: 'Make it again with `faultreel run` and do not edit it by hand; `faultreel schema study` prints its schema.',
    });
  }
  return value as Study;
};

const parse = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FaultreelError(exitCodes.usage, { message: `${file} is not a study: it is not JSON`, hint: 'Give the study.json of a run: faultreel render out/order-api-spike/study.json' }, { cause });
  }
};

const notThisVersion = (file: string, found: unknown): FaultreelError =>
  new FaultreelError(exitCodes.usage, {
    message:
      typeof found === 'string' && found.startsWith('faultreel-study/')
        ? `${file} is a study of version ${found.slice('faultreel-study/'.length)}; this faultreel reads version ${studySchemaId.slice('faultreel-study/'.length)}`
        : `${file} is not a study: expected "schema": "${studySchemaId}", found ${found === undefined ? 'no schema' : JSON.stringify(found)}`,
    hint: 'Run the scenario again with this version: faultreel run scenarios/order-api-spike.yaml',
  });
