import { textWidth, type Weight } from '../look/text-width.js';

/**
 * A text that came from a scenario (a name, a title), cut with `…` where it is wider than its place.
 * Only names are cut; words and numbers have places for their widest form.
 */
export const fitted = (text: string, size: number, weight: Weight, room: number): string => {
  if (textWidth(text, size, weight) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, size, weight) > room) letters.pop();
  return `${letters.join('').trimEnd()}…`;
};

/** The same number of lines, as even as words allow: none is left with a single word while the others are full. */
export const balanced = (text: string, size: number, weight: Weight, room: number): readonly string[] => {
  const lines = wrapped(text, size, weight, room);
  let best = lines;
  for (let share = 0.97; share > 0.4; share -= 0.03) {
    const narrower = wrapped(text, size, weight, room * share);
    if (narrower.length > lines.length || narrower.some((line) => line.endsWith('…'))) break;
    best = narrower;
  }
  return best;
};

/** Lines of a text that are at most `room` wide; breaks between words, and not before a percent sign. */
export const wrapped = (text: string, size: number, weight: Weight, room: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ (?!%)/)) {
    const longer = line ? `${line} ${word}` : word;
    if (line && textWidth(longer, size, weight) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line) lines.push(line);
  return lines.map((part) => fitted(part, size, weight, room));
};
