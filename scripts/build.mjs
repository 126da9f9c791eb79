// Compiles into dist/ from nothing, so that no file of an earlier source is left, makes one file of the engine and one of the replay's script, and makes the command executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleEngine } from './bundle-engine.mjs';
import { writeReplayScript } from './bundle-replay.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await bundleEngine();
await writeReplayScript();
for (const file of Object.values(bin)) chmodSync(path.join(root, file), 0o755);
