import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { readStudy } from '../../src/study/read.js';
import { studySchema } from '../../src/study/schema.js';
import { mismatch } from '../../src/study/validate.js';
import { settle } from '../../src/study/settle.js';
import { writeStudy } from '../../src/study/write.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const withRun = (change: Record<string, unknown>): unknown => ({ ...study, runs: { 'as-it-is': { ...study.runs['as-it-is'], ...change } } });
const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return error instanceof FaultreelError ? `${error.exitCode}: ${error.message}` : `not ours: ${String(error)}`;
  }
  return 'no error';
};

describe('study.json', () => {
  it('says after reading exactly what was written', () => {
    expect(readStudy(writeStudy(study), 'study.json')).toEqual(study);
  });

  it('is the same text whatever order the keys were put in', () => {
    const turned = JSON.parse(writeStudy(study), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'tMs' in value ? Object.fromEntries(Object.entries(value).reverse()) : value,
    ) as typeof study;
    expect(JSON.stringify(turned)).not.toBe(JSON.stringify(study));
    expect(writeStudy({ ...turned, schema: study.schema })).toBe(writeStudy(study));
  });

  it('keeps the order of variants and services, which is the order of the scenario', () => {
    const again = readStudy(writeStudy(study), 'study.json');
    expect(Object.keys(again.runs)).toEqual(['as-it-is', 'dedicated-health-path']);
    expect(Object.keys(again.runs['as-it-is'].services)).toEqual(Object.keys(study.runs['as-it-is'].services));
  });

  it.each([NaN, Infinity, -Infinity])('refuses to write %s and says where it stands', (number) => {
    const broken = withRun({ ticks: { ...study.runs['as-it-is'].ticks, count: number } }) as typeof study;
    expect(messageOf(() => writeStudy(broken))).toContain(`1: study.runs.as-it-is.ticks.count is ${number}`);
  });

  it('is refused with the reason when it is not one', () => {
    expect(messageOf(() => readStudy('{', 'x.json'))).toMatchInlineSnapshot(`"2: x.json is not a study: it is not JSON"`);
    expect(messageOf(() => readStudy('{}', 'x.json'))).toMatchInlineSnapshot(`"2: x.json is not a study: expected "schema": "faultreel-study/1", found no schema"`);
    expect(messageOf(() => readStudy('null', 'x.json'))).toContain('found no schema');
    expect(messageOf(() => readStudy(JSON.stringify({ ...study, schema: 'faultreel-study/7' }), 'x.json'))).toMatchInlineSnapshot(
      `"2: x.json is a study of version 7; this faultreel reads version 1"`,
    );
    expect(messageOf(() => readStudy(JSON.stringify(withRun({ requests: -1 })), 'x.json'))).toMatchInlineSnapshot(
      `"2: x.json is not a whole study: runs.as-it-is.requests expected a number of at least 0, found -1"`,
    );
    expect(messageOf(() => readStudy(JSON.stringify(withRun({ extra: 1 })), 'x.json'))).toContain('runs.as-it-is.extra is a key that this version does not know');
    expect(messageOf(() => readStudy(JSON.stringify({ ...study, verdicts: undefined }), 'x.json'))).toContain('verdicts is missing');
  });
});

describe('the schema of study.json', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true });
  const check = ajv.compile(studySchema);

  it('is a JSON Schema that another validator understands, and the scripted study fits it', () => {
    expect(check(study), JSON.stringify(check.errors)).toBe(true);
  });

  const breakages: [string, unknown][] = [
    ['a missing part', { ...study, claims: undefined }],
    ['no runs', { ...study, runs: {} }],
    ['an unknown key', { ...study, more: 1 }],
    ['a text for a number', withRun({ events: '12' })],
    ['a fraction of a request', withRun({ requests: 1.5 })],
    ['an unknown event', withRun({ eventLog: [{ tMs: 1, kind: 'boom', subject: 'a', cause: 'b', basis: 'counted', data: {} }] })],
    ['a state that has no name', { ...study, firstToBreak: { ...study.firstToBreak, resource: { service: 'a', instance: 0, what: 'cpu', sinceMs: 1 } } }],
    ['a hash that is none', { ...study, scenario: { ...study.scenario, sha256: 'abc' } }],
  ];
  it.each(breakages)('finds %s, and so does our own validator', (_name, broken) => {
    const value: unknown = JSON.parse(JSON.stringify(broken));
    expect(check(value)).toBe(false);
    expect(mismatch(studySchema, value)).not.toBeNull();
  });
});

describe('settle', () => {
  it('gives the study that reading gives, keys in the same order', () => {
    expect(JSON.stringify(settle(study))).toBe(JSON.stringify(readStudy(writeStudy(study), 'study.json')));
  });

  it('calls a study that breaks its own schema a fault of the tool', () => {
    expect(messageOf(() => settle(withRun({ requests: -1 }) as typeof study))).toBe('1: the study is not as its schema says: runs.as-it-is.requests expected a number of at least 0, found -1');
  });
});
