import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { simulate } from '../../src/engine/index.js';
import { planSweeps } from '../../src/pipeline/load.js';
import { systemAt } from '../../src/pipeline/trials.js';
import { parseScenario } from '../../src/scenario/index.js';
import { readStudy } from '../../src/study/read.js';
import type { SimulatedRun, Study } from '../../src/study/types.js';
import { testHost, type TestHost } from '../support/host.js';
import { cells, scenario } from '../support/simulated.js';

const short = readFileSync(path.resolve(import.meta.dirname, '../support/short.yaml'), 'utf8');

const faultreel = async (line: string, text = short): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(line.split(' ').filter((word) => word !== ''));
  writeFileSync(path.join(host.cwd, 'shop.yaml'), text);
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};
const studyOf = async (line: string, text?: string): Promise<Study> => {
  const { code, stdout, stderr } = await faultreel(`run shop.yaml --only text --json ${line}`, text);
  expect(code, stderr).toBe(0);
  return readStudy(stdout, 'stdout');
};

describe('the options of trials', () => {
  it.each([
    ['--seeds 0', '--seeds: expected how many seeds to run as a whole number from 1 to 1000, found "0"\n  Write, for example, --seeds 10\n'],
    ['--seeds 2.5', '--seeds: expected how many seeds to run as a whole number from 1 to 1000, found "2.5"\n  Write, for example, --seeds 10\n'],
    ['--threads none', '--threads: expected threads that simulate at the same time as a whole number from 1 to 256, found "none"\n  Write, for example, --threads 2\n'],
    ['--sensitivity on', '--sensitivity: expected off, ends or all, found "on"\n  Write --sensitivity ends to test the verdicts of the shown variant against the ranges of its guesses, all for every variant\n'],
    ['--sweep values.normal', '--sweep: expected path=from..to:points, found "values.normal"\n  Write, for example, --sweep values.event-rate=200/s..900/s:8\n'],
    ['--sweep values.normal=1/s..9/s', '--sweep: expected path=from..to:points, found "values.normal=1/s..9/s"\n  Write, for example, --sweep values.event-rate=200/s..900/s:8\n'],
    ['--sweep values.normal=1/s..9/s:1', '--sweep: expected 2 to 200 points, found 1\n  Write --sweep values.normal=1/s..9/s:8\n'],
    ['--sweep values.normal=5/s..5/s:4', '--sweep: expected two different ends, found values.normal=5/s..5/s\n  Write, for example, --sweep values.normal=5/s..<another value>:4\n'],
    ['--sweep title=a..b:4', '--sweep: expected a number to move, found title=a\n  A path that the register of the report lists, such as values.order-cpu, can be swept\n'],
    ['--sweep services.shop.slots=4..unlimited:4', '--sweep: expected a number to move, found services.shop.slots=unlimited\n  A path that the register of the report lists, such as values.order-cpu, can be swept\n'],
  ])('end "%s" with 2 and say how to mend it', async (options, message) => {
    const { code, stdout, stderr, host } = await faultreel(`run shop.yaml --only text ${options}`);
    expect(stderr).toBe(message);
    expect([code, stdout, readdirSync(host.cwd)]).toEqual([2, '', ['shop.yaml']]);
  });

  it.each([1, 201, 2.5, -1, NaN])('refuse %d points of a sweep from the library too', (points) => {
    const parsed = parseScenario(short, { file: 'shop.yaml' });
    expect(() => planSweeps(parsed, [{ path: 'values.normal', from: '1/s', to: '9/s', points }], { set: [] })).toThrow(`expected 2 to 200 points, found ${points}`);
  });

  it.each([
    ['--sweep values.nomal=1/s..9/s:4', '--sweep:1:1: ', 'did you mean `values.normal`?'],
    ['--sweep values.normal=1..9/s:4', 'shop.yaml:24:', 'write the unit after the number'],
  ])('end "%s" with 3 and say where and what is near', async (options, where, hint) => {
    const { code, stderr } = await faultreel(`run shop.yaml --only text ${options}`);
    expect(code).toBe(3);
    expect(stderr.startsWith(where), stderr).toBe(true);
    expect(stderr).toContain(hint);
  });
});

describe('a range with an end that cannot be', () => {
  it('ends with 3 and says which value, what is wrong with it, and where to mend it', async () => {
    const text = short.replace('cpus: 0.5', 'cpus: 0.5\n    autoscale: { min: 1, max: { assumed: 3, range: [1, 4], why: a guess }, metric: cpu, target: 50%, boot: 1s }');
    const { code, stdout, stderr } = await faultreel('run shop.yaml --only text --sensitivity ends', text);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('services.shop.autoscale.max=1 cannot be tried: ');
    expect(stderr).toContain('between `min` and `max` of its autoscaler (1 to 1), found 2');
    expect(stderr).toMatch(/\n {2}\S.*range/);
  });
});

describe('a run with trials', () => {
  it('shows the first seed and tells the spread over all', async () => {
    const [one, three] = [await studyOf(''), await studyOf('--seeds 3')];
    expect(three.runs).toEqual(one.runs);
    expect(three.spread!.seeds).toEqual([5, 6, 7]);
    const [orders] = three.spread!.figures.filter(({ variant, metric, phase }) => variant === 'as-it-is' && metric === 'p95' && phase === 'sale');
    const bySeed = await Promise.all([5, 6, 7].map(async (seed) => (await studyOf(`--seed ${seed}`)).runs['as-it-is'].phases['sale'].traffic['orders'].latencyMs!.p95));
    expect(orders).toMatchObject({ median: bySeed.toSorted((a, b) => a - b)[1], known: 3, low: null });
  });

  it('moves a guess as --set would', async () => {
    const study = await studyOf('--sensitivity ends');
    const { figures, ends } = study.sensitivity!['as-it-is'];
    const p95 = figures.findIndex(({ of, metric, phase }) => of === 'orders' && metric === 'p95' && phase === 'before');
    const at = ends.find(({ path: guess, end }) => guess === 'values.order-cpu' && end === 'high')!;
    const set = await studyOf('--set values.order-cpu=30ms');
    expect(at.figures[p95]).toBe(set.runs['as-it-is'].phases['before'].traffic['orders'].latencyMs!.p95);
  });

  it('sweeps a key that the file leaves out', async () => {
    const { sweeps: [sweep] } = await studyOf('--sweep services.shop.handlers.order.0.times=1..9:3');
    expect(sweep.written).toBeNull();
    const p50 = sweep.figures.findIndex(({ metric, phase }) => metric === 'p50' && phase === 'before');
    // Each time more is 10 ms.
    expect(sweep.at[2][p50]! - sweep.at[0][p50]!).toBeGreaterThan(60);
  });

  it('keeps what sets a compared variant apart', async () => {
    const text = short.replace('services.shop.cpus: 2 }', 'values.order-cpu: 30ms }').replace('breaks: [sale] }', 'breaks: [sale] }\n  close: { of: orders, p50: "<= 2x", in: before, vs: { variant: bigger } }');
    const study = await studyOf('--sensitivity ends', text);
    const verdict = study.verdicts.find(({ objective, variant }) => objective === 'close' && variant === 'as-it-is')!;
    const moved = verdict.tested!.moves.find(({ path: guess }) => guess === 'values.order-cpu')!;
    // The other variant stays at 30 ms: at 10 ms this one is a fraction of it, and not the same.
    expect(moved.low!).toBeLessThan(0.8 * moved.high!);
  });
});

describe('common random numbers', () => {
  const file = parseScenario(scenario(`
    duration: 20s
    seed: 3
    services:
      api: { slots: 2, handlers: { ask: [{ wait: 5ms }] } }
      aside: { slots: 2, handlers: { other: [{ wait: { assumed: 10ms, cv: 1, range: [1ms, 60ms], why: a guess } }] } }
    traffic:
      users: { to: api, send: ask, open: { rate: 30/s } }
      others: { to: aside, send: other, open: { rate: 20/s } }
  `), { file: 'test.yaml' });
  const at = (value: number): SimulatedRun => simulate(systemAt(file, 'base', [{ path: 'services.aside.handlers.other.0.wait', value }], { set: [], sweeps: [] }));
  const [low, high] = [at(1), at(60)];

  it('leave every arrival where it was when a guess is moved', () => {
    for (const traffic of ['users', 'others']) expect(cells(high, high.ticks.traffic[traffic].offered)).toEqual(cells(low, low.ticks.traffic[traffic].offered));
    expect(new Set(cells(low, low.ticks.traffic['others'].offered)).size).toBeGreaterThan(3);
  });

  it('leave everything where it was that the guess cannot reach', () => {
    expect(high.traffic['users']).toEqual(low.traffic['users']);
    expect(high.traffic['others'].latencyMs!.mean).toBeGreaterThan(10 * low.traffic['others'].latencyMs!.mean);
  });
});
