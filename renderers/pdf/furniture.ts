import { drawBasis } from '../look/basis-marks.js';
import { inputMarks, isGuess, markName, outputMarks } from '../look/figure.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import type { Lang } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import type { Ink } from './book.js';
import { column, drawn } from './flow.js';

/** Header and footer of every page: what this is about, the marks and their words (inputs above, outputs below), page x of y. Outside of the text column, so that it never turns a page. */
export const furniture = (pages: number, title: string, seed: number, lang: Lang): Ink[] =>
  Array.from({ length: pages }, (_, page) => ({ page, shapes: drawn((canvas) => {
    header(canvas, title, seed, lang);
    footer(canvas, page, pages, lang);
  }) }));

type Pen = Parameters<Parameters<typeof drawn>[0]>[0];

const header = (canvas: Pen, title: string, seed: number, lang: Lang): void => {
  const words = reportWords[lang];
  const left = canvas.runs(column.left, 36, [{ text: 'faultreel', weight: 700 }, { text: `  ${words.report}`, fill: print.text3 }], { size: 8 });
  const tail = `  ·  ${words.seed(seed)}`;
  const room = column.right - left - 20 - textWidth(tail, 8);
  canvas.text(column.right, 36, `${shorten(title, room, 8)}${tail}`, { size: 8, fill: print.text3, anchor: 'end' });
  canvas.line(column.left, 43, column.right, 43, { stroke: print.text, strokeWidth: 0.8 });
};

const footer = (canvas: Pen, page: number, pages: number, lang: Lang): void => {
  canvas.line(column.left, 806, column.right, 806, { stroke: print.line, strokeWidth: 0.6 });
  [inputMarks, outputMarks].forEach((line, index) => {
    let x: number = column.left;
    for (const mark of line) {
      drawBasis(canvas, mark, x + 3.5, 814.6 + index * 10, 6.6, print.text, 0.75);
      x = canvas.text(x + 9.5, 817 + index * 10, `${isGuess(mark) ? '≈ ' : ''}${markName(mark, lang)}`, { size: 6.8, fill: print.text2 }) + 12;
    }
  });
  canvas.text(column.right, 817, reportWords[lang].page(page + 1, pages), { size: 7.5, fill: print.text2, anchor: 'end' });
};
