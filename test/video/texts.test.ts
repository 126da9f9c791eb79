import { describe, expect, test } from 'vitest';
import { webVtt } from '../../renderers/video/captions.js';
import { metadataFile } from '../../renderers/video/metadata.js';
import { parseSize } from '../../renderers/video/size.js';
import { describeError, FaultreelError } from '../../src/errors.js';

describe('parseSize', () => {
  const refused = (text: string): string => {
    try {
      parseSize(text);
    } catch (error) {
      if (error instanceof FaultreelError && error.exitCode === 2) return describeError(error);
    }
    throw new Error(`${text} was not refused as a usage error`);
  };

  test('reads a size', () => {
    expect(parseSize('1920x1080')).toEqual({ width: 1920, height: 1080 });
    expect(parseSize('320X180')).toEqual({ width: 320, height: 180 });
  });

  test('names the nearest even size for an odd one', () => {
    expect(refused('1921x1080')).toMatchInlineSnapshot(`
      "Expected --size with even sides, found 1921x1080: H.264 stores colour for every second pixel
        Nearest: --size 1922x1080."
    `);
    expect(refused('1280x721')).toContain('Nearest: --size 1280x722.');
  });

  test('names the limit for one beyond the limits', () => {
    expect(refused('5000x300')).toMatchInlineSnapshot(`
      "Expected --size from 320x180 to 3840x2160, found 5000x300
        Nearest: --size 3840x300."
    `);
    expect(refused('1x1')).toContain('Nearest: --size 320x180.');
  });

  test('says how a size is written', () => {
    for (const text of ['', 'big', '1920', '1920x', '-2x4', '1920x1080x3', '1e3x200', '1920.5x1080']) expect(refused(text)).toContain('Expected --size as width x height in pixels');
  });
});

describe('webVtt', () => {
  test('escapes what a player would take for markup, and keeps each cue whole', () => {
    const text = webVtt({
      lang: 'ko',
      captions: [
        { fromMs: 0, toMs: 1500.4, text: 'p99 < 2 s & rising <b>' },
        { fromMs: 3_661_000, toMs: 3_662_005, text: '주문 API\n\n메모리 부족 --> 재시작' },
      ],
    });
    expect(text).toMatchInlineSnapshot(`
      "WEBVTT
      Language: ko

      1
      00:00:00.000 --> 00:00:01.500 line:5%
      p99 &lt; 2 s &amp; rising &lt;b&gt;

      2
      01:01:01.000 --> 01:01:02.005 line:5%
      주문 API
      메모리 부족 --&gt; 재시작
      "
    `);
  });

  test('is a valid file without captions', () => {
    expect(webVtt({ lang: 'en', captions: [] })).toBe('WEBVTT\nLanguage: en\n');
  });
});

describe('metadataFile', () => {
  test('escapes the signs that the format uses', () => {
    expect(metadataFile({ title: 'a=b;c#d\\e\nf', chapters: [{ fromMs: 0, toMs: 999.6, title: '단계 #1' }] }, 'faultreel 1; x=y')).toMatchInlineSnapshot(`
      ";FFMETADATA1
      title=a\\=b\\;c\\#d\\\\e\\
      f
      comment=faultreel 1\\; x\\=y
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1000
      title=단계 \\#1
      "
    `);
  });
});
