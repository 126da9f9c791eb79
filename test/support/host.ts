import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realHost, type Host } from '../../src/host.js';

export interface TestHost extends Host {
  /** What was written so far. */
  readonly written: { readonly stdout: () => string; readonly stderr: () => string };
  /** Sends what a terminal sends on Ctrl-C. */
  readonly interrupt: () => void;
}

const real = realHost();

/** A host on a real temporary folder, with stdout and stderr in memory and a clock that steps by 10 ms each time it is asked. */
export const testHost = (argv: readonly string[], changes: Partial<Host> & { readonly terminal?: boolean } = {}): TestHost => {
  const cwd = changes.cwd ?? mkdtempSync(path.join(os.tmpdir(), 'faultreel-test-'));
  const at = (file: string): string => path.resolve(cwd, file);
  const texts = { stdout: '', stderr: '' };
  const output = (name: keyof typeof texts) => ({ write: (text: string) => void (texts[name] += text), isTerminal: changes.terminal ?? false, columns: 100 });
  let listener: ((signal: string) => void) | null = null;
  let nowMs = 0;
  return {
    ...real,
    argv,
    cwd,
    cores: 1,
    stdout: output('stdout'),
    stderr: output('stderr'),
    now: () => (nowMs += 10),
    readText: (file) => real.readText(at(file)),
    readBytes: (file) => real.readBytes(at(file)),
    write: (file, content) => real.write(at(file), content),
    list: (folder) => real.list(at(folder)),
    sizeOf: (file) => real.sizeOf(at(file)),
    isExecutable: (file) => real.isExecutable(at(file)),
    isFolder: (folder) => real.isFolder(at(folder)),
    isLink: (file) => real.isLink(at(file)),
    realPath: (file) => real.realPath(at(file)),
    fileSystemOf: (file) => real.fileSystemOf(at(file)),
    identityOf: (file) => real.identityOf(at(file)),
    roomIn: (folder) => real.roomIn(at(folder)),
    makeFolder: (folder) => real.makeFolder(at(folder)),
    makeTemporaryFolder: (near) => real.makeTemporaryFolder(at(near)),
    abandoned: async (near) => (await real.abandoned(at(near))).map((left) => path.join(path.dirname(near), path.basename(left))),
    rename: (from, to) => real.rename(at(from), at(to)),
    copy: (from, to) => real.copy(at(from), at(to)),
    remove: (target) => real.remove(at(target)),
    onInterrupt: (added) => {
      listener = added;
      return () => (listener = null);
    },
    ...changes,
    written: { stdout: () => texts.stdout, stderr: () => texts.stderr },
    interrupt: () => listener?.('SIGINT'),
  };
};
