import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../renderers/video/doctor-checks.js';
import { main } from '../../src/cli/program.js';
import { testHost, type TestHost } from '../support/host.js';

const doctor = async (args: readonly string[] = [], changes: Parameters<typeof testHost>[1] = {}): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(['doctor', ...args], changes);
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};
const noBrowser = { env: { FAULTREEL_BROWSER: '/nowhere/chromium', PATH: process.env['PATH'], HOME: process.env['HOME'] } };

describe('doctor', () => {
  it('says of a machine that is fit that everything works, and leaves nothing in the folder', async () => {
    const { code, stdout, host } = await doctor();
    expect([code, readdirSync(host.cwd)]).toEqual([0, []]);
    expect(stdout).toMatch(/^ok {4}node: \d+\.\d+\.\d+$/m);
    expect(stdout).toMatch(/^ok {4}ffmpeg: .*, with libx264$/m);
    expect(stdout).toMatch(/^(ok|warn) {2,4}sandbox: (on|off\. .*\n {6}Run it as another user.*)$/m);
    expect(stdout.endsWith('\nFilm, report, replay and text work.\n')).toBe(true);
  });

  it('says that report and text work where only the film lacks something, with the fix under it, and ends with 5', async () => {
    const { code, stdout, stderr } = await doctor([], noBrowser);
    expect(code).toBe(5);
    expect(stdout).toMatch(/^FAIL {2}browser: .*\/nowhere\/chromium does not exist\n {6}Unset FAULTREEL_BROWSER/m);
    expect(stderr).toBe('Report, replay and text work; a film does not (browser)\n');
  });

  it('says that only text works where nothing can be written', async () => {
    const { code, stdout, stderr } = await doctor(['--out', '/proc/nothing/here'], noBrowser);
    expect(code).toBe(5);
    expect(stdout).toMatch(/^FAIL {2}results: nothing can be written into \/proc: .*\n {6}Give a folder that you may write with --out/m);
    expect(stderr).toBe('Text in the terminal works; film, report and replay do not (browser, results)\n');
  });

  it('prints the same as JSON', async () => {
    const { code, stdout } = await doctor(['--json'], noBrowser);
    const { film, report, text, findings } = JSON.parse(stdout) as { film: boolean; report: boolean; text: boolean; findings: readonly Finding[] };
    expect([code, film, report, text]).toEqual([5, false, true, true]);
    expect(findings.filter(({ level }) => level === 'fail').map(({ name }) => name)).toEqual(['browser']);
  });

  it('tells how many threads and browsers a machine gives, and that little memory is too little for a film', async () => {
    expect((await doctor([], { ...noBrowser, cores: 8, memoryBytes: 4 * 2 ** 30 })).stdout).toContain('ok    machine: 8 cores, 4.0 GiB of memory: simulates in 8 threads, films with 1 browser by canvas, else with 3 by screenshots\n');
    expect((await doctor([], { ...noBrowser, memoryBytes: 2 ** 30 })).stdout).toMatch(/^warn {2}machine: 1 core, 1\.0 GiB.*\n {6}A film takes about 2 GiB/m);
  });

  it('fails for a temporary folder that is not there, and says how to name another', async () => {
    const { stdout } = await doctor([], { ...noBrowser, tmpdir: '/nowhere' });
    expect(stdout).toMatch(/^FAIL {2}temporary folder: .*\/nowhere.*\n {6}Set TMPDIR/m);
  });

  it('tells where the cache is', async () => {
    const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'faultreel-cache-')), 'own');
    mkdirSync(folder);
    expect((await doctor([], { env: { ...noBrowser.env, FAULTREEL_CACHE: folder } })).stdout).toContain(`cache folder: ${folder} can be written, `);
  });
});
