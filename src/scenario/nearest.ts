/** The known name closest to a mistyped one; undefined when none is close enough to be meant. */
export const nearest = (written: string, known: Iterable<string>): string | undefined => {
  if (written.length > longest) return undefined;
  const lowered = written.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(written.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(lowered, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best ?? extended(lowered, known);
};

/** No name is longer, and the distance of two texts costs the product of their lengths. */
const longest = 200;

/** `oomed` for `oom`, `memory-limit` for `memory`: the longest known name that the written one goes on from, or the other way round. */
const extended = (written: string, known: Iterable<string>): string | undefined =>
  [...known].filter((name) => Math.min(name.length, written.length) >= 3 && (written.startsWith(name) || name.startsWith(written))).sort((a, b) => b.length - a.length)[0];

/** `did you mean x?`, or the whole choice when nothing is near and the choice is short enough to read. */
export const suggest = (written: string, known: Iterable<string>, choice = 'known here'): string | undefined => {
  const names = [...known];
  const near = nearest(written, names);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 24).join(', ');
  return `${choice}: ${shown}${names.length > 24 ? ', …' : ''}`;
};

/** Optimal string alignment: insertions, deletions, substitutions and swapped neighbours cost 1 each. Stops counting at `enough`. */
const editDistance = (a: string, b: string, enough: number): number => {
  if (Math.abs(a.length - b.length) >= enough) return enough;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) cost = Math.min(cost, beforeLast[column - 2] + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length];
};
