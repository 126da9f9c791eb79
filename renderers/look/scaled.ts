import { coordinate, type Paint, type Shape } from './drawing.js';

export interface Extent {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Thinnest line of a drawing that was made smaller, in units of the page: thinner ones print as dust. */
const hairline = 0.35;

/** Shapes made smaller or larger by a factor, then moved. Hatches and lines keep their look: their stripes and dashes scale with them. */
export const scaled = (shapes: readonly Shape[], factor: number, dx: number, dy: number): Shape[] => shapes.map((shape) => scaledShape(shape, factor, dx, dy));

const scaledShape = (shape: Shape, k: number, dx: number, dy: number): Shape => {
  switch (shape.kind) {
    case 'rect':
      return { ...shape, ...scaledPaint(shape, k), ...scaledBox(shape, k, dx, dy) };
    case 'circle':
      return { ...shape, ...scaledPaint(shape, k), x: shape.x * k + dx, y: shape.y * k + dy, r: shape.r * k };
    case 'path':
      return { ...shape, ...scaledPaint(shape, k), d: scaledPath(shape.d, k, dx, dy) };
    case 'text':
      return { ...shape, x: shape.x * k + dx, y: shape.y * k + dy, width: shape.width * k, runs: shape.runs.map((run) => ({ ...run, size: run.size * k })), ...(shape.room === undefined ? {} : { room: shape.room * k }) };
    case 'group':
      return { ...shape, clip: scaledBox(shape.clip, k, dx, dy), shapes: scaled(shape.shapes, k, dx, dy) };
  }
};

const scaledBox = <B extends Extent & { readonly radius?: number }>({ x, y, width, height, radius }: B, k: number, dx: number, dy: number): Extent & { readonly radius?: number } => ({
  x: x * k + dx,
  y: y * k + dy,
  width: width * k,
  height: height * k,
  ...(radius === undefined ? {} : { radius: radius * k }),
});

const scaledPaint = ({ fill, stroke, strokeWidth = 1.5, dash }: Paint, k: number): Paint => ({
  ...(fill !== undefined && typeof fill !== 'string' ? { fill: { ...fill, period: fill.period * k, stripe: fill.stripe * k } } : {}),
  ...(stroke === undefined ? {} : { strokeWidth: Math.max(hairline, strokeWidth * k) }),
  ...(dash === undefined ? {} : { dash: dash.map((length) => length * k) }),
});

/** How the numbers after a command are meant: `x`, `y`, a length, or as they are. */
const meanings: Readonly<Record<string, string>> = { M: 'xy', L: 'xy', H: 'x', V: 'y', C: 'xyxyxy', S: 'xyxy', Q: 'xyxy', T: 'xy', A: 'll...xy', Z: '' };

const scaledPath = (d: string, k: number, dx: number, dy: number): string => {
  let out = '';
  for (const [, command, rest] of d.matchAll(commands)) {
    const meaning = meanings[command];
    if (meaning === undefined) throw new Error(`a drawing has absolute path commands only, found ${command}`);
    const numbers = (rest.match(numeral) ?? []).map((text, i) => {
      const [value, what] = [Number(text), meaning[i % meaning.length]];
      return coordinate(what === 'x' ? value * k + dx : what === 'y' ? value * k + dy : what === 'l' ? value * k : value);
    });
    out += command + numbers.join(' ');
  }
  return out;
};
const commands = /([A-Za-z])([^A-Za-z]*)/g;
const numeral = /-?\d*\.?\d+(?:e-?\d+)?/g;

/** From the top of the highest shape to the foot of the lowest. Curves count with their handles, texts with their line. */
export const heightOf = (shapes: readonly Shape[]): { readonly top: number; readonly bottom: number } => {
  let [top, bottom] = [Infinity, -Infinity];
  const take = (from: number, to: number): void => {
    top = Math.min(top, from);
    bottom = Math.max(bottom, to);
  };
  for (const shape of shapes) {
    if (shape.kind === 'rect') take(shape.y, shape.y + shape.height);
    else if (shape.kind === 'circle') take(shape.y - shape.r, shape.y + shape.r);
    else if (shape.kind === 'group') take(shape.clip.y, shape.clip.y + shape.clip.height);
    else if (shape.kind === 'text') take(shape.y - Math.max(...shape.runs.map(({ size }) => size)) * 0.8, shape.y + Math.max(...shape.runs.map(({ size }) => size)) * 0.25);
    else for (const y of heightsIn(shape.d)) take(y, y);
  }
  return top > bottom ? { top: 0, bottom: 0 } : { top, bottom };
};

const heightsIn = (d: string): number[] =>
  [...d.matchAll(commands)].flatMap(([, command, rest]) => (rest.match(numeral) ?? []).flatMap((text, i) => (meanings[command]?.[i % meanings[command].length] === 'y' ? [Number(text)] : [])));
