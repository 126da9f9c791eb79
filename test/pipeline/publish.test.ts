import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { promised } from '../../src/pipeline/products.js';
import { startPending } from '../../src/pipeline/publish.js';
import { testHost, type TestHost } from '../support/host.js';

const names = promised(new Set(['report']));
const drafts = names.map((name) => ({ name, about: '' }));
const fill = (host: TestHost, folder: string, study: string, files: readonly string[] = names): void => {
  mkdirSync(path.resolve(host.cwd, folder), { recursive: true });
  for (const name of files) writeFileSync(path.resolve(host.cwd, folder, name), name === 'study.json' ? study : `new ${name}`);
};
const filesOf = (host: TestHost, folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path.join(host.cwd, folder)).sort().map((name) => [name, readFileSync(path.join(host.cwd, folder, name), 'utf8')]));
const exitCodeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'no error', (error: unknown) => (error instanceof FaultreelError ? error.exitCode : error));

describe('a folder of results', () => {
  it('appears whole and leaves nothing beside it', async () => {
    const host = testHost([]);
    const pending = await startPending('out/spike', host);
    fill(host, pending.folder, 'S');
    expect(readdirSync(path.join(host.cwd, 'out'))).not.toContain('spike');
    await pending.publish(drafts);
    await pending.discard();
    expect(Object.keys(filesOf(host, 'out/spike'))).toEqual([...names].sort());
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['spike']);
  });

  it('stays as it was when a promised file is missing or empty', async () => {
    const host = testHost([]);
    fill(host, 'out/spike', 'OLD');
    const before = filesOf(host, 'out/spike');
    for (const spoil of [(folder: string) => host.remove(path.join(folder, 'report.pdf')), (folder: string) => host.write(path.join(folder, 'report.pdf'), '')]) {
      const pending = await startPending('out/spike', host);
      fill(host, pending.folder, 'NEW');
      await spoil(pending.folder);
      expect(await exitCodeOf(pending.publish(drafts))).toBe(6);
      await pending.discard();
      expect(filesOf(host, 'out/spike')).toEqual(before);
      expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['spike']);
    }
  });

  it('comes back when the new one cannot take its place', async () => {
    const base = testHost([]);
    let renames = 0;
    const host = testHost([], { cwd: base.cwd, rename: (from, to) => (++renames === 2 ? Promise.reject(new Error('disk is gone')) : base.rename(from, to)) });
    fill(base, 'out/spike', 'OLD');
    const before = filesOf(base, 'out/spike');
    const pending = await startPending('out/spike', host);
    fill(host, pending.folder, 'NEW');
    await expect(pending.publish(drafts)).rejects.toThrow('disk is gone');
    expect(filesOf(base, 'out/spike')).toEqual(before);
  });

  it('keeps files that are not ours, and an old film only while it shows the same study', async () => {
    const host = testHost([]);
    fill(host, 'out/spike', 'S', [...names, 'video.mp4', 'notes.txt']);
    for (const [study, film] of [['S', true], ['T', false]] as const) {
      const pending = await startPending('out/spike', host);
      fill(host, pending.folder, study);
      await pending.publish(drafts);
      const files = filesOf(host, 'out/spike');
      expect(files['notes.txt']).toBe('new notes.txt');
      expect('video.mp4' in files).toBe(film);
      expect(files['study.json']).toBe(study);
    }
  });

  it('says before any work that it cannot be written, with the fix for containers', async () => {
    const host = testHost([], { makeTemporaryFolder: () => Promise.reject(new Error("EACCES: permission denied, mkdtemp '/results/spike'")), uid: 1000 });
    const error = await startPending('/results/spike', host).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FaultreelError);
    expect((error as FaultreelError).exitCode).toBe(5);
    expect((error as FaultreelError).problems[0].message).toContain('cannot write into /results: EACCES');
    expect((error as FaultreelError).problems[0].hint).toContain('--user "$(id -u):$(id -g)"');
  });
});
