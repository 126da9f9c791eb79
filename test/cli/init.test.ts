import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { testHost, type TestHost } from '../support/host.js';

const init = async (args: readonly string[], ready: (cwd: string) => void = () => undefined): Promise<{ code: number; host: TestHost; stdout: string; stderr: string }> => {
  const host = testHost(['init', ...args]);
  ready(host.cwd);
  const code = await main(host);
  return { code, host, stdout: host.written.stdout(), stderr: host.written.stderr() };
};
const fileOf = (host: TestHost, name: string): string => readFileSync(path.join(host.cwd, name), 'utf8');
const withoutWords = (text: string): string => text.replace(/#.*$/gm, '').replace(/why: ".*?"/g, '').replace(/[ \t]+$/gm, '');

describe('init', () => {
  it('writes my-service.yaml and tells the two commands that come next', async () => {
    const { code, host, stdout, stderr } = await init([]);
    expect([code, stdout, readdirSync(host.cwd)]).toEqual([0, 'my-service.yaml\n', ['my-service.yaml']]);
    expect(stderr.match(/npx faultreel run my-service\.yaml.*/g)).toHaveLength(2);
  });

  it('writes a file of the name that is given, with that name in it, and nothing left to fill in', async () => {
    const { host } = await init(['order-api.yaml']);
    expect(readdirSync(host.cwd)).toEqual(['order-api.yaml']);
    expect(fileOf(host, 'order-api.yaml')).toContain('title: { en: "order-api: ');
    expect(fileOf(host, 'order-api.yaml')).not.toContain('{{');
  });

  it.each([['en'], ['ko']] as const)('writes a scenario (%s) of at most 80 lines, whose run comes out as its comments and marks say', async (lang) => {
    const { host } = await init(['--lang', lang]);
    const text = fileOf(host, 'my-service.yaml');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
    const study = simulateScenario(parseScenario(text, { file: 'my-service.yaml' }), {});
    const verdicts = study.verdicts.filter(({ variant }) => variant === 'as-it-is');
    expect(verdicts.map(({ objective, phase, met }) => [objective, phase, met])).toEqual([
      ['availability', 'before', true],
      ['availability', 'busy', true],
      ['availability', 'event', false],
      ['availability', 'after', true],
      ['latency', 'before', true],
      ['latency', 'busy', true],
      ['latency', 'after', true],
    ]);
    expect(study.verdicts.filter(({ variant, met }) => variant === 'bigger-pool' && !met)).toEqual([]);
    expect(study.claims.map(({ held }) => held)).toEqual([true]);
    expect(study.firstToBreak?.objective).toBe('availability');
    // Half a second of work for each variant: the engine does about a million events a second.
    for (const run of Object.values(study.runs)) expect(run.events).toBeLessThan(500_000);
  }, 60_000);

  it('says the same in both languages: only comments and reasons differ', async () => {
    const [en, ko] = [(await init([])).host, (await init(['--lang', 'ko'])).host].map((host) => fileOf(host, 'my-service.yaml'));
    expect(ko).toMatch(/# .*[가-힣]/);
    expect(en.match(/#.*[가-힣]/)).toBeNull();
    expect(withoutWords(ko)).toBe(withoutWords(en));
  });

  it('says of every number in it how it is known: nothing in it is an unexplained guess', async () => {
    const { host } = await init([]);
    const { variants } = parseScenario(fileOf(host, 'my-service.yaml'), { file: 'my-service.yaml' });
    const written = variants[0].inputs.filter(({ basis }) => basis === 'assumed');
    expect(written.length).toBeGreaterThanOrEqual(4);
    for (const { path: at, why, range } of written) expect([at, why?.startsWith('example'), range?.length]).toEqual([at, true, 2]);
  });

  it.each([
    ['a file', (cwd: string) => writeFileSync(path.join(cwd, 'order-api.yaml'), 'mine')],
    ['a folder', (cwd: string) => mkdirSync(path.join(cwd, 'order-api.yaml'))],
    ['a link to nothing', (cwd: string) => symlinkSync('nowhere', path.join(cwd, 'order-api.yaml'))],
  ])('leaves %s of that name as it is, and says what to do', async (_, ready) => {
    const { code, host, stderr, stdout } = await init(['order-api'], ready);
    expect([code, stdout, stderr]).toEqual([2, '', 'order-api.yaml is there already, and is left as it is\n  Give another name: faultreel init my-service, or move order-api.yaml away\n']);
    expect(readdirSync(host.cwd)).toEqual(['order-api.yaml']);
  });

  it.each([
    ['Order API', 'faultreel init order-api'],
    ['OrderApi', 'faultreel init order-api'],
    ['../order', 'faultreel init order;'],
    ['주문', 'faultreel init my-service'],
    ['a'.repeat(41), `faultreel init ${'a'.repeat(40)};`],
  ])('refuses %s as a name, and gives one that will do', async (name, fix) => {
    const { code, host, stderr } = await init([name]);
    expect([code, readdirSync(host.cwd)]).toEqual([2, []]);
    expect(stderr).toContain(`found "${name}"\n  Write ${fix}`);
  });

  it('says which folder cannot be written', async () => {
    const host = testHost(['init'], { write: () => Promise.reject(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })) });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toBe(`cannot write my-service.yaml into ${host.cwd}: EROFS: read-only file system\n  Go to a folder that you may write and that has room, and run it again\n`);
  });
});
