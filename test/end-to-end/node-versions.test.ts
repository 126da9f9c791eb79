import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const script = path.join(root, 'scripts/same-on-node-versions.mjs');
const short = path.join(root, 'test/support/short.yaml');

const compare = (...nodes: readonly string[]) => spawnSync(process.execPath, [script, ...nodes, '--scenario', short], { encoding: 'utf8' });

/** This Node with another way to round, as another version might have. */
const otherNode = (): string => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-')), 'node');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" --import 'data:text/javascript,Math.round=Math.floor' "$@"\n`);
  chmodSync(file, 0o755);
  return file;
};

describe('scripts/same-on-node-versions.mjs', () => {
  it('finds the same bytes on the same Node, and says their hash', () => {
    const { status, stdout, stderr } = compare(process.execPath);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}[0-9a-f]{64} +\d+ {2}test\/support\/short\.yaml$/m);
    expect(stdout).toContain(`Node ${process.versions.node} (V8 ${process.versions.v8}): the same 1\n`);
  });

  it('finds other bytes where a Node computes otherwise, and ends with 1', () => {
    const { status, stdout } = compare(process.execPath, otherNode());
    expect(status).toBe(1);
    expect(stdout).toMatch(/: the same 1\n.*: DIFFERENT, 1 of 1\n {2}[0-9a-f]{64} {2}test\/support\/short\.yaml\n$/);
  });

  it('says which Node cannot be run', () => {
    const { status, stderr } = compare('/nowhere/node');
    expect([status, stderr]).toEqual([1, 'Cannot run /nowhere/node: spawnSync /nowhere/node ENOENT\n']);
  });
});
