import { drawBasis } from '../look/basis-marks.js';
import { inputMarks, isGuess, markName, outputMarks } from '../look/figure.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import type { Lang } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import type { Ink } from './book.js';
import { column } from './flow.js';
import { drawn } from './line-ink.js';
import type { Sheet } from './paper.js';

/** What the furniture of a report says. */
export interface Furniture {
  readonly pages: number;
  readonly title: string;
  /** The variant that the pages are about, where there are several. */
  readonly variant: string | null;
  readonly seed: number;
  readonly lang: Lang;
  readonly sheet: Sheet;
}

/** Header and footer of every page: what this is about, the marks and their words (inputs above, outputs below), page x of y. Outside of the text column, so that it never turns a page. */
export const furniture = (about: Furniture): Ink[] =>
  Array.from({ length: about.pages }, (_, page) => ({ page, furniture: true, shapes: drawn((canvas) => {
    header(canvas, about);
    footer(canvas, page, about);
  }) }));

type Pen = Parameters<Parameters<typeof drawn>[0]>[0];

const header = (canvas: Pen, { title, variant, seed, lang }: Furniture): void => {
  const words = reportWords[lang];
  const left = canvas.runs(column.left, 36, [{ text: 'faultreel', weight: 700 }, { text: `  ${words.report}`, fill: print.text3 }], { size: 8 });
  const room = column.right - left - 20;
  const about = variant === null ? '' : `  ·  ${shorten(variant, room / 2, 8)}`;
  const tail = `  ·  ${words.seed(seed)}`;
  const fitting = shorten(title, room - textWidth(about, 8, 600) - textWidth(tail, 8), 8);
  canvas.runs(column.right, 36, [{ text: fitting }, { text: about, weight: 600, fill: print.text2 }, { text: tail }], { size: 8, fill: print.text3, anchor: 'end' });
  canvas.line(column.left, 43, column.right, 43, { stroke: print.text, strokeWidth: 0.8 });
};

const footer = (canvas: Pen, page: number, { pages, lang, sheet: { height } }: Furniture): void => {
  const top = height - 35.89;
  canvas.line(column.left, top, column.right, top, { stroke: print.line, strokeWidth: 0.6 });
  [inputMarks, outputMarks].forEach((line, index) => {
    let x: number = column.left;
    for (const mark of line) {
      drawBasis(canvas, mark, x + 3.5, top + 8.6 + index * 10, 6.6, print.text, 0.75);
      x = canvas.text(x + 9.5, top + 11 + index * 10, `${isGuess(mark) ? '≈ ' : ''}${markName(mark, lang)}`, { size: 6.8, fill: print.text2 }) + 12;
    }
  });
  canvas.text(column.right, top + 11, reportWords[lang].page(page + 1, pages), { size: 7.5, fill: print.text2, anchor: 'end' });
};
