import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { storyboard } from '../../renderers/video/storyboard.js';
import { main } from '../../src/cli/program.js';
import type { DryRun } from '../../src/pipeline/dry-run.js';
import { expectedRequests } from '../../src/pipeline/expected-requests.js';
import { filmRange } from '../../src/pipeline/film-range.js';
import { makeStudy, simulateScenario } from '../../src/pipeline/simulate.js';
import { silent } from '../../src/pipeline/progress.js';
import { parseScenario } from '../../src/scenario/index.js';
import { testHost, type TestHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');
const scenarios = path.resolve(import.meta.dirname, '../../scenarios');
const everyFile = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();

const dry = async (args: readonly string[], ready: (cwd: string) => void = () => undefined): Promise<{ code: number; host: TestHost; stdout: string; stderr: string }> => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'faultreel-home-'));
  const host = testHost(['run', 'shop.yaml', '--dry-run', ...args], { env: { HOME: home } });
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  ready(host.cwd);
  const before = everyFile(host.cwd);
  const code = await main(host);
  expect([everyFile(host.cwd), everyFile(home)], 'what is on the disk').toEqual([before, []]);
  return { code, host, stdout: host.written.stdout(), stderr: host.written.stderr() };
};
const planned = async (args: readonly string[] = [], ready?: (cwd: string) => void): Promise<DryRun> => (JSON.parse((await dry([...args, '--json'], ready)).stdout) as DryRun[])[0];
const parsed = (file: string) => parseScenario(readFileSync(file, 'utf8'), { file });

describe('run --dry-run', () => {
  it('tells what would be done and how long that takes, says what is a guess, and writes nothing', async () => {
    const { code, stdout, stderr } = await dry(['--seeds', '3']);
    expect([code, stderr]).toEqual([0, '']);
    for (const line of [/^shop\.yaml: /, /^ {2}variants /m, /^ {2}simulated .* seeds? /m, /^ {2}runs .* for both ends of the ranges/m, /^ {2}requests .*about [\d,]+ a run/m, /^ {2}film .* to .*--duration fixes it$/m, /^ {2}time +about .* a guess$/m, /out\/shop\/video\.mp4, about \d+ [kM]B$/m, /^Nothing was simulated, filmed or written/m]) expect(stdout).toMatch(line);
  });

  it('finds what is wrong with a scenario, as a run does', async () => {
    const { code, stderr } = await dry(['--set', 'duration=banana']);
    expect([code, stderr.includes('expected a duration')]).toEqual([3, true]);
    expect((await dry(['--variant', 'nobody'])).code).toBe(2);
  });

  it('says which files it would replace, and which of an earlier run would go', async () => {
    const plan = await planned(['--only', 'report'], (cwd) => {
      mkdirSync(path.join(cwd, 'out/shop'), { recursive: true });
      for (const name of ['report.pdf', 'video.mp4', 'notes.txt']) writeFileSync(path.join(cwd, 'out/shop', name), 'old');
    });
    expect(plan.files.filter(({ replaces }) => replaces).map(({ file }) => file)).toEqual(['out/shop/report.pdf']);
    expect(plan.mayGo).toEqual(['out/shop/video.mp4']);
    expect((await planned(['--only', 'text'])).files).toEqual([]);
  });

  it('counts the runs that the trials will take at least', async () => {
    const plan = await planned(['--seeds', '3']);
    const scenario = parsed(short);
    const host = testHost([]);
    const study = await makeStudy(scenario, { seeds: 3, sensitivity: 'ends' }, { host, progress: silent, signal: new AbortController().signal });
    const written = new Map(study.inputs.map(({ path: at, value }) => [at, value]));
    expect(plan.runs.shown).toBe(3 * scenario.variants.length);
    expect(plan.runs.ends).toBe(study.sensitivity![plan.variant].ends.filter(({ path: at, value }) => written.get(at) !== value).length);
    expect(plan.runs.ends).toBeGreaterThan(0);
    expect(plan.seeds).toEqual([0, 1, 2].map((nth) => scenario.variants[0].seed + nth));
  });

  it.each(['../templates/init/en.yaml', 'first-version/hot-row.yaml', 'first-version/chat-rooms.yaml', 'mesh/screen-api.yaml'])('expects as many requests as %s comes to', (name) => {
    const scenario = parsed(path.join(scenarios, name));
    const [system] = scenario.variants;
    const study = simulateScenario({ ...scenario, variants: [system] }, {});
    for (const { traffic, count, is } of expectedRequests(system)) {
      const { offered } = study.runs[system.variant].traffic[traffic];
      if (count === null) continue;
      expect(count / offered, traffic).toBeGreaterThan(0.93);
      if (is === 'expected') expect(count / offered, traffic).toBeLessThan(1.07);
    }
  }, 60_000);

  it('gives a range of lengths that the film is in, and the very length where one is asked for', () => {
    const scenario = parsed(short);
    const study = simulateScenario(scenario, {});
    for (const [i, system] of scenario.variants.entries()) {
      const range = filmRange(system, { width: 1920, height: 1080, fps: 30 });
      const frames = storyboard(study, { variant: scenario.variants[i].variant, lang: 'en', theme: 'dark', fps: 30 }).shots.reduce((sum, shot) => sum + shot.frames, 0);
      expect(frames).toBeGreaterThanOrEqual(range.frames.least);
      expect(frames).toBeLessThanOrEqual(range.frames.most);
      expect(range.frames.least).toBeLessThan(range.frames.most);
    }
    expect(filmRange(scenario.variants[0], { width: 1920, height: 1080, fps: 30, durationMs: 60_000 }).frames).toEqual({ least: 1800, most: 1800 });
  });
});
