import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { folder } from './found.js';

/** Before the long cases: makes one file of the engine's sources, and forgets what an earlier run found. */
export default async (project: TestProject): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const outDir = path.join(folder, 'engine');
  const entry = path.join(import.meta.dirname, 'engine.ts');
  await build({ configFile: false, logLevel: 'error', build: { ssr: entry, outDir, emptyOutDir: true, minify: false, target: 'node20', rolldownOptions: { output: { entryFileNames: 'engine.mjs' } } } });
  project.provide('engineFile', path.join(outDir, 'engine.mjs'));
};
