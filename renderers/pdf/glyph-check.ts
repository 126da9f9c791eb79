import { missingGlyphs } from '../look/text-width.js';
import { exitCodes, FaultreelError, type Problem } from '../../src/errors.js';
import { isElement, type Book, type Element, type InkShape } from './book.js';

/** @throws FaultreelError (environment) when the bundled font cannot draw a character, naming it, its text, its page and its place there. */
export const requireGlyphs = (book: Book): void => {
  const problems = new Map<string, Problem>();
  const check = (shapes: readonly InkShape[], page: number, where: string): void => {
    for (const text of textsOf(shapes)) {
      for (const char of missingGlyphs(text)) {
        if (!problems.has(char)) problems.set(char, problemOf(char, text, page, where));
      }
    }
  };
  walk(book.root, check, { section: '', heading: '', cell: '' });
  for (const { shapes, page } of book.artifacts) check(shapes, page, '');
  if (problems.size > 0) throw new FaultreelError(exitCodes.environment, [...problems.values()]);
};

/** Where an element stands, as a reader finds it: the part, the heading, the cell of a table. */
interface Where {
  section: string;
  heading: string;
  cell: string;
}
type Check = (shapes: readonly InkShape[], page: number, where: string) => void;

const walk = (element: Element, check: Check, where: Where): void => {
  if (element.tag === 'Sect') Object.assign(where, { section: element.title ?? '', heading: '', cell: '' });
  if (element.tag === 'Table') return walkTable(element, check, where);
  if (/^H[1-3]$/.test(element.tag)) where.heading = wordsOf(element);
  for (const child of element.children) {
    if (isElement(child)) walk(child, check, where);
    else check(child.shapes, child.page, sayWhere(where));
  }
};

const walkTable = (table: Element, check: Check, where: Where): void => {
  const [head, body] = table.children.filter(isElement).map(({ children }) => children.filter(isElement));
  const titles = head[0].children.filter(isElement).map(wordsOf);
  [head, body].forEach((rows, part) => rows.forEach((row, index) => row.children.filter(isElement).forEach((cell, nth) => {
    where.cell = part === 0 ? `the head of table "${table.title}"` : `table "${table.title}", row ${index + 1}, column "${titles[nth] ?? ''}"`;
    walk(cell, check, where);
  })));
  where.cell = '';
};

const sayWhere = ({ section, heading, cell }: Where): string => [section && `part "${section}"`, heading && heading !== section && `under "${heading}"`, cell].filter(Boolean).join(', ');

const problemOf = (char: string, text: string, page: number, where: string): Problem => ({
  message: `expected characters that the bundled font Pretendard can draw, found "${char}" (U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}) in "${text.trim()}" on page ${page + 1} of the report${where && ` (${where})`}`,
  hint: 'Use another character in the scenario’s text: the report never prints an empty box.',
});

/** The words of an element, marks and rules apart. */
export const wordsOf = (element: Element): string =>
  element.children.flatMap((child) => (isElement(child) ? [wordsOf(child)] : textsOf(child.shapes))).join(' ').replace(/\s+/g, ' ').trim();

/** Every text of a drawing, clipped groups included. */
export const textsOf = (shapes: readonly InkShape[]): string[] =>
  shapes.flatMap((shape: InkShape): string[] => {
    if (shape.kind === 'mark' || shape.kind === 'link' || shape.kind === 'group') return textsOf(shape.shapes);
    return shape.kind === 'text' ? shape.runs.map((run) => run.text) : [];
  });
