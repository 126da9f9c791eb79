import { describe, expect, it } from 'vitest';
import { frameCount } from '../../renderers/video/reel.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import { reportOf } from '../../src/pipeline/produce.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { writeStudy } from '../../src/study/write.js';

const day = `faultreel: 1
duration: 24h
tick: 1m
services:
  web: { instances: 2, slots: 50, to: { db: { pool: { max: 20 } } }, handlers: { get: [ { wait: 5ms }, { call: db.read } ] } }
  db: { kind: store, slots: 40, handlers: { read: [ { wait: 8ms } ] } }
traffic: { users: { to: web, send: get, open: { rate: [[0h, 0.5/s], [12h, 2/s], [24h, 0.5/s]] } } }
objectives: { fast: { of: users, p99: "<= 200ms" } }
`;
const calls = (i: number): string => [2 * i + 1, 2 * i + 2].filter((j) => j < 60).map((j) => `, { call: s${j}, chance: 60% }`).join('');
const sixty = `faultreel: 1
duration: 30s
tick: 3s
services:
${Array.from({ length: 60 }, (_, i) => `  s${i}: { instances: 10, slots: 20, handlers: { get: [ { wait: 2ms }${calls(i)} ] } }`).join('\n')}
traffic: { users: { to: s0, send: get, open: { rate: 50/s } } }
objectives: { fast: { of: users, p99: "<= 500ms" } }
`;

describe('what is large and real comes to its end', () => {
  it.each([['a day', day, 80_000, 4e6], ['sixty services of ten instances', sixty, 1_000, 25e6]])('%s: the study adds up and a frame is drawn; of the day a report, too', { timeout: 240_000 }, async (name, text, least, mostBytes) => {
    const study = simulateScenario(parseScenario(text, { file: 'large.yaml' }), {});
    const { offered, good, declined, refused, failed, inFlight } = study.runs.base.traffic.users;
    expect(offered).toBeGreaterThan(least);
    const ends = [declined, refused, failed].flatMap((one) => Object.values(one)).reduce((sum, count) => sum + count, good + inFlight);
    expect(ends).toBe(offered);
    expect(writeStudy(study).length).toBeLessThan(mostBytes);
    // That of six hundred instances takes a minute: docs/security.md has what it took.
    if (name === 'a day') expect((await reportOf(study, { lang: 'en', variant: 'base' })).length).toBeGreaterThan(20_000);
    const reel = storyboard(study, { variant: 'base', lang: 'en', theme: 'dark', width: 1280, height: 720 });
    expect(frameCount(reel)).toBeGreaterThan(30);
    const middle = reel.shots[reel.shots.length >> 1].svg();
    expect(middle).not.toMatch(/NaN|undefined|Infinity/);
    expect(middle.length).toBeGreaterThan(5_000);
  });
});
