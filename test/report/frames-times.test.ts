import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { studyOf } from '../../src/analysis/index.js';
import { firstTime } from '../../src/analysis/first-time.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { beganAtMs } from '../../src/study/events.js';
import { settle } from '../../src/study/settle.js';
import type { LoggedEvent, Run, Study } from '../../src/study/types.js';
import { clock } from '../../renderers/look/numbers.js';
import { keyMoments } from '../../renderers/pdf/key-moments.js';
import { timelineRows } from '../../renderers/pdf/timeline-rows.js';
import { captionsOf } from '../../renderers/stage/captions.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { eventsCsv } from '../../renderers/text/csv.js';
import { terminalText } from '../../renderers/text/terminal.js';
import { summaryOf } from '../../renderers/text/summary.js';
import { storyboard } from '../../renderers/video/storyboard.js';

const file = 'scenarios/order-api-spike.yaml';
let study: Study;
let run: Run;
let first: LoggedEvent;
let at: string;

beforeAll(() => {
  const parsed = parseScenario(readFileSync(file, 'utf8'), { file });
  const systems = parsed.variants.slice(0, 1);
  study = settle(studyOf({ ...parsed, variants: systems }, systems.map((system) => simulate(system)), { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [systems[0].seed], set: [] }));
  run = Object.values(study.runs)[0];
  first = run.eventLog.find(({ kind }) => kind === 'saturated')!;
  at = clock(beganAtMs(first));
}, 120_000);

test('the shipped spike notices a saturation later than it began', () => {
  expect(first.tMs).toBeGreaterThan(beganAtMs(first));
  expect(clock(first.tMs)).not.toBe(at);
});

test('what broke first, the summary and the order of events say when it began', () => {
  expect(run.firstToBreak!.resource!.sinceMs).toBe(beganAtMs(first));
  expect(summaryOf(study, run, 'en').firstToBreak).toContain(at);
  expect(firstTime(run.eventLog, 'saturated', 'order-api')).toBe(beganAtMs(first));
});

test('the terminal says it at that time, in the order of time, and no other time', () => {
  const lines = terminalText(study, { variant: run.variant, lang: 'en', everyMs: 10_000 }).split('\n').filter((line) => / is saturated\./.test(line));
  expect(lines).toHaveLength(run.eventLog.filter(({ kind }) => kind === 'saturated').length);
  expect(lines[0].trim().startsWith(at)).toBe(true);
});

test('events.csv has the beginning and when it was noticed, each under its name', () => {
  const [head, row] = eventsCsv(study).split('\n');
  expect(head.startsWith('variant,beganS,noticedS,kind,')).toBe(true);
  expect(row.startsWith(`${run.variant},${beganAtMs(first) / 1000},${first.tMs / 1000},saturated,`)).toBe(true);
});

test('the report says it at that time, in its timeline and in its letters', () => {
  expect(timelineRows(run.eventLog, study.scenario.tickMs, 'en')[0]).toMatchObject({ time: at, basis: 'estimated' });
  expect(keyMoments(run, 'orders', study.scenario.tickMs, 'en').map(({ tMs }) => tMs)).toContain(beganAtMs(first));
});

test.each(['en', 'ko'] as const)('the film says it in the tick in which it is noticed, with that time, and never before; its chapter has that time (%s)', (lang) => {
  const captions = captionsOf(sceneOf(study, run.variant), lang);
  const noticed = Math.floor(first.tMs / study.scenario.tickMs);
  const telling = captions.findIndex(({ rest }) => rest.includes(at));
  expect(telling).toBeGreaterThanOrEqual(noticed);
  expect(telling).toBeLessThan(noticed + 5);
  expect(storyboard(study, { variant: run.variant, lang, theme: 'dark' }).chapters.map(({ title }) => title).filter((title) => /saturated|포화/.test(title))[0]).toMatch(new RegExp(`^${at} `));
});
