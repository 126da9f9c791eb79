import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { print } from '../../renderers/look/palette.js';

/** All shapes of a drawing, those in groups too. */
export const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));

/** Its texts, one a text shape. */
export const textsOf = ({ shapes }: Pick<Drawing, 'shapes'>): string[] => flat(shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));

/** Shapes as a printer of one ink sees them: paper or ink, with stripes, dashes and outlines, and no colour. */
export const oneInk = (shapes: readonly Shape[]): string =>
  JSON.stringify(shapes.map((shape) => {
    if (shape.kind === 'group') return oneInk(shape.shapes);
    if (shape.kind === 'text') return shape.runs.map(({ text }) => text);
    const { fill, stroke, ...rest } = shape;
    return { ...rest, fill: typeof fill === 'object' ? { period: fill.period, stripe: fill.stripe } : inkOf(fill), stroke: inkOf(stroke) };
  }));

const inkOf = (color: string | undefined): string => (color === undefined ? 'none' : color === print.bg ? 'paper' : 'ink');
