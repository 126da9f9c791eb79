// The built program, as the benches of seeds and threads use it.
import { existsSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** The library and the parts below it that run many seeds, of `dist`; ends with a word when it was not built. */
export const load = async (dist = path.join(root, 'dist')) => {
  if (!existsSync(path.join(dist, 'src/index.js'))) {
    console.error(`Expected the program in ${dist}, found nothing: npm run build first.`);
    process.exit(1);
  }
  const files = ['index', 'analysis/figures', 'analysis/seeds', 'pipeline/executor', 'pipeline/simulate'];
  const modules = await Promise.all(files.map((file) => import(path.join(dist, 'src', `${file}.js`))));
  const program = Object.assign({}, ...modules);
  return { ...program, host: program.realHost() };
};
