import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { readStudy } from '../../src/study/read.js';
import { writeStudy } from '../../src/study/write.js';
import { testHost, type TestHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');

/** A working folder with `shop.yaml`, and the command line run in it. */
const faultreel = async (line: string, changes: Parameters<typeof testHost>[1] = {}): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(line.split(' ').filter((word) => word !== ''), changes);
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};
const filesIn = (host: TestHost, folder = '.'): string[] => readdirSync(path.join(host.cwd, folder)).sort();

describe('the command line', () => {
  it('shows a command to copy, and only commands that exist', async () => {
    const { code, stdout, stderr } = await faultreel('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('faultreel run scenarios/order-api-spike.yaml');
    expect([...stdout.matchAll(/^ {2}([a-z]+)(?: \[|\s{3})/gm)].map(([, name]) => name)).toEqual(['init', 'run', 'check', 'compare', 'render', 'still', 'validate', 'schema', 'doctor', 'help']);
  });

  it.each(['init', 'run', 'check', 'compare', 'render', 'still', 'validate', 'schema', 'doctor'])('%s --help shows a command to copy', async (command) => {
    const { code, stdout } = await faultreel(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  faultreel ${command}`));
  });

  it('prints its version', async () => {
    const { code, stdout } = await faultreel('--version');
    expect([code, stdout]).toEqual([0, '0.1.0\n']);
  });

  it.each([
    ['run shop.yaml --sise 1x1', "unknown option '--sise'\n(Did you mean --size?)\n(faultreel --help lists commands and options)\n"],
    ['rum shop.yaml', "unknown command 'rum'\n(Did you mean run?)\n(faultreel --help lists commands and options)\n"],
    ['run', "missing required argument 'scenario'\n(faultreel --help lists commands and options)\n"],
    ['run shop.yaml --size 641x360', 'Expected --size with even sides, found 641x360: H.264 stores colour for every second pixel\n  Nearest: --size 642x360.\n'],
    ['run shop.yaml --size big', 'Expected --size as width x height in pixels, found "big"\n  For example --size 1920x1080.\n'],
    ['run shop.yaml --only film', '--only: expected a list of video, report, replay, text, found "film"\n  Write, for example, --only report or --only video,report\n'],
    ['run shop.yaml --lang de', '--lang: expected en or ko, found "de"\n  Write --lang ko for a film and a report in Korean\n'],
    ['run shop.yaml --theme blue', '--theme: expected dark or light, found "blue"\n  Write --theme light for bright rooms and print\n'],
    ['run shop.yaml --fps 0', '--fps: expected frames of film a second as a whole number from 1 to 60, found "0"\n  Write, for example, --fps 30\n'],
    ['run shop.yaml --duration 5s', '--duration: expected the length of the film from 10s to 60m, found "5s"\n  Write --duration 60s for a film of a minute, whatever it shows\n'],
    ['run shop.yaml --jobs many', '--jobs: expected browsers as a whole number from 1 to 16, found "many"\n  Write, for example, --jobs 2\n'],
    ['run shop.yaml --camera phone', '--camera: expected canvas or screenshot, found "phone"\n  Leave it out: the fastest that shows the right picture is used\n'],
    ['run shop.yaml --seed x', '--seed: expected a seed as a whole number from 0 to 4294967295, found "x"\n  Write, for example, --seed 7\n'],
    ['run shop.yaml --only text --every 5', '--every: expected a duration with its unit, found "5"\n  Write --every 5s for a row every five simulated seconds\n'],
    ['run shop.yaml --every 5s', '--every says how often text has a row, but no text was asked for\n  Add --only text\n'],
    ['run shop.yaml --set values.normal', '--set: expected path=value, found "values.normal"\n  Write, for example, --set values.order-cpu=12ms\n'],
    ['run shop.yaml --variant biger --only text', '--variant: shop.yaml has no variant "biger"\n  did you mean `bigger`?\n'],
    ['run shp.yaml', 'cannot read shp.yaml: there is no such file\n  Did you mean shop.yaml?\n'],
    ['run shop.yaml ./shop.yaml', 'two scenarios are called shop: the results of one would replace those of the other\n  Run them one by one, with a --out for each\n'],
    ['render shop.yaml', 'shop.yaml is not a study: it is not JSON\n  Give the study.json of a run: faultreel render out/order-api-spike/study.json\n'],
  ])('ends "%s" with 2 and says how to mend it', async (line, message) => {
    const { code, stdout, stderr, host } = await faultreel(line);
    expect(stderr).toBe(message);
    expect([code, stdout]).toEqual([2, '']);
    expect(filesIn(host)).toEqual(['shop.yaml']);
  });

  it('prints an internal error once, its stack only when asked', async () => {
    const broken = { readText: () => Promise.reject(new TypeError('boom')), breathe: () => Promise.reject(new TypeError('boom')) };
    const plain = await faultreel('run shop.yaml --only text', { breathe: broken.breathe });
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(/Internal error: boom\n {2}Run again with --debug/);
    expect(plain.stderr).not.toContain('    at ');
    const debug = await faultreel('run shop.yaml --only text --debug', { breathe: broken.breathe });
    expect(debug.stderr).toMatch(/TypeError: boom\n {4}at /);
  });
});

describe('run --only text', () => {
  it('prints the table on stdout and writes nothing', async () => {
    const { code, stdout, stderr, host } = await faultreel('run shop.yaml --only text --every 5s');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ time {2}offered {2}good/m);
    expect(stdout.split('\n').filter((line) => /^\d\d:\d\d /.test(line))).toHaveLength(6);
    expect(stderr).toBe('simulate as-it-is, bigger …\n');
    expect(filesIn(host)).toEqual(['shop.yaml']);
  });

  it('prints the study with --json, and nothing else on stdout', async () => {
    const { code, stdout } = await faultreel('run shop.yaml --only text --json');
    expect(code).toBe(0);
    const study = readStudy(stdout, 'stdout');
    expect(Object.keys(study.runs)).toEqual(['as-it-is', 'bigger']);
    expect(writeStudy(study)).toBe(stdout);
  });

  it('replaces values by path, tells so in the study, and the figures change', async () => {
    const plain = readStudy((await faultreel('run shop.yaml --only text --json')).stdout, 'a');
    const set = readStudy((await faultreel('run shop.yaml --only text --json --set values.order-cpu=40ms --set services.shop.slots=4')).stdout, 'b');
    expect(set.scenario.set).toEqual([{ path: 'values.order-cpu', value: '40ms' }, { path: 'services.shop.slots', value: '4' }]);
    expect(set.runs['as-it-is'].traffic['orders'].good).toBeLessThan(plain.runs['as-it-is'].traffic['orders'].good);
    expect(set.inputs.find((input) => input.path === 'values.order-cpu')?.value).toBe(40);
  });

  it('takes another seed, under which other requests arrive', async () => {
    const [one, two] = [await faultreel('run shop.yaml --only text --json'), await faultreel('run shop.yaml --only text --json --seed 6')].map(({ stdout }) => readStudy(stdout, 'stdout'));
    expect(two.scenario.seed).toBe(6);
    expect(two.runs['as-it-is'].traffic['orders'].offered).not.toBe(one.runs['as-it-is'].traffic['orders'].offered);
  });

  it('prints another variant, and speaks Korean', async () => {
    const { stdout } = await faultreel('run shop.yaml --only text --every 10s --variant bigger --lang ko');
    expect(stdout).toContain('작은 상점: 할인 한 번\n변형 bigger: ');
  });
});

describe('run --only report', () => {
  it('writes the report and the data, and prints where they are', async () => {
    const { code, stdout, host } = await faultreel('run shop.yaml --only report');
    expect(code).toBe(0);
    expect(filesIn(host, 'out')).toEqual(['shop']);
    expect(filesIn(host, 'out/shop')).toEqual(['events.csv', 'report.pdf', 'study.json', 'summary.md', 'ticks.csv']);
    expect(stdout.split('\n').map((row) => row.split('\t')[0])).toEqual([...['report.pdf', 'study.json', 'ticks.csv', 'events.csv', 'summary.md'].map((name) => `out/shop/${name}`), '']);
    expect(readFileSync(path.join(host.cwd, 'out/shop/report.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('takes a claim about a figure that nobody knows for told neither when it should hold nor when it should not', async () => {
    const claim = 'orders, p99: "< 1s", over: bad, in: before';
    const host = testHost('run shop.yaml --only report --sensitivity off'.split(' '));
    writeFileSync(path.join(host.cwd, 'shop.yaml'), readFileSync(short, 'utf8').replace('claims:\n', `claims:\n  slow: { of: ${claim} }\n  quick: { of: ${claim}, breaks: true }\n`));
    expect(await main(host)).toBe(0);
    expect(host.written.stderr().trimEnd().split('\n').at(-1)).toBe('Claims: 1 of 3 as the file says; not so: slow, quick');
  });

  it('tests verdicts and tells at the end, on stderr, what broke first and what ended otherwise than the file expects', async () => {
    const { stderr, host } = await faultreel('run shop.yaml --only report');
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-4)).toMatch(/^First to break: 00:\d\d availability \(sale\): shop\.\d CPU, saturated since ≈00:\d\d$/);
    expect(lines.slice(-3)).toEqual(['Objectives: 2 of 4 kept; all as the file expects', 'Untested: 2 of 2 verdicts of as-it-is rest on guesses without a range: values.normal, services.shop.memory.base, services.shop.memory.perRequest …', 'Claims: 1 of 1 as the file says']);
    expect(stderr).toContain('sensitivity of as-it-is: both ends of every range …');
    const study = readStudy(readFileSync(path.join(host.cwd, 'out/shop/study.json'), 'utf8'), 'study.json');
    expect(study.verdicts.map(({ variant, tested }) => [variant, tested !== null])).toEqual([['as-it-is', true], ['as-it-is', true], ['bigger', false], ['bigger', false]]);
    const off = await faultreel('run shop.yaml --only report --sensitivity off --set values.normal=95/s --quiet');
    expect(off.stderr).toBe('');
    const loud = await faultreel('run shop.yaml --only report --sensitivity off --set values.normal=95/s --lang ko');
    expect(loud.stderr).toContain('예상과 다름: availability (before)');
  });

  it('says that --set takes the place of what a variant sets itself', async () => {
    const { stderr } = await faultreel('run shop.yaml --only report --sensitivity off --set services.shop.cpus=1');
    expect(stderr).toContain('--set services.shop.cpus=1 takes the place of 2, which variant bigger sets itself\n');
  });

  it('makes the same report again from the study alone', async () => {
    const { host } = await faultreel('run shop.yaml --only report --set services.shop.slots=4');
    const before = readFileSync(path.join(host.cwd, 'out/shop/report.pdf'));
    const again = await faultreel('render out/shop/study.json --only report --out again', { cwd: host.cwd });
    expect(again.code).toBe(0);
    expect(again.stderr).toBe('report …\n');
    expect(readFileSync(path.join(host.cwd, 'again/report.pdf')).equals(before)).toBe(true);
  });
});

describe('a run that fails', () => {
  const withOldResults = async (): Promise<{ cwd: string; before: Record<string, string> }> => {
    const { host } = await faultreel('run shop.yaml --only report');
    return { cwd: host.cwd, before: snapshot(host.cwd) };
  };
  const snapshot = (cwd: string): Record<string, string> => Object.fromEntries(filesIn({ cwd } as TestHost, 'out/shop').map((name) => [name, readFileSync(path.join(cwd, 'out/shop', name), 'latin1')]));

  it('leaves the old results when the scenario is invalid, and ends with 3', async () => {
    const { cwd, before } = await withOldResults();
    const host = testHost(['run', 'shop.yaml', '--only', 'report'], { cwd });
    writeFileSync(path.join(cwd, 'shop.yaml'), readFileSync(short, 'utf8').replace('slots: 8', 'slotz: 8'));
    expect(await main(host)).toBe(3);
    expect(host.written.stderr()).toContain('slotz');
    expect(host.written.stderr()).toContain('^');
    expect(snapshot(cwd)).toEqual(before);
    expect(filesIn(host, 'out')).toEqual(['shop']);
  });

  it('ends with 5 before it simulates when nothing can be written', async () => {
    const { code, stderr } = await faultreel('run shop.yaml --only report', { makeTemporaryFolder: () => Promise.reject(new Error('EROFS: read-only file system')) });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^cannot write into out: EROFS: read-only file system\n {2}Give a folder/);
  });

  it('ends with 5 before it simulates when there is no browser', async () => {
    const { code, stderr, host } = await faultreel('run shop.yaml', { env: { FAULTREEL_BROWSER: '/nowhere/chromium' } });
    expect(code).toBe(5);
    expect(stderr).toContain('/nowhere/chromium');
    expect(stderr).not.toContain('simulate');
    expect(filesIn(host)).toEqual(['shop.yaml']);
  });

  it('ends with 130 when interrupted, and nothing is replaced', async () => {
    const { cwd, before } = await withOldResults();
    let breaths = 0;
    const host: TestHost = testHost(['run', 'shop.yaml', '--only', 'report', '--seed', '9'], {
      cwd,
      breathe: async () => {
        if (++breaths === 2) host.interrupt();
      },
    });
    expect(await main(host)).toBe(130);
    expect(host.written.stderr()).toContain('Interrupted: what was not finished was not replaced.\n');
    expect(snapshot(cwd)).toEqual(before);
    expect(filesIn(host, 'out')).toEqual(['shop']);
  });
});

describe('validate', () => {
  it('says what is valid and ends with 0', async () => {
    const { code, stdout } = await faultreel('validate shop.yaml');
    expect([code, stdout]).toEqual([0, 'shop.yaml: valid\n']);
  });

  it('prints the findings of all files as JSON and ends with 3 when one is invalid', async () => {
    const host = testHost(['validate', 'shop.yaml', 'bad.yaml', '--json']);
    copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
    writeFileSync(path.join(host.cwd, 'bad.yaml'), 'faultreel: 1\nduration: 5\n');
    expect(await main(host)).toBe(3);
    const findings = JSON.parse(host.written.stdout());
    expect(findings.map((one: { file: string; valid: boolean }) => [one.file, one.valid])).toEqual([['shop.yaml', true], ['bad.yaml', false]]);
    expect(findings[1].problems.some((one: { line: number }) => one.line === 2)).toBe(true);
  });
});

describe('schema and doctor', () => {
  it('publishes the schema of scenarios and of studies', async () => {
    expect(JSON.parse((await faultreel('schema')).stdout).$schema).toContain('json-schema.org');
    expect(JSON.parse((await faultreel('schema study')).stdout).$id).toBe('faultreel-study/1');
    expect((await faultreel('schema film')).code).toBe(2);
  });

  it('tells everything that a run needs, and ends with 5 when something is missing', async () => {
    const good = await faultreel('doctor');
    expect(good.stdout).toMatch(/^ok {4}ffmpeg: /m);
    const bad = await faultreel('doctor', { env: { FAULTREEL_FFMPEG: '/nowhere/ffmpeg', FAULTREEL_BROWSER: '/nowhere/chromium' } });
    expect(bad.code).toBe(5);
    expect(bad.stdout).toMatch(/^FAIL {2}ffmpeg: .*\/nowhere\/ffmpeg/m);
    expect(bad.stdout).toMatch(/^ok {4}ffprobe: /m);
  });
});
