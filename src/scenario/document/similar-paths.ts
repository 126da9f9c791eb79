import { basisKeys } from '../grammar/statement.js';
import { type Node, type Path, dotted } from './tree.js';

/** A larger file has more than anybody reads. */
const mostPaths = 20_000;
const mostShown = 3;

/**
 * Paths of values in the file in which the written names occur in this order, those with the fewest other names first: `app.pool` → `services.app.to.db.pool.max`.
 * For somebody who knows what it is called and not where it stands.
 */
export const similarPaths = (root: Node, written: Path): readonly string[] =>
  [...valuePaths(root)]
    .filter((path) => occursIn(written, path))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, mostShown)
    .map(dotted);

const occursIn = (written: Path, path: Path): boolean => {
  let next = 0;
  for (const name of path) if (name === written[next]) next++;
  return next === written.length;
};

/** Single values, and maps that say how one is known. Variants are not what is replaced. */
function* valuePaths(root: Node): Generator<Path> {
  let found = 0;
  const open: { readonly node: Node; readonly path: Path }[] = [{ node: root, path: [] }];
  for (let next = 0; next < open.length && found < mostPaths; next++) {
    const { node, path } = open[next];
    if (node.kind === 'scalar' || (node.kind === 'map' && basisKeys.some((key) => node.entries.has(key)))) {
      found++;
      yield path;
    } else if (node.kind === 'map') {
      for (const [name, child] of node.entries) if (path.length > 0 || (name !== 'variants' && name !== 'faultreel')) open.push({ node: child, path: [...path, name] });
    } else node.items.forEach((child, i) => open.push({ node: child, path: [...path, String(i)] }));
  }
}

/** `did you mean a, b or c?`; undefined when there is none. */
export const suggestSimilar = (root: Node, written: Path): string | undefined => {
  const paths = similarPaths(root, written).map((path) => `\`${path}\``);
  if (paths.length === 0) return undefined;
  return `did you mean ${paths.length === 1 ? paths[0] : `${paths.slice(0, -1).join(', ')} or ${paths.at(-1)!}`}?`;
};
