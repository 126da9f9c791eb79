import { figure, type Figure, type Mark } from '../look/figure.js';
import { print } from '../look/palette.js';
import { textWidth, type Weight } from '../look/text-width.js';

/**
 * Running text of the report: one string in which a few control characters stand for what print needs, so that handlebars can carry it.
 * A figure travels as mark and text in one piece; what comes from a scenario is cleaned first and can never forge one.
 */
const figureStart = '\u0002';
const figureMiddle = '\u001F';
const figureEnd = '\u0003';
/** Followed by the letter of a style. */
const styleStart = '\u000E';
const styleEnd = '\u000F';

/** A link: the name of a place, then the words. */
const linkStart = '\u0011';
const linkMiddle = '\u001E';
const linkEnd = '\u0012';

/** Words that lead to a named place of the report; see `Flow.anchor`. */
export const linkTo = (place: string, markup: string): string => `${linkStart}${clean(place)}${linkMiddle}${markup}${linkEnd}`;

/** A figure inside running text. */
export const inline = ({ text, mark }: Figure): string => `${figureStart}${mark}${figureMiddle}${text}${figureEnd}`;

/** `figure` and `inline` in one, for templates. */
export const say = (text: string, mark: Mark): string => inline(figure(text, mark));

/**
 * Running text with fewer marks: a sentence whose figures are all of one basis carries it once, at its start; one with figures of several keeps a mark at each.
 */
export const markedOnce = (markup: string): string => markup.split(sentenceEnd).map(markedSentence).join(' ');

const markedSentence = (sentence: string): string => {
  const found = new Set([...sentence.matchAll(figures)].map((match) => match[1]));
  return found.size === 1 ? `${figureStart}${[...found][0]}${figureMiddle}${figureEnd}${withoutMarks(sentence)}` : sentence;
};

/** Figures as plain text, for a title: guesses keep their `≈`. */
export const withoutMarks = (markup: string): string => markup.replace(figures, (_, _mark: string, text: string) => text.replaceAll(' ', '\u00A0'));

/** Figures with a number; their spaces hold, as figures' spaces do. */
const figures = new RegExp(`${figureStart}([^${figureMiddle}]*)${figureMiddle}([^${figureEnd}]+)${figureEnd}`, 'g');
const sentenceEnd = /(?<=[.!?][\u0003\u000F\u0012]*) +/;

/** A mark without a number, before the name of an input. */
export const markOnly = (mark: Mark): string => `${figureStart}${mark}${figureMiddle}${figureEnd}`;

export const bold = (markup: string): string => `${styleStart}b${markup}${styleEnd}`;

/** A sign of a verdict and its word in its colour: told apart by sign and word, not by colour alone. */
export const judged = (kept: boolean, word: string): string => `${figureStart}${kept ? 'kept' : 'broken'}${figureMiddle}${figureEnd}${styleStart}${kept ? 'k' : 'x'}${word}${styleEnd}`;

/** Text that recedes. */
export const faint = (markup: string): string => `${styleStart}f${markup}${styleEnd}`;

/** Text from a scenario: one line, no control characters, nothing that turns the direction of writing. */
 
export const clean = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(/[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '').trim();

/** `**bold**` of a template, before anything is filled in. */
export const withBold = (template: string): string => template.replace(/\*\*(.+?)\*\*/g, (_, inner: string) => bold(inner));

/** The words alone, for bookmarks and alternative texts. */
 
export const plainText = (markup: string): string => markup.replace(/\u0002[^\u001F]*\u001F|\u0011[^\u001E]*\u001E/g, '').replace(/\u000E.|[\u0003\u000F\u0012]/g, '').replaceAll('\u00A0', ' ');

export interface TextStyle {
  readonly size: number;
  readonly weight?: Weight;
  readonly fill?: string;
  readonly lineHeight?: number;
  /** Height of a mark where it is not in proportion to the type. */
  readonly markSize?: number;
}

/** A mark of a figure, or the sign of a verdict. */
export type Sign = Mark | 'kept' | 'broken';
export type Atom = ({ readonly text: string; readonly weight: Weight; readonly fill?: string } | { readonly mark: Sign }) & {
  /** The place that it leads to. */
  readonly to?: string;
};
/** One line: atoms with where they begin, and the width of all. */
export interface Line {
  readonly atoms: readonly (Atom & { readonly x: number })[];
  readonly width: number;
}

/** Height of a mark beside type of this size; in a title it stays small. */
export const signSide = ({ size, markSize }: TextStyle): number => markSize ?? (size > 14 ? size * 0.5 : size * 0.78);
const signGap = 0.3;

/**
 * Breaks markup into lines no wider than `width`. Lines break at spaces only, so Hangul words stay whole and a figure keeps its unit and mark;
 * a single word that is too wide (a long path) is cut after a dot, slash or hyphen, else anywhere.
 */
export const breakLines = (markup: string, width: number, style: TextStyle): Line[] => {
  const { size, weight = 400 } = style;
  const lines: Line[] = [];
  let words: Atom[][] = [];
  let used = 0;
  const space = textWidth(' ', size, weight);
  const flush = (): void => {
    if (words.length > 0) lines.push(placeLine(words, style, space));
    words = [];
    used = 0;
  };
  for (const word of wordsOf(markup, weight).flatMap((atoms) => cutToFit(atoms, width, style))) {
    const wide = widthOf(word, style);
    if (words.length > 0 && used + space + wide > width + 0.01) flush();
    used += (words.length > 0 ? space : 0) + wide;
    words.push(word);
  }
  flush();
  return lines;
};

const widthOf = (word: readonly Atom[], style: TextStyle): number => word.reduce((sum, atom) => sum + atomWidth(atom, style), 0);
const atomWidth = (atom: Atom, style: TextStyle): number => ('mark' in atom ? signSide(style) + signGap * Math.min(style.size, 14) : textWidth(atom.text, style.size, atom.weight));

const placeLine = (words: readonly (readonly Atom[])[], style: TextStyle, space: number): Line => {
  const { size } = style;
  const atoms: (Atom & { x: number })[] = [];
  let x = 0;
  words.forEach((word, index) => {
    if (index > 0) x = appendSpace(atoms, x, space, size);
    for (const atom of word) {
      const last = atoms.at(-1);
      if (last && 'text' in last && 'text' in atom && last.weight === atom.weight && last.fill === atom.fill && last.to === atom.to) {
        const joined = { ...last, text: last.text + atom.text };
        atoms[atoms.length - 1] = joined;
        x = joined.x + textWidth(joined.text, size, joined.weight);
      } else {
        atoms.push({ ...atom, x });
        x += atomWidth(atom, style);
      }
    }
  });
  return { atoms, width: x };
};

/** A space belongs to the text before it, so that a reader copies words and not one long string. */
const appendSpace = (atoms: (Atom & { x: number })[], x: number, space: number, size: number): number => {
  const last = atoms.at(-1)!;
  if (!('text' in last)) return x + space;
  const joined = { ...last, text: `${last.text} ` };
  atoms[atoms.length - 1] = joined;
  return joined.x + textWidth(joined.text, size, joined.weight);
};

/** Words as atoms: text pieces and marks that no line end parts. */
const wordsOf = (markup: string, weight: Weight): Atom[][] => {
  const words: Atom[][] = [];
  let word: Atom[] = [];
  let style: WordStyle = { weight };
  let link: Pick<Atom, 'to'> = {};
  const end = (): void => {
    if (word.length > 0) words.push(word);
    word = [];
  };
  for (const token of markup.split(tokens)) {
    if (token.startsWith(styleStart)) style = wordStyles[token[1]] ?? { weight };
    else if (token === styleEnd) style = { weight };
    else if (token.startsWith(linkStart)) link = { to: token.slice(1, -1) };
    else if (token === linkEnd) link = {};
    else if (token.startsWith(figureStart)) {
      const [mark, text] = token.slice(1, -1).split(figureMiddle) as [Sign, string];
      word.push({ mark, ...link });
      if (text) word.push({ text: text.replaceAll(' ', '\u00A0'), ...style, ...link });
    } else {
      token.split(/([ \n\t]+)/).forEach((part, index) => {
        if (index % 2 === 1) end();
        else if (part) word.push({ text: part, ...style, ...link });
      });
    }
  }
  end();
  return words;
};
 
const tokens = /(\u0002[^\u0003]*\u0003|\u000E.|\u000F|\u0011[^\u001E]*\u001E|\u0012)/;

interface WordStyle {
  readonly weight: Weight;
  readonly fill?: string;
}
const wordStyles: Readonly<Record<string, WordStyle>> = {
  b: { weight: 700 },
  k: { weight: 700, fill: print.goodText },
  x: { weight: 700, fill: print.failedText },
  f: { weight: 400, fill: print.text3 },
};

const cutToFit = (word: readonly Atom[], width: number, style: TextStyle): Atom[][] => {
  if (widthOf(word, style) <= width) return [[...word]];
  const parts: Atom[][] = [];
  let part: Atom[] = [];
  for (const atom of word) {
    for (const piece of 'text' in atom ? cutAtom(atom, width, style.size) : [atom]) {
      if (part.length > 0 && widthOf([...part, piece], style) > width) {
        parts.push(part);
        part = [];
      }
      part.push(piece);
    }
  }
  return [...parts, part];
};

const cutAtom = (atom: Extract<Atom, { readonly text: string }>, width: number, size: number): Atom[] => {
  const fits = (text: string): boolean => textWidth(text, size, atom.weight) <= width;
  const pieces = atom.text.match(/[^./_\-:,@=]*[./_\-:,@=]|[^./_\-:,@=]+/g) ?? [atom.text];
  return pieces.flatMap((piece) => (fits(piece) ? [piece] : [...piece])).map((text) => ({ ...atom, text }));
};
