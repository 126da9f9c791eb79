import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { openCache, resultsVariable, type Cache, type Key } from '../../src/pipeline/cache.js';
import { filmKey, type FilmContent } from '../../src/pipeline/kept-film.js';
import { studyKey } from '../../src/pipeline/kept-study.js';
import { loadScenario } from '../../src/pipeline/load.js';
import { fontsBuild, toolBuild } from '../../src/pipeline/tool-build.js';
import type { Host } from '../../src/host.js';
import { testHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');
const text = (key: Key): string => JSON.stringify(key);
const newFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'faultreel-kept-'));

const cacheIn = (folder: string, changes: Partial<Host> = {}, mostBytes?: number): { readonly cache: Cache; readonly said: string[] } => {
  const said: string[] = [];
  const host = testHost([], { env: { [resultsVariable]: folder }, ...changes });
  return { cache: openCache(host, { fresh: false, notice: (line) => said.push(line), ...(mostBytes !== undefined && { mostBytes }) })!, said };
};
const key = (name: string): Key => ({ what: 'study', ingredients: { name } });
const files = new Map([['a.json', '{}'], ['b.txt', 'two\n']]);

describe('what is kept', () => {
  it('is given out as it was put there, under the same ingredients in whatever order, and under no others', async () => {
    const { cache } = cacheIn(newFolder());
    await cache.keep({ what: 'study', ingredients: { one: 1, two: [2] } }, files);
    const taken = await cache.take({ what: 'study', ingredients: { two: [2], one: 1 } });
    expect([...taken!].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([...files]);
    expect(await cache.take({ what: 'film', ingredients: { one: 1, two: [2] } })).toBeNull();
    expect(await cache.take({ what: 'study', ingredients: { one: 1, two: [3] } })).toBeNull();
  });

  it.each([
    ['changed', (folder: string) => writeFileSync(path.join(folder, 'b.txt'), 'TWO\n')],
    ['cut off', (folder: string) => writeFileSync(path.join(folder, 'b.txt'), 'tw')],
    ['without its list', (folder: string) => writeFileSync(path.join(folder, 'entry.json'), '{')],
    ['with a list that leads out of its folder', (folder: string) => writeFileSync(path.join(folder, 'entry.json'), JSON.stringify({ usedMs: 1, files: [{ name: '../../secret', bytes: 1, sha256: 'x' }] }))],
  ])('is not given out when it was %s, and can be kept anew', async (_, harm) => {
    const folder = newFolder();
    const { cache, said } = cacheIn(folder);
    await cache.keep(key('a'), files);
    harm(path.join(folder, readdirSync(folder)[0]));
    expect(await cache.take(key('a'))).toBeNull();
    await cache.keep(key('a'), files);
    expect((await cache.take(key('a')))?.size).toBe(2);
    expect(said).toEqual([]);
  });

  it('stays below its bound: what was not used for longest goes', async () => {
    const folder = newFolder();
    const { cache } = cacheIn(folder, {}, 25);
    const ten = new Map([['x', '0123456789']]);
    await cache.keep(key('a'), ten);
    await cache.keep(key('b'), ten);
    await cache.take(key('a'));
    await cache.keep(key('c'), ten);
    expect(await Promise.all(['a', 'b', 'c'].map(async (name) => (await cache.take(key(name))) !== null))).toEqual([true, false, true]);
  });

  it('is rid of what killed runs left, and of nothing that another run is writing', async () => {
    const folder = newFolder();
    const living = await testHost([]).makeTemporaryFolder(path.join(folder, 'study-x'));
    // As of a process of the same id that began at another time.
    const dead = living.replace(/-[0-9a-z]+-(\w{6})$/, '-1-$1');
    mkdirSync(dead);
    await cacheIn(folder).cache.keep(key('a'), files);
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
  });

  it('is kept whole when two keep it at once', async () => {
    const folder = newFolder();
    const [one, other] = [cacheIn(folder), cacheIn(folder)];
    await Promise.all([one, other].map(({ cache }) => cache.keep(key('a'), files)));
    expect((await one.cache.take(key('a')))?.size).toBe(2);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('cannot be kept where nobody may write: that is said once and stops nothing', async () => {
    const { cache, said } = cacheIn('/proc/faultreel');
    await cache.keep(key('a'), files);
    await cache.keep(key('b'), files);
    expect(await cache.take(key('a'))).toBeNull();
    expect(said).toEqual([expect.stringMatching(/^results are not kept for the next run: /)]);
  });
});

describe('the key of a study', () => {
  it('is another one for every ingredient', async () => {
    const host = testHost([]);
    const at = async (scenario: string, name = 'shop'): Promise<Awaited<ReturnType<typeof loadScenario>>> => {
      writeFileSync(path.join(host.cwd, `${name}.yaml`), scenario);
      return loadScenario(`${name}.yaml`, {}, host);
    };
    const written = readFileSync(short, 'utf8');
    const shop = await at(written);
    const sweep = (value: number): { sweeps: [{ input: (typeof shop.variants)[0]['inputs'][0]; values: number[] }] } => ({ sweeps: [{ input: shop.variants[0].inputs[0], values: [1, value] }] });
    const keys = [
      studyKey(shop, {}, 'build'),
      studyKey(shop, {}, 'another build'),
      studyKey(await at(`${written}# more\n`), {}, 'build'),
      studyKey(await at(written, 'kiosk'), {}, 'build'),
      studyKey({ ...shop, variants: [shop.variants[1]] }, {}, 'build'),
      studyKey(shop, { seed: 6 }, 'build'),
      studyKey(shop, { seeds: 2 }, 'build'),
      studyKey(shop, { set: [{ path: 'values.normal', value: '21/s' }] }, 'build'),
      studyKey(shop, { sensitivity: 'ends' }, 'build'),
      studyKey(shop, { sensitivity: 'all' }, 'build'),
      studyKey(shop, { sensitivity: 'ends', variant: 'bigger' }, 'build'),
      studyKey(shop, sweep(2), 'build'),
      studyKey(shop, sweep(3), 'build'),
      studyKey(shop, { ...sweep(3), variant: 'bigger' }, 'build'),
    ].map(text);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same whatever decides nothing: threads, the seed that the file has, the shown variant of what is not tried', async () => {
    const shop = await loadScenario(short, {}, testHost([]));
    const plain = text(studyKey(shop, {}, 'build'));
    for (const options of [{ threads: 2 }, { seed: 5 }, { seeds: 1 }, { variant: 'bigger' }]) expect(text(studyKey(shop, options, 'build'))).toBe(plain);
  });
});

describe('the key of a film', () => {
  it('is another one for every ingredient', () => {
    const look = { lang: 'en', theme: 'dark', width: 1280, height: 720, fps: 30, durationMs: undefined, camera: undefined } as const;
    const found = (version: string): FilmContent['machine'] => ({
      browser: { kind: 'carried', path: '/b', version, env: {}, args: [] },
      tools: { ffmpeg: { kind: 'system', path: '/f', version: '5' }, ffprobe: { kind: 'system', path: '/p', version: '5' } },
    });
    const content: FilmContent = { studies: ['{}'], sides: ['base'], look, machine: found('153') };
    const build = { tool: 't', fonts: 'f' };
    const encoder = { ...content, machine: { ...content.machine, tools: { ...content.machine.tools, ffmpeg: { kind: 'system', path: '/f', version: '6' } as const } } };
    const keys = [
      filmKey(content, build),
      filmKey({ ...content, studies: ['{} '] }, build),
      filmKey({ ...content, sides: ['other'] }, build),
      ...([{ lang: 'ko' }, { theme: 'light' }, { width: 1281 }, { height: 721 }, { fps: 60 }, { durationMs: 60_000 }, { camera: 'screenshot' }] as const).map((other) => filmKey({ ...content, look: { ...look, ...other } }, build)),
      filmKey(content, { ...build, tool: 'u' }),
      filmKey(content, { ...build, fonts: 'g' }),
      filmKey({ ...content, machine: found('154') }, build),
      filmKey(encoder, build),
    ].map(text);
    expect(new Set(keys).size).toBe(keys.length);
    expect(text(filmKey({ ...content, machine: { ...content.machine, browser: { ...content.machine.browser, path: '/elsewhere' } } }, build))).toBe(keys[0]);
  });
});

describe('the build of the tool', () => {
  const reading = (changed: RegExp | null): Host => {
    const host = testHost([]);
    const alter = (file: string, bytes: Uint8Array): Uint8Array => (changed?.test(file) ? Buffer.concat([bytes, Buffer.from(' ')]) : bytes);
    return { ...host, readBytes: async (file) => alter(file, await host.readBytes(file)), readText: async (file) => Buffer.from(alter(file, Buffer.from(await host.readText(file)))).toString().replace('"version": "7', changed?.test(file) ? '"version": "8' : '"version": "7') };
  };

  it('changes with its code, its templates and what it depends on, and is the same otherwise', async () => {
    const builds = await Promise.all([null, /src\/engine\/simulation/, /renderers\/stage\/stage/, /templates\/.*\.hbs/, /node_modules\/d3\/package\.json/].map((changed) => toolBuild(reading(changed))));
    expect(new Set(builds).size).toBe(builds.length);
    expect(await toolBuild(reading(/fonts\//))).toBe(builds[0]);
  });

  it('tells fonts apart by themselves', async () => {
    expect(await fontsBuild(reading(/fonts\//))).not.toBe(await fontsBuild(reading(null)));
  });
});

describe('a run that was made before', () => {
  const run = async (folder: string, words: readonly string[], cwd?: string): Promise<{ stderr: string; study: string; cwd: string }> => {
    const host = testHost(['run', 'shop.yaml', '--only', 'report', '--sensitivity', 'off', ...words], { env: { [resultsVariable]: folder }, ...(cwd !== undefined && { cwd }) });
    copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
    expect(await main(host), host.written.stderr()).toBe(0);
    return { stderr: host.written.stderr(), study: readFileSync(path.join(host.cwd, 'out/shop/study.json'), 'utf8'), cwd: host.cwd };
  };

  it('is not simulated again, in another folder either, and leaves the same bytes', async () => {
    const kept = newFolder();
    const first = await run(kept, []);
    const second = await run(kept, []);
    expect(first.stderr).toContain('simulate as-it-is');
    expect(second.stderr).not.toContain('simulate as-it-is');
    expect(second.stderr).toContain('shop: simulated before, taken from the cache (--force simulates again)');
    expect(second.study).toBe(first.study);
    expect(readFileSync(path.join(second.cwd, 'out/shop/report.pdf')).equals(readFileSync(path.join(first.cwd, 'out/shop/report.pdf')))).toBe(true);
  });

  it('is simulated again with --force, and with another seed', async () => {
    const kept = newFolder();
    await run(kept, []);
    expect((await run(kept, ['--force'])).stderr).toContain('simulate as-it-is');
    expect((await run(kept, ['--seed', '77'])).stderr).toContain('simulate as-it-is');
    expect(readdirSync(kept)).toHaveLength(2);
  });

  it('is simulated again when somebody has written nonsense there', async () => {
    const kept = newFolder();
    const first = await run(kept, []);
    const { cache } = cacheIn(kept);
    const [entry] = readdirSync(kept);
    const { key: own } = JSON.parse(readFileSync(path.join(kept, entry, 'entry.json'), 'utf8')) as { readonly key: Key };
    await cache.keep(own, new Map([['study.json', first.study], ['readings.json', '[]']]));
    expect((await run(kept, [])).stderr).toContain('simulate as-it-is');
  });

  it('is neither kept nor taken where results are not to be kept', async () => {
    const host = testHost(['run', 'shop.yaml', '--only', 'text'], { env: { [resultsVariable]: 'off', FAULTREEL_CACHE: 'kept' } });
    copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
    expect(await main(host)).toBe(0);
    expect(existsSync(path.join(host.cwd, 'kept'))).toBe(false);
  });
});
