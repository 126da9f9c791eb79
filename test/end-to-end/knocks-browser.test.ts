import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpawnedRun, expectNothingLeft, filesIn, signalIfThere, treeOf, studiedPlace } from '../support/spawned-run.js';

/** A film of 600 frames in three segments. It is knocked as soon as it moves: a few pictures are drawn ahead, and no more, so that the browser is needed again. */
const render = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', '--size', '320x180', '--fps', '10', '--duration', '60s'];
const begun = /film [1-5]0%/;

describe('each browser in the middle of a film', () => {
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
  ])('is %s: a notice, and the same film to the byte', async (_, knock) => {
    const place = studiedPlace();
    const run = new SpawnedRun(place, render, { deadlines: { 30_000: 5_000 } });
    await run.said(begun);
    const browsers = run.browsers();
    browsers.forEach(knock);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    const notices = stderr.match(/^The browser failed .*drawing the picture again in a new one\.$/gm) ?? [];
    expect(notices.length, stderr).toBeGreaterThanOrEqual(1);
    expect(notices.length, stderr).toBeLessThanOrEqual(browsers.length);
    const films = filesIn(path.join(place.cwd, 'out/shop'));
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect(films[name] === undisturbed[name], name).toBe(true);
    await expectNothingLeft(run, place, ['shop']);
  });
});
