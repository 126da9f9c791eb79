import { spawnSync } from 'node:child_process';

/** Spawned runs start the compiled program: it must be of these sources. */
export const setup = (): void => {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`scripts/build.mjs ended with ${String(status)}`);
};
