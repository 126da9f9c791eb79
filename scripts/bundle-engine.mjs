// Makes one file of the compiled engine, with its constants written out: one of another module is loaded and looked at each time it is used, which is a tenth
// of all instructions (decision 018).
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'dist/src/engine');
const entry = path.join(folder, 'index.js');

/** The engine as one module; what it imports from outside of its folder it goes on importing. */
const bundled = async () => {
  const external = (id) => path.isAbsolute(id) && !id.startsWith(folder + path.sep);
  const optimization = { inlineConst: { mode: 'all', pass: 3 } };
  const { output: [{ code }] } = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { write: false, minify: false, target: 'node20', ssr: entry, rolldownOptions: { external, optimization } },
  });
  return code;
};

/** Replaces the modules of dist/src/engine by one. */
export const bundleEngine = async () => {
  const code = await bundled();
  for (const file of readdirSync(folder, { recursive: true })) if (file.endsWith('.js')) rmSync(path.join(folder, file));
  writeFileSync(entry, code);
};
