import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findVideoTools } from '../../renderers/video/find-encoder.js';
import { probeFilm, type ProbedFilm } from '../../renderers/video/probe.js';
import { realHost } from '../../src/host.js';

const root = path.resolve(import.meta.dirname, '../..');

describe('a comparison, spawned', () => {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-compare-'));
  const folder = path.join(cwd, 'out/shop.as-it-is-vs-bigger');
  let ran: { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  let probed: ProbedFilm;

  beforeAll(async () => {
    copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(cwd, 'shop.yaml'));
    ran = spawnSync(process.execPath, [path.join(root, 'dist/src/cli/bin.js'), 'compare', 'shop.yaml', '--size', '640x360', '--fps', '10', '--duration', '12s'], { cwd, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(ran.stderr);
    probed = await probeFilm((await findVideoTools(realHost())).ffprobe, path.join(folder, 'video.mp4'));
  });

  it('leaves every promised file, nothing else, and no half-made folder', () => {
    expect(readdirSync(folder).sort()).toEqual(['poster.png', 'report.pdf', 'study.json', 'summary.md', 'video.mp4', 'video.vtt']);
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['shop.as-it-is-vs-bigger']);
  });

  it('makes a film of the length that was asked for', () => {
    expect(probed).toMatchObject({ codec: 'h264', width: 640, height: 360, frames: 120 });
    expect(probed.duration.ticks / probed.duration.ticksPerS).toBe(12);
    expect(probed.chapters.map(({ title }) => title).at(-1)).toBe('What it does');
  });

  it('ends terminal, captions and report with the same sentence', () => {
    const sentence = ran.stdout.trim().split('\n').at(-1)!;
    expect(sentence).toMatch(/^bigger keeps [\d.]+.points more good in sale/);
    expect(readFileSync(path.join(folder, 'video.vtt'), 'utf8').replaceAll('\u00A0', ' ')).toContain(sentence);
    expect(readFileSync(path.join(folder, 'summary.md'), 'utf8')).toContain(`**${sentence}**`);
  });
});
