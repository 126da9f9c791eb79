import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { webVtt } from '../../renderers/video/captions.js';
import { testHost, type TestHost } from '../support/host.js';
import { markup, text } from './hostile-texts.js';

describe('texts of a stranger are shown, not obeyed', () => {
  let host: TestHost;
  const made = (name: string): string => readFileSync(path.join(host.cwd, 'out/strange', name), 'utf8');
  beforeAll(async () => {
    host = testHost(['run', 'strange.yaml', '--only', 'report,text', '--sensitivity', 'off']);
    writeFileSync(path.join(host.cwd, 'strange.yaml'), text);
    expect(await main(host), host.written.stderr()).toBe(0);
  }, 120_000);

  it('Markdown has them without tags, links, tables and code of their own', () => {
    const summary = made('summary.md');
    expect(summary).not.toMatch(/<(?!br)[a-z!/]/i);
    expect(summary).toContain('&lt;script&gt;');
    expect(summary).not.toMatch(/(?<!\\)\]\(http/);
    expect(summary).not.toContain('http://');
  });

  it('no cell of a table begins like a formula', () => {
    for (const file of ['ticks.csv', 'events.csv']) {
      for (const line of made(file).split('\n')) expect(line, file).not.toMatch(/(^|,)"?[=+@\t\r]|(^|,)"?-(?![\d.])/);
    }
  });

  it('a terminal gets no control character but tabs and line ends', () => {
    expect(`${host.written.stdout()}${host.written.stderr()}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('a picture has them as text: no element but those of a drawing', async () => {
    const still = testHost(['still', 'strange.yaml', '--at', '5s', '--out', 'still.svg'], { cwd: host.cwd });
    expect(await main(still), still.written.stderr()).toBe(0);
    const svg = readFileSync(path.join(host.cwd, readdirSync(host.cwd).find((name) => name.endsWith('.svg'))!), 'utf8');
    expect(svg).not.toMatch(/<(script|img|foreignObject|a|iframe|image|use|animate|set)[\s>/]/i);
    expect(svg).not.toMatch(/<[^>]*\son\w+=/i);
    expect(svg).toContain('&lt;');
  });
});

it('a caption ends neither its cue nor its text', () => {
  const vtt = webVtt({ lang: 'en', captions: [{ fromMs: 0, toMs: 1_000, text: `a --> b\n\n00:00.000 --> 99:00.000\n${markup}` }] });
  expect(vtt.match(/-->/g)).toHaveLength(1);
  expect(vtt).not.toMatch(/<(script|img)/);
  expect(vtt.trim().split(/\n\n/)).toHaveLength(2);
});
