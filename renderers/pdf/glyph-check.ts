import { missingGlyphs } from '../look/text-width.js';
import { exitCodes, FaultreelError, type Problem } from '../../src/errors.js';
import { isElement, type Book, type Element, type InkShape } from './book.js';

/** @throws FaultreelError (environment) when the bundled font cannot draw a character, naming it, its text and its page. */
export const requireGlyphs = (book: Book): void => {
  const problems = new Map<string, Problem>();
  const check = (shapes: readonly InkShape[], page: number): void => {
    for (const text of textsOf(shapes)) {
      for (const char of missingGlyphs(text)) {
        if (!problems.has(char)) problems.set(char, problemOf(char, text, page));
      }
    }
  };
  const walk = (element: Element): void => {
    for (const child of element.children) {
      if (isElement(child)) walk(child);
      else check(child.shapes, child.page);
    }
  };
  walk(book.root);
  for (const ink of book.artifacts) check(ink.shapes, ink.page);
  if (problems.size > 0) throw new FaultreelError(exitCodes.environment, [...problems.values()]);
};

const problemOf = (char: string, text: string, page: number): Problem => ({
  message: `expected characters that the bundled font Pretendard can draw, found "${char}" (U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}) in "${text.trim()}" on page ${page + 1} of the report`,
  hint: 'Use another character in the scenario’s text: the report never prints an empty box.',
});

/** Every text of a drawing, clipped groups included. */
export const textsOf = (shapes: readonly InkShape[]): string[] =>
  shapes.flatMap((shape: InkShape): string[] => {
    if (shape.kind === 'mark' || shape.kind === 'group') return textsOf(shape.shapes);
    return shape.kind === 'text' ? shape.runs.map((run) => run.text) : [];
  });
