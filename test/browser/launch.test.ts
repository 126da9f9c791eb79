import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FoundBrowser } from '../../renderers/browser/find.js';
import { launch } from '../../renderers/browser/launch.js';
import { describeError, type FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { failureOf, fixture, gone, hostWith, profilesIn, temporaryFolder } from './machine.js';

const fake = (name: string): FoundBrowser => ({ kind: 'named', path: fixture(name), version: '160.0.0.0', env: {}, args: [] });

const failedLaunch = async (name: string, { env = {}, deadlineMs = 20_000, uid = 1000 }: { readonly env?: Record<string, string>; readonly deadlineMs?: number; readonly uid?: number } = {}): Promise<{ readonly error: FaultreelError; readonly host: Host; readonly notices: string[] }> => {
  const host = hostWith(env, { tmpdir: await temporaryFolder(), uid });
  const notices: string[] = [];
  const error = await failureOf(launch(fake(name), { host, deadlineMs, onNotice: (notice) => notices.push(notice) }));
  expect(await profilesIn(host.tmpdir)).toEqual([]);
  return { error, host, notices };
};

/** Without what differs from one machine to the next. */
const told = (error: FaultreelError): string =>
  describeError(error)
    .replaceAll(path.dirname(fixture('x')), '<fixtures>');

/** What `--debug` shows besides. */
const causeOf = ({ cause }: FaultreelError): string => (cause as Error).message;

describe('launch', () => {
  test('names the sandbox and the two ways on when Chromium cannot start it', async () => {
    const { error, notices } = await failedLaunch('fake-browser-without-sandbox');
    expect(error.exitCode).toBe(5);
    expect(told(error)).toMatchInlineSnapshot(`
      "Chromium cannot start its sandbox here.
        Allow it (Docker: --security-opt seccomp=unconfined or --cap-add SYS_ADMIN; Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0), or go without: FAULTREEL_NO_SANDBOX=1.
        | [1:1:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+ see the documentation.
        With --debug it tells how the browser was started."
    `);
    expect(notices).toEqual([]);
  });

  test('never drops the sandbox in silence', async () => {
    const { error, notices } = await failedLaunch('fake-browser-without-library', { env: { FAULTREEL_NO_SANDBOX: '1' } });
    expect(causeOf(error)).toContain('--no-sandbox');
    expect(notices).toEqual(['The browser runs with --no-sandbox, because FAULTREEL_NO_SANDBOX=1.']);
    const kept = await failedLaunch('fake-browser-without-library');
    expect(causeOf(kept.error)).not.toContain('--no-sandbox');
    const root = await failedLaunch('fake-browser-without-library', { uid: 0 });
    expect(root.notices).toEqual(['The browser runs with --no-sandbox, because Chromium refuses its sandbox to root.']);
  });

  test('names a missing library', async () => {
    const { error } = await failedLaunch('fake-browser-without-library');
    expect(error.exitCode).toBe(5);
    expect(told(error)).toMatchInlineSnapshot(`
      "The browser cannot start: the shared library libnss3.so is missing.
        | <fixtures>/fake-browser-without-library.mjs: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory
        With --debug it tells how the browser was started."
    `);
    expect(causeOf(error)).toContain(`command: ${fixture('fake-browser-without-library')} --`);
  });

  test('names a full temporary folder, without the command line', async () => {
    const { error, host } = await failedLaunch('fake-browser-on-a-full-disk');
    expect(error.exitCode).toBe(5);
    expect(told(error).replaceAll(host.tmpdir, '<tmpdir>')).toMatchInlineSnapshot(`
      "The browser cannot start: <fixtures>/fake-browser-on-a-full-disk.mjs was killed by SIGTRAP.
        The disk of <tmpdir> is full, or nearly so. Set TMPDIR to a folder that is there, that you may write, and that has 64 MB of room.
        | [1:1:WARNING:discardable_shared_memory_manager.cc:200] Less than 64MB of free space in temporary directory for shared memory files: 0
        With --debug it tells how the browser was started."
    `);
  });

  test.each(['/nonexist', '/proc'])('names TMPDIR where it cannot make a folder: %s', async (tmpdir) => {
    const error = await failureOf(launch(fake('fake-browser-new'), { host: hostWith({}, { tmpdir }), onNotice: () => undefined }));
    expect(error.exitCode).toBe(5);
    expect(describeError(error)).toMatch(new RegExp(`^The browser needs a temporary folder, but none can be made in ${tmpdir}: ENOENT.*\\n {2}Set TMPDIR to a folder that is there`));
  });

  test('gives up on a browser that never answers, and kills it and its child', async () => {
    const pids = path.join(await temporaryFolder(), 'pids');
    const { error } = await failedLaunch('fake-browser-that-never-answers', { env: { FAKE_BROWSER_PIDS: pids }, deadlineMs: 1500 });
    expect(error.exitCode).toBe(7);
    expect(told(error)).toMatchInlineSnapshot(`
      "The browser started but did not answer within 1.5 s.
        The machine may be overloaded, or /dev/shm and memory too small.
        With --debug it tells how the browser was started."
    `);
    const started = (await readFile(pids, 'utf8')).split(' ').map(Number);
    expect(started).toHaveLength(2);
    for (const pid of started) expect(await gone(pid)).toBe(true);
  });

  test('says so when the program is not there any more', async () => {
    const { error } = await failedLaunch('no-such-file');
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain('could not be started (ENOENT)');
  });
});
