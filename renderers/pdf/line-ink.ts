import { Canvas, type Shape } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { print } from '../look/palette.js';
import { fontHeights, textWidth } from '../look/text-width.js';
import type { InkShape, MarkedShape } from './book.js';
import { markShapes } from './marks.js';
import { papers } from './paper.js';
import { signSide, type Atom, type Line, type Sign, type TextStyle } from './rich.js';

/** Shapes of one line that begins at x, with its marks before their numbers and its links underlined. */
export const lineShapes = (line: Line, x: number, baseline: number, style: TextStyle): InkShape[] => {
  const shapes: InkShape[] = [];
  for (let from = 0, end = 0; from < line.atoms.length; from = end) {
    const { to } = line.atoms[from];
    for (end = from + 1; end < line.atoms.length && line.atoms[end].to === to; ) end++;
    const atoms = line.atoms.slice(from, end);
    const inked = atoms.flatMap((atom) => atomShapes(atom, x, baseline, style));
    if (to === undefined) shapes.push(...inked);
    else shapes.push(linkInk(to, atoms, inked, x, baseline, style));
  }
  return shapes;
};

type PlacedAtom = Line['atoms'][number];

const atomShapes = (atom: PlacedAtom, x: number, baseline: number, style: TextStyle): readonly MarkedShape[] =>
  'mark' in atom ? signInk(atom.mark, x + atom.x, baseline, style) : drawn((canvas) => canvas.text(x + atom.x, baseline, atom.text, { size: style.size, weight: atom.weight, fill: atom.fill ?? style.fill ?? print.text }));

const linkInk = (to: string, atoms: readonly PlacedAtom[], shapes: readonly MarkedShape[], x: number, baseline: number, style: TextStyle): InkShape => {
  const from = x + atoms[0].x;
  const end = x + Math.max(...atoms.map((atom) => atom.x + inkWidth(atom, style)));
  const { size } = style;
  const rule = drawn((canvas) => canvas.line(from, baseline + 1.8, end, baseline + 1.8, { stroke: print.text3, strokeWidth: 0.4 }));
  return { kind: 'link', to, box: { x: from, y: baseline - size, width: end - from, height: size * 1.3 }, shapes: [...shapes, ...rule] };
};

const inkWidth = (atom: Atom, style: TextStyle): number => ('mark' in atom ? signSide(style) : textWidth(atom.text.trimEnd(), style.size, atom.weight));

const signInk = (sign: Sign, x: number, baseline: number, style: TextStyle): MarkedShape[] => {
  const side = signSide(style);
  const [cx, cy] = [x + side / 2, baseline - fontHeights.cap * style.size * 0.5];
  if (sign === 'kept' || sign === 'broken') return [...drawn((canvas) => drawGlyph(canvas, sign, cx, cy, side * 1.15, { color: sign === 'kept' ? print.goodText : print.failedText, cut: print.bg }))];
  return [{ kind: 'mark', mark: sign, shapes: markShapes(sign, cx, cy, side) }];
};

/** Baseline of a line whose box begins at 0. */
export const baselineOf = (size: number, lineHeight: number): number => (lineHeight + fontHeights.cap * size) / 2;

export const drawn = (draw: (canvas: Canvas) => void): readonly Shape[] => {
  const canvas = new Canvas(papers.a4.width, papers.a4.height, { fill: print.text, size: 8.5 });
  draw(canvas);
  return canvas.drawing().shapes;
};
