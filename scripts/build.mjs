// Compiles into dist/ and makes `npx faultreel` work in a clone of this very project, where npm links no bin of its own.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

for (const [name, file] of Object.entries(bin)) {
  const target = path.join(root, file);
  chmodSync(target, 0o755);
  const folder = path.join(root, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const link = path.join(folder, name);
  // On Windows npm's own lookup has to do; symbolic links need a privilege there.
  if (process.platform === 'win32' || !existsSync(target)) continue;
  rmSync(link, { force: true });
  symlinkSync(path.relative(folder, target), link);
}
