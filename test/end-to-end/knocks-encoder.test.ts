import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpawnedRun, earlierResults, expectNothingLeft, filesIn, messageOf, signalIfThere, studiedPlace } from '../support/spawned-run.js';
import { fixture } from '../video/machine.js';

const render = ['render', 'study.json', '--out', 'out/shop', '--only', 'video', '--size', '320x180', '--fps', '10'];

describe('the encoder of a whole run', () => {
  it.each([
    ['that dies', 'fake-ffmpeg-that-dies', 6, /^The encoder failed: ffmpeg ended with exit code 5\n {2}command: .*fake-ffmpeg-that-dies\.mjs .*\n {4}\| frame=.*\n {4}\| .*Input\/output error$/],
    ['that closes its input and lives on', 'fake-ffmpeg-that-closes-its-input', 7, /^The encoder made no progress for \d+ s\n {2}command: /],
    ['that never ends', 'fake-ffmpeg-that-never-ends', 7, /^The encoder made no progress for \d+ s\n {2}command: /],
    ['that writes nothing and ends with 0', 'fake-ffmpeg-without-file', 6, /^The encoder ended with exit code 0 but wrote no film\n {2}command: /],
  ])('%s: one message with its command line, the earlier results as they were, nothing left', async (_, name, exitCode, message) => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const run = new SpawnedRun(place, [...render, '--duration', '10s'], { env: { FAULTREEL_FFMPEG: fixture(name) }, deadlines: { 120_000: 4_000 } });
    const { code, stderr, stdout } = await run.ended;
    expect(code, stderr).toBe(exitCode);
    expect(messageOf(stderr)).toMatch(message);
    // One that dies is replaced once, with a notice.
    expect(stderr.match(/^The encoder/gm), stderr).toHaveLength(exitCode === 6 ? 2 : 1);
    expect(stdout).toBe('');
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  it('that is real and is killed in the middle is replaced: one notice, and the same film to the byte', async () => {
    const calm = studiedPlace();
    expect((await new SpawnedRun(calm, [...render, '--duration', '60s']).ended).code).toBe(0);
    const place = studiedPlace();
    const run = new SpawnedRun(place, [...render, '--duration', '60s']);
    await run.said(/film [2-5]0%/);
    signalIfThere(await run.encoder(), 'SIGKILL');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    expect(stderr.match(/^The encoder failed: ffmpeg was killed by SIGKILL; part [1-3] of 3 of the film is filmed again from its beginning\.$/gm), stderr).toHaveLength(1);
    const [undisturbed, films] = [calm, place].map(({ cwd }) => filesIn(path.join(cwd, 'out/shop')));
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect(films[name] === undisturbed[name], name).toBe(true);
    await expectNothingLeft(run, place, ['shop']);
  });
});
