import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { film } from '../../renderers/video/film.js';
import { probeFilm } from '../../renderers/video/probe.js';
import type { Reel } from '../../renderers/video/reel.js';
import { switchSubtitlesOff } from '../../renderers/video/track-flags.js';
import { realHost } from '../../src/host.js';
import { temporaryFolder } from '../browser/machine.js';
import { colourReel } from './machine.js';

const filmed = async (captions: Reel['captions'], over: Partial<Reel> = {}) => {
  const folder = await temporaryFolder();
  const host = { ...realHost(), tmpdir: await temporaryFolder() };
  const { machine } = await film(colourReel([['#102030', 45], ['#ffffff', 45]], { captions, ...over }), { host, folder });
  const video = path.join(folder, 'video.mp4');
  const readBack = async (format: string): Promise<string> => (await promisify(execFile)(machine.tools.ffmpeg.path, ['-v', 'error', '-i', video, '-map', '0:s:0', '-f', format, '-'])).stdout;
  return { video, machine, readBack };
};

describe('soft subtitles', () => {
  test('say each caption at its time, to the end of the film, with nothing between', async () => {
    const { readBack } = await filmed([
      { fromMs: 0, toMs: 700, text: 'p99 < 2 s & rising <b>' },
      { fromMs: 700, toMs: 1300.4, text: '주문 API\n메모리 부족' },
      { fromMs: 2000, toMs: 3000, text: 'the end' },
    ]);
    expect(await readBack('srt')).toMatchInlineSnapshot(`
      "1
      00:00:00,000 --> 00:00:00,700
      <font face="Sans-Serif" size="18">{\\an8}p99 < 2 s & rising <b></font>

      2
      00:00:00,700 --> 00:00:01,300
      <font face="Sans-Serif" size="18">{\\an8}주문 API
      메모리 부족</font>

      3
      00:00:02,000 --> 00:00:03,000
      <font face="Sans-Serif" size="18">{\\an8}the end</font>

      "
    `);
  });

  test('stand at the top, off the strip of the past', async () => {
    const { readBack } = await filmed([{ fromMs: 0, toMs: 700, text: 'a' }]);
    const [, format, style] = /^(Format: Name.*)\r?\n(Style: .*)$/m.exec(await readBack('ass'))!;
    const columns = format.replace('Format: ', '').split(', ');
    // Number pad: 8 is the middle of the top row.
    expect(style.replace('Style: ', '').split(',')[columns.indexOf('Alignment')]).toBe('8');
  });

  test("are off until a viewer wants them, and named in the film's language", async () => {
    const { video, machine } = await filmed([{ fromMs: 0, toMs: 700, text: '가' }], { lang: 'ko' });
    expect((await probeFilm(machine.tools.ffprobe, video)).subtitles).toEqual({ codec: 'mov_text', language: 'kor', name: '자막', on: false });
    const bytes = await readFile(video);
    await switchSubtitlesOff(video);
    expect((await readFile(video)).equals(bytes)).toBe(true);
  });

  test('are no track where nothing is said', async () => {
    const { video, machine } = await filmed([]);
    expect((await probeFilm(machine.tools.ffprobe, video)).subtitles).toBe(null);
  });
});
