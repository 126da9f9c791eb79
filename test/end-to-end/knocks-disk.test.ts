import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SpawnedRun, earlierResults, expectNoProcess, expectNothingLeft, filesIn, messageOf, studiedPlace, workplace } from '../support/spawned-run.js';

const film = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', '--size', '320x180', '--fps', '10', '--duration'];
const report = ['run', 'shop.yaml', '--sensitivity', 'off', '--only', 'report'];
const middle = /film [2-5]0%/;

const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /tmp']).status === 0;
/** Says in the name of a test that is left out why. */
const needsMount = canMount ? '' : ' (left out: this user may not mount)';

const mount = (folder: string, ...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('mount', [...args, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
};
const mountTmpfs = (folder: string, size: string): void => {
  mkdirSync(folder, { recursive: true });
  mount(folder, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs');
};
/** Over the folder, so that what is open stays open: paths that are looked up from now on may only be read. */
const mountReadOnly = (folder: string): void => {
  mount(folder, '--bind', folder);
  mount(folder, '-o', 'remount,ro,bind');
};
/** Takes all the room that is left on a file system. */
const fillUp = (folder: string): void => {
  const { stderr } = spawnSync('dd', ['if=/dev/zero', `of=${path.join(folder, 'filler')}`, 'bs=4k'], { encoding: 'utf8' });
  expect(stderr).toContain('No space left on device');
};

describe.skipIf(!canMount)(`a full disk${needsMount}`, () => {
  it('of the results, when the report is written: told as one, the earlier results as they were', async () => {
    const place = workplace();
    mountTmpfs(path.join(place.cwd, 'out'), '300k');
    const expectUntouched = earlierResults(place, 100);
    const run = new SpawnedRun(place, report);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(messageOf(stderr)).toMatch(/^ENOSPC: no space left on device, write '.*'\n {2}The disk is full: make room on it, or name another place with --out\. Nothing was replaced\.$/);
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  it('of the results, that fills up while the film is made: told as one, the earlier results as they were', async () => {
    const place = studiedPlace();
    mountTmpfs(path.join(place.cwd, 'out'), '1m');
    const expectUntouched = earlierResults(place, 100);
    const run = new SpawnedRun(place, [...film, '60s']);
    await run.said(middle);
    fillUp(path.join(place.cwd, 'out'));
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(messageOf(stderr)).toMatch(/No space left on device|ENOSPC/i);
    expect(messageOf(stderr)).toContain('The disk is full: make room on it, or name another place with --out. Nothing was replaced.');
    expectUntouched();
    rmSync(path.join(place.cwd, 'out/filler'));
    await expectNothingLeft(run, place, ['shop']);
  });

  it('of temporary files, with hardly any room: names TMPDIR and not --out, before any work', async () => {
    const place = studiedPlace();
    mountTmpfs(place.tmpdir, '6m');
    const expectUntouched = earlierResults(place);
    const run = new SpawnedRun(place, [...film, '10s']);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(stderr).toMatch(/^The browser needs a temporary folder, but the disk of \S+\/tmp has only 6\.0 MB left\n {2}Set TMPDIR to .*\n$/);
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  it('of temporary files, with room for a browser and not for its pictures: one message with the cause', async () => {
    const place = studiedPlace();
    mountTmpfs(place.tmpdir, '26m');
    const expectUntouched = earlierResults(place);
    const run = new SpawnedRun(place, [...film.map((flag) => (flag === '320x180' ? '1920x1080' : flag)), '10s']);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(messageOf(stderr)).toMatch(/^The browser failed, and the disk of \S+\/tmp has only 26\.0 MB left, where pictures of this size may take \d+\.\d MB: .*\n {2}Set TMPDIR to /);
    expect(stderr).not.toContain('screenshot');
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  // Whether the browser needs more room in that moment is its own.
  it('of temporary files, that fills up while the film is made: the film comes out, or TMPDIR is named', async () => {
    const place = studiedPlace();
    mountTmpfs(place.tmpdir, '64m');
    const expectUntouched = earlierResults(place);
    const run = new SpawnedRun(place, [...film, '60s']);
    await run.said(middle);
    fillUp(place.tmpdir);
    const { code, stderr } = await run.ended;
    rmSync(path.join(place.tmpdir, 'filler'));
    if (code !== 0) {
      expect(code, stderr).toBe(5);
      expect(messageOf(stderr)).toMatch(/^The browser needs a temporary folder, but the disk of \S+ has only \d+\.\d MB left\n {2}Set TMPDIR to /);
      expectUntouched();
    }
    await expectNothingLeft(run, place, ['shop']);
  });

  it('of shared memory, that was hardly any: the film comes out', async () => {
    const place = studiedPlace();
    const run = new SpawnedRun(place, [...film, '10s'], { mounting: 'mount -t tmpfs -o size=64k tmpfs /dev/shm' });
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    expect(Object.keys(filesIn(path.join(place.cwd, 'out/shop')))).toContain('video.mp4');
    await expectNothingLeft(run, place, ['shop']);
  });
});

describe('a folder of results that may only be read', () => {
  it.skipIf(process.getuid?.() === 0 && !canMount)(`is told before anything is simulated${process.getuid?.() === 0 ? needsMount : ''}`, async () => {
    const place = workplace();
    const expectUntouched = earlierResults(place);
    const out = path.join(place.cwd, 'out');
    if (process.getuid?.() === 0) mountReadOnly(out);
    else chmodSync(out, 0o500);
    onTestFinished(() => (process.getuid?.() === 0 ? undefined : chmodSync(out, 0o700)));
    const run = new SpawnedRun(place, report);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(stderr).toMatch(/^cannot write into out: (EROFS|EACCES): .*\n {2}.*--out.*\n$/);
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  it.skipIf(!canMount).each([
    ['report', report, 'report …'],
    ['film', [...film, '60s'], middle],
    ['last moment', [...film, '10s'], 'film 100%'],
  ])(`since the %s began: told as one, and the next run removes what could not be removed${needsMount}`, async (_, args, moment) => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const out = path.join(place.cwd, 'out');
    const run = new SpawnedRun(place, args);
    await run.said(moment);
    mountReadOnly(out);
    const { code, stderr } = await run.ended;
    expectUntouched();
    expect(code, stderr).toBe(5);
    expect(stderr).toMatch(/EROFS|Read-only file system/);
    expect(stderr).toContain('The file system may only be read: mount it for writing, or name another place with --out');
    expect(stderr.match(/^cannot remove out\/shop\.partial-\S+, where the results were made: EROFS/gm), stderr).toHaveLength(1);
    await expectNoProcess(run);
    for (let layer = 0; layer < 2; layer++) spawnSync('umount', ['--lazy', out]);
    expect(readdirSync(out)).toHaveLength(2);
    const next = new SpawnedRun(place, [...film, '10s']);
    const { code: nextCode, stderr: nextSaid } = await next.ended;
    expect(nextCode, nextSaid).toBe(0);
    expect(nextSaid.match(/^removed what a run that was killed left behind: out\/shop\.partial-\S+$/gm), nextSaid).toHaveLength(1);
    await expectNothingLeft(next, place, ['shop']);
  });
});

describe('a folder of results that vanishes', () => {
  it.each([
    ['while the report is made', report, 'report …'],
    ['while the film is made', [...film, '60s'], middle],
  ])('%s, with what was being made in it, is told as that', async (_, args, moment) => {
    const place = studiedPlace();
    earlierResults(place);
    const run = new SpawnedRun(place, args);
    await run.said(moment);
    rmSync(path.join(place.cwd, 'out'), { recursive: true });
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(messageOf(stderr)).toMatch(/is gone: somebody removed it|Somebody removed the folder/);
    await expectNothingLeft(run, place, []);
    expect(existsSync(path.join(place.cwd, 'out'))).toBe(false);
  });

  it('alone comes back with the new results', async () => {
    const place = workplace();
    earlierResults(place);
    const run = new SpawnedRun(place, report);
    await run.said('report …');
    rmSync(path.join(place.cwd, 'out/shop'), { recursive: true });
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    expect(Object.keys(filesIn(path.join(place.cwd, 'out/shop')))).toEqual(['events.csv', 'report.pdf', 'study.json', 'summary.md', 'ticks.csv']);
    await expectNothingLeft(run, place, ['shop']);
  });

  it('and is a file at the end is left as it is', async () => {
    const place = workplace();
    const run = new SpawnedRun(place, report);
    await run.said('report …');
    writeFileSync(path.join(place.cwd, 'out/shop'), 'mine');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    expect(messageOf(stderr)).toBe('out/shop is a file; a folder of that name is needed for the results\n  Move it away, or give another folder with --out DIR');
    expect(filesIn(path.join(place.cwd, 'out'))).toEqual({ shop: 'mine' });
    await expectNothingLeft(run, place, ['shop']);
  });
});

