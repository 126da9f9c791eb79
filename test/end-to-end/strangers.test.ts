import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scenarioOf, systems } from '../strangers/explosive-systems.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-strangers-'));
beforeAll(() => systems.forEach(([, service, traffic], i) => writeFileSync(path.join(folder, `bomb-${i}.yaml`), scenarioOf(service, traffic))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nobody waits so long in an ordinary run: it is only there so that a hang is a failure. */
const killAfterMs = 240_000;

it('the most explosive of them end by themselves in a process with little memory, and leave nothing', { timeout: killAfterMs + 10_000 }, async () => {
  const bin = path.resolve(import.meta.dirname, '../../dist/src/cli/bin.js');
  const worst = [3, 4, 8].map((i) => `bomb-${i}.yaml`);
  for (const file of worst) {
    const child = spawn(process.execPath, ['--max-old-space-size=256', bin, 'run', file, '--only', 'text', '--threads', '1', '--set', 'bounds.events=4000000'], { cwd: folder, timeout: killAfterMs, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) => child.on('close', (...ending) => resolve(ending)));
    expect([code, signal], stderr).toEqual([3, null]);
    expect(stderr).toMatch(new RegExp(`${file}:\\d+:\\d+: `));
  }
  expect(readdirSync(folder).filter((name) => !/^bomb-\d+\.yaml$/.test(name))).toEqual([]);
});
