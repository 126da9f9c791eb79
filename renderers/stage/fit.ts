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

/** Lines of a text that are at most `room` wide; breaks between words. */
export const wrapped = (text: string, size: number, weight: Weight, room: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && textWidth(longer, size, weight) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line) lines.push(line);
  return lines.map((part) => fitted(part, size, weight, room));
};
