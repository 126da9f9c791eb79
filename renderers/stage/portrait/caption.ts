import type { Canvas, TextRun } from '../../look/drawing.js';
import { textWidth } from '../../look/text-width.js';
import type { Caption } from '../caption.js';

/** A caption in lines that are at most `room` wide: its bold lead goes on into its rest. */
export const captionLines = ({ lead, rest }: Pick<Caption, 'lead' | 'rest'>, size: number, room: number): readonly (readonly TextRun[])[] => {
  const words = [...lead.split(' ').map((text) => ({ text, weight: 700 as const })), ...rest.split(' ').map((text) => ({ text, weight: 400 as const }))].filter(({ text }) => text !== '');
  const lines: TextRun[][] = [];
  let width = Infinity;
  for (const { text, weight } of words) {
    const last = lines.at(-1);
    const spaced = ` ${text}`;
    const wide = textWidth(spaced, size, weight);
    if (last && width + wide <= room) {
      width += wide;
      const run = last.at(-1)!;
      if (run.weight === weight) last[last.length - 1] = { ...run, text: run.text + spaced };
      else last.push({ text: spaced, weight });
    } else {
      lines.push([{ text, weight }]);
      width = textWidth(text, size, weight);
    }
  }
  return lines;
};

/** Around the middle of its band. */
export const drawCaptionLines = (canvas: Canvas, lines: readonly (readonly TextRun[])[], { x, middle, size, room }: { readonly x: number; readonly middle: number; readonly size: number; readonly room: number }): void => {
  const leading = size * 1.34;
  const first = middle - ((lines.length - 1) * leading) / 2 + size * 0.35;
  lines.forEach((runs, i) => canvas.runs(x, first + i * leading, runs, { size, room }));
};
