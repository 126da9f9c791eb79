import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const kept = mkdtempSync(path.join(os.tmpdir(), 'faultreel-kept-'));

/** Films the short scenario in a new folder. */
const film = (...args: string[]): { readonly stderr: string; readonly files: ReadonlyMap<string, Buffer> } => {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-'));
  copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(cwd, 'shop.yaml'));
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'dist/src/cli/bin.js'), 'run', 'shop.yaml', '--only', 'video', '--sensitivity', 'off', '--size', '320x180', '--fps', '5', '--duration', '10s', ...args], { cwd, encoding: 'utf8', env: { ...process.env, FAULTREEL_RESULTS_CACHE: kept } });
  expect(status, stderr).toBe(0);
  const out = path.join(cwd, 'out/shop');
  return { stderr, files: new Map(readdirSync(out).map((name) => [name, readFileSync(path.join(out, name))])) };
};

describe('a film that was made before', () => {
  it('is taken as it is, made again when it is not whole any more or is asked for anew, and another one when it looks otherwise', () => {
    const first = film();
    expect(first.stderr).toContain('Filming with');
    const second = film();
    expect(second.stderr).toContain('filmed before, taken from the cache (--force films again)');
    expect(second.stderr).not.toContain('Filming with');
    expect([...second.files.keys()]).toEqual([...first.files.keys()]);
    for (const [name, bytes] of first.files) expect(second.files.get(name)!.equals(bytes), name).toBe(true);

    const entry = readdirSync(kept).find((name) => name.startsWith('film-'))!;
    writeFileSync(path.join(kept, entry, 'video.mp4'), 'not a film');
    const third = film('--theme', 'light');
    expect(third.stderr).toContain('Filming with');
    expect(third.files.get('poster.png')!.equals(first.files.get('poster.png')!)).toBe(false);
    const fourth = film();
    expect(fourth.stderr).toContain('Filming with');
    expect(fourth.files.get('video.mp4')!.equals(first.files.get('video.mp4')!)).toBe(true);
    expect(film('--force').stderr).toContain('Filming with');
  });
});
