import { describe, expect, it } from 'vitest';
import { whySure } from '../../renderers/look/sureness.js';
import { silent } from '../../src/pipeline/progress.js';
import { makeStudy, type StudyOptions } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { isAsTold } from '../../src/study/judging.js';
import { readStudy } from '../../src/study/read.js';
import type { Study } from '../../src/study/types.js';
import { writeStudy } from '../../src/study/write.js';
import { testHost } from '../support/host.js';
import { scenario } from '../support/simulated.js';

const studyOf = (lines: string, options: StudyOptions = {}): Promise<Study> =>
  makeStudy(parseScenario(scenario(lines), { file: 'test.yaml' }), { threads: 1, sensitivity: 'ends', ...options }, { host: testHost([]), progress: silent, signal: new AbortController().signal });

const stairs = (objective: string): string => `
duration: 40s
services: { api: { slots: 1, handlers: { ask: [{ wait: { measured: 10ms, from: a trace, cv: 0.2 } }] } } }
traffic: { t: { to: api, send: ask, open: { rate: { stairs: [20/s, { assumed: 60/s, range: [40/s, 300/s], why: a guess }], each: 20s } } } }
objectives: { quick: { of: t, p95: "<= 80ms", ${objective} } }`;

describe('a guess in stairs', () => {
  it('keeps the names of its phases while it is moved', async () => {
    const { verdicts, sensitivity } = await studyOf(stairs('in: each'));
    expect(verdicts.map(({ phase }) => phase)).toEqual(['t-20', 't-60']);
    expect(verdicts[1].tested).toMatchObject({ unknownAt: [], flips: [{ end: 'high' }] });
    expect(sensitivity!['base'].guesses.map(({ path, value }) => [path, value])).toContainEqual([verdicts[1].tested!.flips[0].path, 60]);
  });

  it('may be named by what the file expects', async () => expect((await studyOf(stairs('in: [t-60], breaks: [t-60]'))).verdicts[0].tested!.moves[0].path).toMatch(/^traffic\.t\./));
});

const limited = (limit: number): string => `
duration: 30s
services: { api: { slots: 8, handlers: { ask: [{ wait: { assumed: 200ms, cv: 1, range: [100ms, 210ms], why: a guess } }] } } }
traffic: { t: { to: api, send: ask, limit: ${limit}, open: { rate: { chosen: 20/s, why: so it is } } } }
objectives: { a: { of: t, good: ">= 99%" } }`;

describe('a load that was not made', () => {
  it('leaves a verdict without sureness, and says so', async () => {
    const { verdicts: [verdict], inputs } = await studyOf(limited(1), { seeds: 3 });
    expect(verdict).toMatchObject({ blind: true, sure: 'untested' });
    expect(whySure(verdict, inputs, 'en')).toBe('Its load was not made: nothing can be said.');
  });

  it.each([1, 3])('tells nothing of a claim, under %d seeds', async (seeds) => {
    const claimed = `${limited(1)}\nclaims: { kept: { of: t, good: ">= 1%" }, broken: { of: t, good: "< 1%", breaks: true } }`;
    const { claims } = await studyOf(claimed, { seeds, sensitivity: 'off' });
    expect(claims.map(({ actual, held }) => [actual, held])).toEqual([[null, false], [null, false]]);
    expect(claims.some(isAsTold)).toBe(false);
  });
});

describe('an end of a range that the scenario cannot have', () => {
  const stagesOf = async (lines: string, told: string[]): Promise<Study> =>
    makeStudy(parseScenario(scenario(lines), { file: 'test.yaml' }), { threads: 1, sensitivity: 'ends' }, { host: testHost([]), progress: { ...silent, stage: (name) => told.push(name) }, signal: new AbortController().signal });
  const two = '{ assumed: 2, range: [1, 3], why: a guess }';
  const lines = ({ api = '2', aside = '2', faults = '', objective = 'good: ">= 99%"', variants = '' }): string => `
duration: 10s
services: { api: { instances: ${api}, handlers: { ask: [{ wait: { chosen: 1ms, why: so it is } }] } }, aside: { instances: ${aside}, handlers: { ask: [] } } }
traffic: { t: { to: api, send: ask, open: { rate: { chosen: 20/s, why: so it is } } } }
faults: { ${faults} }
objectives: { a: { of: t, ${objective} } }${variants}`;

  it('is told before anything is simulated, with its path and value', async () => {
    const told: string[] = [];
    await expect(stagesOf(lines({ api: two, faults: 'gone: { at: 5s, target: api.2, crash: true }' }), told)).rejects.toThrow('services.api.instances=1 cannot be tried');
    expect(told).toEqual([]);
  });

  it('is told so as well where only a variant that an objective compares with cannot have it', async () => {
    const told: string[] = [];
    const compared = lines({ api: two, objective: 'p99: "<= 2x", vs: { variant: cut }', variants: '\nvariants: { whole: {}, cut: { faults.gone: { at: 5s, target: api.2, crash: true } } }' });
    await expect(stagesOf(compared, told)).rejects.toThrow('services.api.instances=1 cannot be tried');
    expect(told).toEqual([]);
  });

  it('stands in nobody\'s way where it can move no objective', async () => {
    const { sensitivity } = await stagesOf(lines({ aside: two, faults: 'gone: { at: 5s, target: aside.2, crash: true }' }), []);
    expect(sensitivity!['base'].ends.some(({ path }) => path.includes('aside'))).toBe(false);
  });
});

describe('options of a study', () => {
  it.each([
    [{ seeds: 0 }, 'seeds: expected'],
    [{ seed: -1 }, 'seed: expected'],
    [{ threads: NaN }, 'threads: expected'],
    [{ variant: 'ghost' }, 'has no variant "ghost"'],
    [{ sensitivity: 'yes' as 'ends' }, 'sensitivity: expected off, ends or all'],
  ])('%o is refused', async (options, message) => expect(studyOf(limited(9), options)).rejects.toThrow(message));
});

describe('the side on which a verdict turns', () => {
  // The first seed and the median may judge a figure near its goal each in their own way.
  it('is that of the verdict that was tested, under the first seed', async () => {
    const { verdicts: [verdict], inputs } = await studyOf(limited(100));
    const guess = inputs.find(({ range }) => range)!;
    const turned = { ...verdict.tested!, met: false, flips: [{ path: guess.path, value: 190.1, holdsAt: 190.4, end: 'low' as const }] };
    const opposed = { ...verdict, met: true, seeds: { of: 7, met: 4, known: 7, median: 1, low: 1, high: 1, min: 1, max: 1 }, tested: turned };
    expect(whySure(opposed, [{ ...guess, value: 190.5 }], 'en')).toMatch(/^Kept under 4 of 7 seeds\. Under the first seed: Kept from .* ≈190\.4–190\.1.ms down\.$/);
  });
});

describe('a study that somebody edited', () => {
  it('is refused where what belongs together does not fit', async () => {
    const study = await studyOf(limited(9), { seeds: 2 });
    const spoilt: readonly (readonly [Partial<Study>, string])[] = [
      [{ spread: { ...study.spread!, firstToBreak: {} } }, 'spread.firstToBreak.base is missing'],
      [{ sensitivity: { base: { ...study.sensitivity!['base'], written: [] } } }, 'sensitivity.base.written has 0 figures'],
      [{ sensitivity: null }, 'verdicts[0].tested is of no sensitivity'],
    ];
    expect(readStudy(writeStudy(study), 'study.json')).toEqual(study);
    for (const [change, message] of spoilt) expect(() => readStudy(writeStudy({ ...study, ...change }), 'study.json')).toThrow(message);
  });
});
