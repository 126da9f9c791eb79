import { describe, expect, it } from 'vitest';
import { progressOn } from '../../src/cli/progress.js';
import { testHost } from '../support/host.js';

const film = (options: { terminal: boolean; quiet?: boolean; timings?: boolean }): string => {
  let nowMs = 0;
  const host = testHost([], { terminal: options.terminal, now: () => nowMs });
  const progress = progressOn(host, { quiet: options.quiet ?? false, timings: options.timings ?? false });
  progress.stage('film');
  for (let frame = 1; frame <= 100; frame++) {
    nowMs += 200;
    progress.step(frame, 100, 'frames');
  }
  progress.detail('how it was done');
  progress.notice('one thing to know');
  progress.end();
  return host.written.stderr();
};

describe('progress', () => {
  it('rewrites one line on a terminal and says how long it will take', () => {
    const text = film({ terminal: true });
    expect(text).toContain('\rfilm  50 of 100 frames  50%  ETA 0:10\u001b[K');
    expect(text).toContain('\rfilm  100 of 100 frames  100%\u001b[K');
    expect(text.endsWith('film: done\n')).toBe(true);
  });

  it('keeps its numbers on a narrow terminal, and never empties the line before it is written', () => {
    let nowMs = 0;
    const written: string[] = [];
    const host = testHost([], { now: () => (nowMs += 1000), stderr: { write: (text) => void written.push(text), isTerminal: true, columns: 60 } });
    const progress = progressOn(host, { quiet: false, timings: false });
    progress.stage('sensitivity of as-it-is: worst corners, and where verdicts turn, step 1');
    progress.step(1, 6, 'runs');
    expect(written.at(-1)).toBe('\rsensitivity of as-it-is: worst…  1 of 6 runs  16%  ETA 0:05\u001b[K');
    for (const text of written) expect([text.includes('\u001b[2K'), text.replace(/\r|\u001b\[K/g, '').length <= 59]).toEqual([false, true]);
  });

  it('is a plain line at every tenth elsewhere, without times, so that two logs are the same', () => {
    const lines = film({ terminal: false }).trimEnd().split('\n');
    expect(lines).toEqual([
      'film …',
      ...Array.from({ length: 10 }, (_, i) => `film ${(i + 1) * 10}% (${(i + 1) * 10} of 100 frames)`),
      'how it was done',
      'one thing to know',
    ]);
  });

  it('gives wall seconds and speed when they are asked for', () => {
    expect(film({ terminal: false, timings: true })).toContain('film: 20.00 s, 5.0 frames/s\n');
  });

  it('keeps quiet but for notices when told so', () => {
    expect(film({ terminal: false, quiet: true })).toBe('one thing to know\n');
  });
});

describe('progress of many parts, in a log', () => {
  it('has a line at every quarter of what takes long, and none that a part begins', () => {
    const host = testHost([]);
    const progress = progressOn(host, { quiet: false, timings: false, sparse: true });
    progress.stage('a.yaml: simulate');
    progress.stage('b.yaml: simulate');
    for (let done = 0; done <= 8; done++) progress.step(done, 8, 'runs');
    progress.end();
    expect(host.written.stderr()).toBe('b.yaml: simulate 25% (2 of 8 runs)\nb.yaml: simulate 50% (4 of 8 runs)\nb.yaml: simulate 75% (6 of 8 runs)\nb.yaml: simulate 100% (8 of 8 runs)\n');
  });
});
