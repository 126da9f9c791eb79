import { textWidth, type Weight } from './text-width.js';

/** Text cut with an ellipsis so that it fits one line. */
export const shorten = (text: string, width: number, size: number, weight: Weight = 400): string => {
  if (textWidth(text, size, weight) <= width) return text;
  const chars = [...text];
  while (chars.length > 0 && textWidth(`${chars.join('').trimEnd()}…`, size, weight) > width) chars.pop();
  return `${chars.join('').trimEnd()}…`;
};
