import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

describe("README's snippet of the library", () => {
  it('runs as it stands there, and makes a film and a report', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-readme-'));
    for (const name of ['node_modules', 'scenarios', 'out']) mkdirSync(path.join(folder, name));
    symlinkSync(root, path.join(folder, 'node_modules/faultreel'));
    // A short scenario under the name in the snippet: this is about the library.
    copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(folder, 'scenarios/order-api-spike.yaml'));
    const snippet = /```js\n([\s\S]*?)```/.exec(readme)![1];
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', snippet, '--', '--film'], { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ of \d+ orders went well; first to break: availability$/m);
    for (const name of ['report.pdf', 'film/video.mp4', 'film/video.vtt', 'film/poster.png']) {
      expect(existsSync(path.join(folder, 'out', name)) && statSync(path.join(folder, 'out', name)).size, name).toBeGreaterThan(100);
    }
  });
});
