import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpawnedRun, expectNoProcess, expectNothingLeft, filesIn, studiedPlace, workplace } from '../support/spawned-run.js';

const report = (...more: readonly string[]): string[] => ['run', 'shop.yaml', '--sensitivity', 'off', '--only', 'report', ...more];
const film = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', '--size', '320x180', '--fps', '10', '--duration', '60s'];
const removed = /^removed what a run that was killed left behind: (.*)$/gm;

describe('two runs into the same folder at the same time', () => {
  it('both succeed; the folder is wholly of one of them, with what is the user\'s', async () => {
    const place = workplace();
    const folder = path.join(place.cwd, 'out/shop');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    const apart = ['1', '2'].map((seed) => new SpawnedRun(place, report('--seed', seed, '--out', `out/seed-${seed}`)));
    const together = ['1', '2'].map((seed) => new SpawnedRun(place, report('--seed', seed)));
    for (const run of [...apart, ...together]) {
      const { code, stderr } = await run.ended;
      expect(code, stderr).toBe(0);
    }
    const { 'notes.txt': notes, ...results } = filesIn(folder);
    expect(notes).toBe('mine');
    const alone = ['1', '2'].map((seed) => filesIn(path.join(place.cwd, `out/seed-${seed}/shop`)));
    expect(alone.filter((files) => JSON.stringify(files) === JSON.stringify(results))).toHaveLength(1);
    for (const run of together) await expectNothingLeft(run, place, ['seed-1', 'seed-2', 'shop']);
  });
});

describe('a run that was killed outright', () => {
  it('leaves no process; the next run removes what it left, says so once, and leaves what a run at work has there', async () => {
    const place = studiedPlace();
    const killed = new SpawnedRun(place, film);
    await killed.said('film 20%');
    killed.send('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    await expectNoProcess(killed);
    const [left] = readdirSync(path.join(place.cwd, 'out'));
    const [profile] = readdirSync(place.tmpdir);
    expect([left, profile]).toEqual([expect.stringMatching(/^shop\.partial-/), expect.stringMatching(/^faultreel-browser\.partial-/)]);

    const next = new SpawnedRun(place, film);
    await next.said('film …');
    expect(next.stderr.match(removed)).toEqual([`removed what a run that was killed left behind: ${path.join(place.tmpdir, profile)}`, `removed what a run that was killed left behind: out/${left}`]);
    next.send('SIGSTOP');
    const beside = new SpawnedRun(place, report());
    const { code, stderr } = await beside.ended;
    expect(code, stderr).toBe(0);
    expect(stderr.match(removed)).toBe(null);
    next.send('SIGCONT');
    const { code: nextCode, stderr: nextSaid } = await next.ended;
    expect(nextCode, nextSaid).toBe(0);
    expect(Object.keys(filesIn(path.join(place.cwd, 'out/shop')))).toContain('video.mp4');
    await expectNothingLeft(next, place, ['shop']);
  });

  it('between its two renames has the earlier results put back by the next run, whatever becomes of that', async () => {
    const place = studiedPlace();
    const killed = new SpawnedRun(place, film);
    await killed.said('film …');
    killed.send('SIGKILL');
    await killed.ended;
    await expectNoProcess(killed);
    const [left] = readdirSync(path.join(place.cwd, 'out'));
    mkdirSync(path.join(place.cwd, 'earlier'));
    writeFileSync(path.join(place.cwd, 'earlier/notes.txt'), 'mine');
    renameSync(path.join(place.cwd, 'earlier'), path.join(place.cwd, 'out', left, 'old'));
    const next = new SpawnedRun(place, report());
    await next.said('simulate');
    next.send('SIGINT');
    const { code, stderr } = await next.ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toMatch(/^out\/shop is back: a run that was killed had moved it away\n/);
    expect(filesIn(path.join(place.cwd, 'out/shop'))).toEqual({ 'notes.txt': 'mine' });
    expect(readdirSync(path.join(place.cwd, 'out'))).toEqual(['shop']);
  });
});
