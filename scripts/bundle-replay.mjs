// Bundles the player of replay.html with the stage into one script for the browser.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** The script's text: an IIFE that can stand inside of an HTML page. The same sources give the same text. */
export const bundleReplay = async () => {
  const [{ output }] = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { write: false, target: 'es2022', minify: true, lib: { entry: path.join(root, 'renderers/replay/player/main.ts'), formats: ['iife'], name: 'replay' } },
  });
  const [{ code }] = output;
  // A script ends at the first `</script`, even in a string.
  return code.trim().replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
};

/** Writes it to where `loadTemplates` looks for it. */
export const writeReplayScript = async () => {
  const folder = path.join(root, 'dist/renderers/replay');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'player.js'), await bundleReplay());
};
