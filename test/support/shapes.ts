import type { Drawing, Shape } from '../../renderers/look/drawing.js';

/** All shapes of a drawing, those in groups too. */
export const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));

/** Its texts, one a text shape. */
export const textsOf = ({ shapes }: Pick<Drawing, 'shapes'>): string[] => flat(shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));
