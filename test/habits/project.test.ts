import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolVersion } from '../../src/pipeline/version.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const commands = ['npm ci && npx faultreel run scenarios/order-api-spike.yaml', 'npm ci && npm test'];

describe('the project', () => {
  it('opens its README with the two commands, and CI runs exactly these', () => {
    expect(read('README.md')).toMatch(new RegExp(`^# faultreel\n\n\`\`\`\n${commands.join('\n')}\n\`\`\`\n`));
    for (const command of commands) expect(read('.ci/run')).toContain(`(${command})`);
  });

  it('has one version', () => {
    expect(toolVersion).toBe(JSON.parse(read('package.json')).version);
  });

  it('lists the licences of its production tree as the lock file has it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/third-party.mjs', '--check'], { cwd: root, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });
});

