import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpawnedRun, expectNothingLeft, filesIn, signalIfThere, treeOf, studiedPlace } from '../support/spawned-run.js';

/** A film of 600 frames; the last tenth that is told before the knock. */
const render = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', '--size', '320x180', '--fps', '10', '--duration', '60s'];
const late = /film [78]0%/;

describe('the browser in the middle of a film', () => {
  /** Its files by name. */
  const undisturbed: Record<string, string> = {};

  it('films to its end when nothing happens', async () => {
    const place = studiedPlace();
    const { code, stderr } = await new SpawnedRun(place, render).ended;
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('browser failed');
    Object.assign(undisturbed, filesIn(path.join(place.cwd, 'out/shop')));
    expect(Object.keys(undisturbed)).toContain('video.mp4');
  });

  it.each([
    ['killed', (browser: number) => signalIfThere(browser, 'SIGKILL')],
    ['stopped, so that its page hangs', (browser: number) => treeOf(browser).forEach((pid) => signalIfThere(pid, 'SIGSTOP'))],
  ])('is %s: one notice, and the same film to the byte', async (_, knock) => {
    const place = studiedPlace();
    const run = new SpawnedRun(place, render, { deadlines: { 30_000: 5_000 } });
    const browser = await run.browser();
    await run.said(late);
    knock(browser);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    expect(stderr.match(/^The browser failed .*drawing the picture again in a new one\.$/gm), stderr).toHaveLength(1);
    const films = filesIn(path.join(place.cwd, 'out/shop'));
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect(films[name] === undisturbed[name], name).toBe(true);
    await expectNothingLeft(run, place, ['shop']);
  });
});
