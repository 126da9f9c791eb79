import { describe, expect, it } from 'vitest';
import { SpawnedRun, earlierResults, expectNothingLeft, messageOf, signalIfThere, studiedPlace } from '../support/spawned-run.js';
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
    expect(stderr.match(/encoder/gi), stderr).toHaveLength(1);
    expect(stdout).toBe('');
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });

  it('that is real and is killed in the middle ends the run', async () => {
    const place = studiedPlace();
    const expectUntouched = earlierResults(place);
    const run = new SpawnedRun(place, [...render, '--duration', '60s']);
    const encoder = await run.encoder();
    await run.said(/film [2-5]0%/);
    signalIfThere(encoder, 'SIGKILL');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(6);
    expect(messageOf(stderr)).toMatch(/^The encoder failed: ffmpeg was killed by SIGKILL\n {2}command: /);
    expectUntouched();
    await expectNothingLeft(run, place, ['shop']);
  });
});
