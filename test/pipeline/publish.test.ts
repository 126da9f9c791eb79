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

  it('of many runs that end in the same moment is wholly of one of them, and nothing of the user is lost', async () => {
    const host = testHost([]);
    fill(host, 'out/spike', 'OLD', [...names, 'notes.txt']);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 6 }, async (_, run) => {
          const pending = await startPending('out/spike', host);
          mkdirSync(path.resolve(host.cwd, pending.folder), { recursive: true });
          for (const name of names) writeFileSync(path.resolve(host.cwd, pending.folder, name), `run ${round}.${run}`);
          await pending.publish(drafts);
          await pending.discard();
        }),
      );
      const { 'notes.txt': notes, ...results } = filesOf(host, 'out/spike');
      expect(notes).toBe('new notes.txt');
      expect(Object.keys(results)).toEqual([...names].sort());
      expect(new Set(Object.values(results)).size, JSON.stringify(results)).toBe(1);
      expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['spike']);
    }
  });

  it('that another run put there after the last look keeps its film of the same study', async () => {
    const base = testHost([]);
    fill(base, 'out/spike', 'S', names);
    let isOther = true;
    const host = testHost([], {
      cwd: base.cwd,
      rename: async (from, to) => {
        if (isOther && from === 'out/spike') {
          isOther = false;
          const other = await startPending('out/spike', base);
          fill(base, other.folder, 'S', [...names, 'video.mp4']);
          await other.publish(drafts);
          await other.discard();
        }
        await base.rename(from, to);
      },
    });
    const pending = await startPending('out/spike', host);
    fill(host, pending.folder, 'S');
    await pending.publish(drafts);
    await pending.discard();
    expect(filesOf(host, 'out/spike')['video.mp4']).toBe('new video.mp4');
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['spike']);
  });

  it('that cannot be put back is left where it is, and the message says where', async () => {
    const base = testHost([]);
    let renames = 0;
    const host = testHost([], { cwd: base.cwd, rename: (from, to) => (++renames >= 2 ? Promise.reject(new Error('disk is gone')) : base.rename(from, to)) });
    fill(base, 'out/spike', 'OLD');
    const pending = await startPending('out/spike', host);
    fill(host, pending.folder, 'NEW');
    const error = await pending.publish(drafts).catch((caught: unknown) => caught);
    await pending.discard();
    expect((error as FaultreelError).problems[0]).toMatchObject({ message: 'cannot put the results in place at out/spike, nor the earlier ones back: disk is gone' });
    const old = /^The earlier ones are in (.*): move them back by hand$/.exec((error as FaultreelError).problems[0].hint!)![1];
    expect(readFileSync(path.resolve(host.cwd, old, 'study.json'), 'utf8')).toBe('OLD');
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
