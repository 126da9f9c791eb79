// The built program, as the bench uses it.
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** All that the bench needs (`film` of a reel, not the library's) of `dist`; ends with a word when it was not built. */
export const load = async (dist = path.join(root, 'dist')) => {
  if (!existsSync(path.join(dist, 'src/index.js'))) {
    console.error(`Expected the program in ${dist}, found nothing: npm run build first.`);
    process.exit(1);
  }
  const files = ['src/index', 'renderers/stage/stage', 'renderers/browser/camera', 'renderers/browser/find', 'renderers/browser/fonts', 'renderers/video/encoder', 'renderers/video/encoder-options', 'renderers/video/film', 'renderers/video/film-machine', 'renderers/video/find-encoder', 'renderers/video/metadata', 'renderers/video/scenes'];
  const modules = await Promise.all(files.map((file) => import(path.join(dist, `${file}.js`))));
  const program = Object.assign({}, ...modules);
  return { root, ...program, host: program.realHost() };
};
