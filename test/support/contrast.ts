import type { Drawing, Hatch, Shape } from '../../renderers/look/drawing.js';
import { textWidth } from '../../renderers/look/text-width.js';

/** Texts of a drawing that have less than `least` to 1 against some ground under them (WCAG 2), worst first; what lies under a scrim is meant to be dark. */
export const contrastFlaws = (drawing: Drawing, least = 4.5): readonly string[] => {
  const shapes = flat(drawing.shapes);
  const areas = shapes.map(areaOf);
  const flaws = new Map<string, number>();
  shapes.forEach((shape, index) => {
    if (shape.kind !== 'text' || shape.rotate) return;
    let left = shape.anchor === 'end' ? shape.x - shape.width : shape.anchor === 'middle' ? shape.x - shape.width / 2 : shape.x;
    for (const run of shape.runs) {
      const width = textWidth(run.text, run.size, run.weight);
      for (const part of [0.05, 0.3, 0.5, 0.7, 0.95]) {
        const point = [left + width * part, shape.y - run.size * 0.35] as const;
        // A veil over it dims it on purpose.
        if (areas.slice(index + 1).some((area) => area !== null && area.opacity < 1 && area.holds(...point))) continue;
        for (const ground of groundsAt(areas.slice(0, index), ...point)) {
          const ratio = contrast(run.fill, ground);
          const said = `"${run.text}" ${run.fill} on ${ground}`;
          if (ratio < least) flaws.set(said, Math.min(ratio, flaws.get(said) ?? Infinity));
        }
      }
      left += width;
    }
  });
  return [...flaws].toSorted(([, a], [, b]) => a - b).map(([said, ratio]) => `${ratio.toFixed(2)}: ${said}`);
};

/** Contrast of two `#rrggbb` colours by WCAG 2: 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].toSorted((one, other) => other - one);
  return (high + 0.05) / (low + 0.05);
};

export const luminance = (color: string): number => {
  const [r, g, b] = channels(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const mixed = (over: string, under: string, opacity: number): string => `#${channels(over).map((value, i) => Math.round(value * opacity + channels(under)[i] * (1 - opacity)).toString(16).padStart(2, '0')).join('')}`;

const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));

interface Area {
  readonly fill: string | Hatch;
  readonly opacity: number;
  readonly holds: (x: number, y: number) => boolean;
}

const areaOf = (shape: Shape): Area | null => {
  if (shape.kind === 'text' || shape.kind === 'group' || shape.fill === undefined) return null;
  const { fill, opacity = 1 } = shape;
  switch (shape.kind) {
    case 'rect':
      return { fill, opacity, holds: (x, y) => x >= shape.x && x <= shape.x + shape.width && y >= shape.y && y <= shape.y + shape.height };
    case 'circle':
      return { fill, opacity, holds: (x, y) => Math.hypot(x - shape.x, y - shape.y) <= shape.r };
    case 'path': {
      const outlines = polygonsOf(shape.d);
      return { fill, opacity, holds: (x, y) => outlines.filter((outline) => isInside(outline, x, y)).length % 2 === 1 };
    }
  }
};

type Polygon = readonly (readonly [number, number])[];

/** Corners of a path's outlines; an arc counts as the line to its end. */
const polygonsOf = (d: string): readonly Polygon[] => {
  const polygons: [number, number][][] = [];
  let [x, y] = [0, 0];
  for (const [, command, rest] of d.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const n = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    if (command === 'H') x = n[0];
    else if (command === 'V') y = n[0];
    else if (command !== 'Z') [x, y] = n.slice(-2) as [number, number];
    if (command === 'M') polygons.push([[x, y]]);
    else if (command !== 'Z') polygons.at(-1)?.push([x, y]);
  }
  return polygons;
};

const isInside = (polygon: Polygon, x: number, y: number): boolean => {
  let inside = false;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  });
  return inside;
};

/** Colours that can be seen at a point: of a hatch, its stripes and what is between them. */
const groundsAt = (areas: readonly (Area | null)[], x: number, y: number): readonly string[] => {
  let grounds: readonly string[] = ['#ffffff'];
  for (const area of areas) {
    if (!area?.holds(x, y)) continue;
    const { fill, opacity } = area;
    const colors = typeof fill === 'string' ? [fill] : [fill.color, ...(fill.ground === null ? [] : [fill.ground])];
    const kept = typeof fill !== 'string' && fill.ground === null ? grounds : [];
    grounds = [...new Set([...kept, ...colors.flatMap((color) => (opacity === 1 ? [color] : grounds.map((under) => mixed(color, under, opacity))))])];
  }
  return grounds;
};
