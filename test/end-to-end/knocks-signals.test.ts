import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpawnedRun, earlierResults, expectNoProcess, expectNothingLeft, filesIn, signalIfThere, studiedPlace, treeOf, until, workplace } from '../support/spawned-run.js';

const small = ['--size', '320x180', '--fps', '10', '--duration'];
const run = ['run', 'shop.yaml', ...small, '10s'];
const film = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', ...small, '60s'];
const interrupted = 'Interrupted: what was not finished was not replaced.\n';

describe('an interrupt', () => {
  it('while tools are looked for ends the run as at any other moment', async () => {
    const place = workplace();
    const expectUntouched = earlierResults(place);
    // An encoder that never says who it is, and a run that would wait for it.
    const encoder = path.join(place.tmpdir, 'slow-ffmpeg');
    const asked = path.join(place.tmpdir, 'asked');
    writeFileSync(encoder, `#!/bin/sh\ntouch ${asked}\nexec sleep 1000\n`);
    chmodSync(encoder, 0o755);
    const spawned = new SpawnedRun(place, run, { env: { FAULTREEL_FFMPEG: encoder }, deadlines: { 15_000: 1_000_000 } });
    await until(() => existsSync(asked), 'the question who it is');
    spawned.send('SIGTERM');
    const { code, stderr } = await spawned.ended;
    expect(code, stderr).toBe(130);
    expect(stderr.endsWith(interrupted), stderr).toBe(true);
    expectUntouched();
    await expectNoProcess(spawned);
    expect(readdirSync(place.tmpdir).sort()).toEqual(['asked', 'slow-ffmpeg']);
    expect(readdirSync(path.join(place.cwd, 'out'))).toEqual(['shop']);
  });

  it.each([
    ['simulate as-it-is', 'SIGINT', run],
    ['both ends of every range', 'SIGTERM', run],
    ['report …', 'SIGINT', run],
    ['replay …', 'SIGTERM', [...run, '--only', 'replay', '--sensitivity', 'off']],
    ['film …', 'SIGINT', film],
    ['film 50%', 'SIGTERM', film],
  ] as const)('at "%s" by %s ends with 130 and one message; the earlier results are as they were, nothing is left', async (moment, signal, args) => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const spawned = new SpawnedRun(place, args);
    await spawned.said(moment);
    spawned.send(signal);
    const { code, stderr, stdout } = await spawned.ended;
    expect(code, stderr).toBe(130);
    expect(stderr.split('Interrupted')).toHaveLength(2);
    expect(stderr.endsWith(interrupted), stderr).toBe(true);
    expect(stdout).toBe('');
    expectUntouched();
    await expectNothingLeft(spawned, place, ['shop']);
  });

  it('in the last moment either comes too late, and all is new, or nothing is', async () => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const spawned = new SpawnedRun(place, film);
    await spawned.said('film 100%');
    spawned.send('SIGINT');
    const { code, stderr } = await spawned.ended;
    if (code === 130) {
      expect(stderr.endsWith(interrupted), stderr).toBe(true);
      expectUntouched();
    } else {
      expect(code, stderr).toBe(0);
      expect(Object.keys(filesIn(path.join(place.cwd, 'out/shop')))).toEqual(['events.csv', 'notes.txt', 'poster.png', 'study.json', 'summary.md', 'ticks.csv', 'video.mp4', 'video.vtt']);
    }
    await expectNothingLeft(spawned, place, ['shop']);
  });

  it('that comes twice at once, as npx passes on what the terminal has sent, is one', async () => {
    const place = studiedPlace();
    const spawned = new SpawnedRun(place, film);
    await spawned.said('film 20%');
    spawned.send('SIGINT');
    spawned.send('SIGINT');
    const { code, signal, stderr } = await spawned.ended;
    expect([code, signal], stderr).toEqual([130, null]);
    expect(stderr.endsWith(interrupted), stderr).toBe(true);
    await expectNothingLeft(spawned, place, []);
  });

  it('and another one later ends the run at once, without a process left; the next run removes the rest', async () => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const spawned = new SpawnedRun(place, film);
    const browser = await spawned.browser();
    await spawned.said('film 20%');
    // It is asked to close, and given seconds for that, which it cannot.
    treeOf(browser).forEach((pid) => signalIfThere(pid, 'SIGSTOP'));
    let hasEnded = false;
    void spawned.ended.then(() => (hasEnded = true));
    const isOver = (): boolean => {
      if (!hasEnded) spawned.send('SIGINT');
      return hasEnded;
    };
    await until(isOver, 'the end after many interrupts');
    const { code, signal, stderr } = await spawned.ended;
    expect([code, signal], stderr).toEqual([130, null]);
    expect(stderr).not.toContain('Interrupted');
    expectUntouched();
    await expectNoProcess(spawned);
    expect(readdirSync(place.tmpdir)).toHaveLength(1);
    const next = new SpawnedRun(place, [...film.slice(0, -1), '10s']);
    const { code: nextCode, stderr: nextSaid } = await next.ended;
    expect(nextCode, nextSaid).toBe(0);
    expect(nextSaid.match(/^removed what a run that was killed left behind: \S+$/gm), nextSaid).toHaveLength(2);
    await expectNothingLeft(next, place, ['shop']);
  });
});
