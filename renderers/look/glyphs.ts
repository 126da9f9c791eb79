import { coordinate, type Canvas } from './drawing.js';

/**
 * Signs as paths in a box of 24 units around (0, 0): health, events, kinds of service, kept and broken, play and pause.
 * Health has five silhouettes (disc, triangle, octagon, ring, bar), so that it survives greyscale and 18 px; only a counted figure is a ring without anything in it.
 */
export type Glyph =
  | 'healthy' | 'warming' | 'saturated' | 'killed' | 'restarting' | 'ejected' | 'joining' | 'booting' | 'draining' | 'frozen' | 'off'
  | 'scale-out' | 'scale-in' | 'in' | 'fault' | 'breaker' | 'retry' | 'lock' | 'host' | 'deploy' | 'back' | 'connection'
  | 'kept' | 'broken' | 'play' | 'pause'
  | 'traffic' | 'balancer' | 'service' | 'store' | 'cache' | 'queue' | 'worker' | 'external';

export interface GlyphStyle {
  readonly color: string;
  /** Colour of what is cut out: the ground, or ink on a filled sign. */
  readonly cut: string;
  /** Share of a wedge that is filled (booting, joining). */
  readonly progress?: number;
}

/** Draws a glyph centred on (x, y), `size` px high. */
export const drawGlyph = (canvas: Canvas, glyph: Glyph, x: number, y: number, size: number, style: GlyphStyle): void => {
  painters[glyph](penOf(canvas, x, y, size / 24), style);
};

interface Pen {
  /** Fills (and outlines) a path of absolute M, L, A, Z commands given in units. */
  readonly fill: (d: string, color: string, outline?: number) => void;
  readonly stroke: (d: string, width: number, color: string) => void;
  readonly disc: (cx: number, cy: number, r: number, color: string) => void;
  readonly ring: (r: number, width: number, color: string) => void;
}
type Painter = (pen: Pen, style: GlyphStyle) => void;

const penOf = (canvas: Canvas, x: number, y: number, unit: number): Pen => {
  const place = (d: string): string => placed(d, x, y, unit);
  return {
    fill: (d, color, outline) => canvas.path(place(d), { fill: color, ...(outline ? { stroke: color, strokeWidth: outline * unit, round: true } : {}) }),
    stroke: (d, width, color) => canvas.path(place(d), { stroke: color, strokeWidth: width * unit, round: true }),
    disc: (cx, cy, r, color) => canvas.circle(x + cx * unit, y + cy * unit, r * unit, { fill: color }),
    ring: (r, width, color) => canvas.circle(x, y, r * unit, { stroke: color, strokeWidth: width * unit }),
  };
};

/** Moves a path of units to its place. Commands: M x y, L x y, A rx ry rotation large sweep x y, Z. */
const placed = (d: string, x: number, y: number, unit: number): string => {
  let parsed = commands.get(d);
  // A wedge has as many paths as there are shares: the shapes are few, so it is enough to forget them all at times.
  if (commands.size > 500) commands.clear();
  if (!parsed) commands.set(d, (parsed = [...d.matchAll(/([MLAZ])([^MLAZ]*)/g)].map(([, command, args]) => ({ command, n: args.trim() === '' ? [] : args.trim().split(/[\s,]+/).map(Number) }))));
  let text = '';
  for (const { command, n } of parsed) {
    if (command === 'A') text += `A${coordinate(n[0] * unit)} ${coordinate(n[1] * unit)} 0 ${n[3]} ${n[4]} ${coordinate(x + n[5] * unit)} ${coordinate(y + n[6] * unit)}`;
    else text += command === 'Z' ? 'Z' : `${command}${coordinate(x + n[0] * unit)} ${coordinate(y + n[1] * unit)}`;
  }
  return text;
};
const commands = new Map<string, readonly { readonly command: string; readonly n: readonly number[] }[]>();

const octagon = Array.from({ length: 8 }, (_, k) => {
  // cos and sin of 22.5° + k × 45°, written out: the same digits on every machine.
  const [long, short] = [11.087, 4.592];
  const [px, py] = [[long, short], [short, long], [-short, long], [-long, short], [-long, -short], [-short, -long], [short, -long], [long, -short]][k];
  return `${k === 0 ? 'M' : 'L'}${px} ${py}`;
}).join('') + 'Z';

const wedge: Painter = ({ ring, fill, disc }, { color, progress = 0.1 }) => {
  ring(9.6, 2.4, color);
  if (progress >= 0.995) disc(0, 0, 9.6, color);
  else if (progress > 0) {
    const angle = -Math.PI / 2 + 2 * Math.PI * progress;
    fill(`M0 0L0 -9.6A9.6 9.6 0 ${progress > 0.5 ? 1 : 0} 1 ${coordinate(9.6 * Math.cos(angle))} ${coordinate(9.6 * Math.sin(angle))}Z`, color);
  }
};

const painters: Readonly<Record<Glyph, Painter>> = {
  healthy: ({ disc, stroke }, { color, cut }) => {
    disc(0, 0, 10.5, color);
    stroke('M-4.6 0.3L-1.3 3.7L4.9 -3.5', 2.7, cut);
  },
  warming: ({ ring, fill }, { color }) => {
    ring(9.2, 2.6, color);
    fill('M0 -9.2A9.2 9.2 0 0 0 0 9.2Z', color);
  },
  saturated: ({ fill, stroke, disc }, { color, cut }) => {
    fill('M0 -10L11.2 9.2L-11.2 9.2Z', color, 2.4);
    stroke('M0 -3.4L0 2.2', 2.9, cut);
    disc(0, 6.3, 1.65, cut);
  },
  killed: ({ fill, stroke }, { color, cut }) => {
    fill(octagon, color);
    stroke('M-4.5 -4.5L4.5 4.5M4.5 -4.5L-4.5 4.5', 3.2, cut);
  },
  restarting: ({ fill, stroke }, { color, cut }) => {
    fill(octagon, color);
    stroke('M-5 0L5 0', 3.2, cut);
  },
  ejected: ({ ring, stroke }, { color }) => {
    ring(9.2, 2.8, color);
    stroke('M-6.2 6.2L6.2 -6.2', 2.8, color);
  },
  joining: wedge,
  booting: wedge,
  draining: ({ ring, stroke }, { color }) => {
    ring(9.6, 2.4, color);
    stroke('M0 -4.6L0 4.4M-3.8 0.9L0 4.8L3.8 0.9', 2.4, color);
  },
  frozen: ({ stroke }, { color }) => stroke('M0 -10.4L0 10.4M-9 -5.2L9 5.2M-9 5.2L9 -5.2M-3 -8.4L0 -5.8L3 -8.4M-3 8.4L0 5.8L3 8.4', 2.6, color),
  off: ({ stroke }, { color }) => stroke('M-6 0L6 0', 3, color),
  'scale-out': ({ stroke }, { color }) => stroke('M0 9L0 -7M-6.5 -1.5L0 -8.4L6.5 -1.5', 3.2, color),
  'scale-in': ({ stroke }, { color }) => stroke('M0 -9L0 7M-6.5 1.5L0 8.4L6.5 1.5', 3.2, color),
  in: ({ stroke }, { color }) => stroke('M-7 0.4L-2.2 5.4L7.2 -5.4', 3.4, color),
  fault: ({ fill }, { color }) => fill('M3 -11L-8 2.5L-1.5 2.5L-3 11L8 -2.5L1.5 -2.5Z', color),
  breaker: ({ stroke }, { color }) => stroke('M-10 4L-4 4L5 -5M5 4L10 4', 2.8, color),
  retry: ({ stroke }, { color }) => stroke('M7.4 -4.6A8.7 8.7 0 1 0 8.7 1.6M8.6 -9L7.8 -4L2.8 -4.4', 2.8, color),
  lock: ({ stroke, fill }, { color }) => {
    stroke('M-4.6 -1L-4.6 -4.8A4.6 4.6 0 0 1 4.6 -4.8L4.6 -1', 2.6, color);
    fill('M-7.6 -1.4L7.6 -1.4L7.6 9L-7.6 9Z', color, 1.4);
  },
  host: ({ stroke, disc }, { color }) => {
    stroke('M-9.4 -8L9.4 -8L9.4 -1L-9.4 -1ZM-9.4 1L9.4 1L9.4 8L-9.4 8Z', 2.2, color);
    disc(5.4, -4.5, 1.5, color);
    disc(5.4, 4.5, 1.5, color);
  },
  deploy: ({ stroke }, { color }) => stroke('M-8.6 3L-8.6 8.6L8.6 8.6L8.6 3M0 3.4L0 -9M-5 -4L0 -9.2L5 -4', 2.8, color),
  back: ({ stroke }, { color }) => stroke('M9 0L-8 0M-1.6 -6.6L-8.4 0L-1.6 6.6', 2.8, color),
  connection: ({ stroke, disc }, { color }) => {
    stroke('M-6 0L6 0', 2.6, color);
    disc(-7.4, 0, 4, color);
    disc(7.4, 0, 4, color);
  },
  kept: ({ stroke }, { color }) => stroke('M-8 0.5L-2.4 6.4L8.4 -6.4', 3.8, color),
  broken: ({ stroke }, { color }) => stroke('M-6.8 -6.8L6.8 6.8M6.8 -6.8L-6.8 6.8', 3.8, color),
  play: ({ fill }, { color }) => fill('M-7 -9L9 0L-7 9Z', color),
  pause: ({ fill }, { color }) => fill('M-8 -9L-2.4 -9L-2.4 9L-8 9ZM2.4 -9L8 -9L8 9L2.4 9Z', color),
  traffic: ({ disc, fill }, { color }) => {
    disc(0, -4.6, 4.6, color);
    fill('M-9 10A9 9 0 0 1 9 10Z', color);
  },
  balancer: ({ stroke }, { color }) => stroke('M-10 0L9 0M-2 0L8 -7.5M-2 0L8 7.5', 2.6, color),
  service: ({ stroke }, { color }) => stroke('M-7 -7L7 -7L7 7L-7 7Z', 2.4, color),
  store: ({ stroke }, { color }) => stroke('M-8 -6A8 3.4 0 0 1 8 -6L8 6A8 3.4 0 0 1 -8 6ZM-8 -6A8 3.4 0 0 0 8 -6', 2.4, color),
  cache: ({ fill }, { color }) => fill('M2 -10L-7 2L-1 2L-2 10L7 -2L1 -2Z', color),
  queue: ({ stroke }, { color }) => stroke('M-9 -6L9 -6L9 6L-9 6ZM-3 -6L-3 6M3 -6L3 6', 2.2, color),
  worker: ({ ring, stroke }, { color }) => {
    ring(5.4, 2.6, color);
    stroke('M0 -10L0 -7M0 7L0 10M-10 0L-7 0M7 0L10 0M-7 -7L-5 -5M5 5L7 7M-7 7L-5 5M5 -5L7 -7', 2.4, color);
  },
  external: ({ stroke }, { color }) => stroke('M-2 -8L-8 -8L-8 8L8 8L8 2M2 -8L8 -8L8 -2M8 -8L-1 1', 2.4, color),
};
