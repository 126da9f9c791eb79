/**
 * How a text of many lines becomes another one, read from the front: a positive number keeps so many lines, a negative one drops so many,
 * a string is a new line, and a triple changes the next line: characters kept at its start, what stands between, characters kept at its end.
 */
export type LinePatch = readonly LineStep[];
export type LineStep = number | string | readonly [head: number, middle: string, tail: number];

/** Patch from one list of lines to another. Lines keep their order, as shapes of a drawing do; a line that stands between two kept ones is taken for the changed form of the one that stood there. */
export const patchOf = (before: readonly string[], after: readonly string[]): LinePatch => {
  const partner = partners(before, after);
  const steps: LineStep[] = [];
  let at = 0;
  let index = 0;
  while (index < after.length || at < before.length) {
    if (index < after.length && partner[index] === at) {
      let count = 1;
      while (index + count < after.length && partner[index + count] === at + count) count++;
      steps.push(count);
      index += count;
      at += count;
      continue;
    }
    let end = index;
    while (end < after.length && partner[end] === -1) end++;
    const gap = (end < after.length ? partner[end] : before.length) - at;
    const changed = Math.min(gap, end - index);
    for (let step = 0; step < changed; step++) steps.push(changeOf(before[at + step], after[index + step]));
    for (let step = changed; step < end - index; step++) steps.push(after[index + step]);
    if (gap > changed) steps.push(changed - gap);
    at += gap;
    index = end;
  }
  return steps;
};

/** For each line after, which line before is the same; rising, -1 for none. */
const partners = (before: readonly string[], after: readonly string[]): readonly number[] => {
  const places = new Map<string, number[]>();
  before.forEach((line, place) => {
    const known = places.get(line);
    if (known) known.push(place);
    else places.set(line, [place]);
  });
  let last = -1;
  return after.map((line) => {
    // The next place of this line, if it is not far: one line that went to the end must not cost all between.
    const place = places.get(line)?.find((candidate) => candidate > last);
    if (place === undefined || place - last > farthest) return -1;
    return (last = place);
  });
};
const farthest = 64;

const changeOf = (before: string, after: string): LineStep => {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < most - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return [head, after.slice(head, after.length - tail), tail];
};
