import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { missingGlyphs } from '../../renderers/look/text-width.js';

/** What is wrong with the texts of a drawing: overlaps within a layer, outside the frame, wider than their place, cut by the edge of a box, under 16 px, characters without a glyph. */
export const lintDrawing = (drawing: Drawing, leastSize = 16): readonly string[] => {
  const texts = textsOf(drawing.shapes);
  return [...texts.flatMap((text) => flaws(text, drawing, leastSize)), ...overlaps(texts), ...cuts(drawing.shapes)];
};

/** Corners from which a rectangle with an edge is a box that holds words. */
const boxRadius = 8;

/** Texts that stand partly in a box and partly outside, unless something that was drawn over the edge carries them. */
const cuts = (shapes: readonly Shape[]): readonly string[] =>
  shapes.flatMap((shape, index) => {
    if (shape.kind !== 'text' || shape.rotate || shape.layer > 0) return [];
    const [text] = textsOf([shape]);
    const before = shapes.slice(0, index).map((other, i) => ({ other, i }));
    const edge = before.find(({ other, i }) => other.kind === 'rect' && (other.radius ?? 0) >= boxRadius && other.stroke !== undefined && crosses(text, other) && !before.some((cover) => cover.i > i && cover.other.kind === 'rect' && cover.other.fill !== undefined && holds(cover.other, text)));
    return edge ? [`cut by an edge: "${text.text}"`] : [];
  });

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
const crosses = (text: Area, box: Area): boolean => {
  const x = Math.min(text.x + text.width, box.x + box.width) - Math.max(text.x, box.x);
  const y = Math.min(text.y + text.height, box.y + box.height) - Math.max(text.y, box.y);
  return x > 1 && y > 1 && !holds(box, text);
};
const holds = (box: Area, { x, y, width, height }: Area): boolean => x >= box.x - 0.5 && y >= box.y - 0.5 && x + width <= box.x + box.width + 0.5 && y + height <= box.y + box.height + 0.5;

interface TextBox {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly room: number | undefined;
  readonly layer: number;
}

const textsOf = (shapes: readonly Shape[]): readonly TextBox[] =>
  shapes.flatMap((shape): readonly TextBox[] => {
    if (shape.kind === 'group') return textsOf(shape.shapes);
    if (shape.kind !== 'text' || shape.rotate) return [];
    const size = Math.max(...shape.runs.map((run) => run.size));
    const x = shape.anchor === 'end' ? shape.x - shape.width : shape.anchor === 'middle' ? shape.x - shape.width / 2 : shape.x;
    const smallest = Math.min(...shape.runs.map((run) => run.size));
    // Cap height above the base line, a descender below it.
    return [{ text: shape.runs.map((run) => run.text).join(''), x, y: shape.y - size * 0.73, width: shape.width, height: size * 0.95, size: smallest, room: shape.room, layer: shape.layer }];
  });

const flaws = ({ text, x, y, width, height, size, room }: TextBox, drawing: Drawing, leastSize: number): readonly string[] => [
  ...(size < leastSize ? [`small, ${size} px: "${text}"`] : []),
  ...(x < 0 || y < 0 || x + width > drawing.width || y + height > drawing.height ? [`outside the frame: "${text}"`] : []),
  ...(room !== undefined && width > room + 0.5 ? [`too wide by ${(width - room).toFixed(0)} px: "${text}"`] : []),
  ...(missingGlyphs(text).length > 0 ? [`no glyph for ${missingGlyphs(text).join(' ')} in "${text}"`] : []),
  ...(/undefined|NaN|Infinity|\[object/.test(text) ? [`not a value: "${text}"`] : []),
];

const overlaps = (texts: readonly TextBox[]): readonly string[] =>
  texts.flatMap((a, i) =>
    texts.slice(i + 1).flatMap((b) => {
      if (a.layer !== b.layer) return [];
      const x = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const y = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      return x > 0.5 && y > 0.5 ? [`overlap: "${a.text}" and "${b.text}"`] : [];
    }),
  );
