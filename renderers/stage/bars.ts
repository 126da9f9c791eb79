import type { Canvas, Hatch } from '../look/drawing.js';
import type { Palette } from '../look/palette.js';
import type { Box } from './layout.js';

/** Most slots that are drawn as one cell each; above, one continuous bar. */
const cellsMost = 32;

/** A counted level: solid, one cell a unit where it fits. */
export const countedBar = (canvas: Canvas, { x, y, width, height }: Box, used: number, total: number, color: string, palette: Palette): void => {
  if (total > 0 && total <= cellsMost) {
    const pitch = width / total;
    for (let k = 0; k < total; k++) canvas.rect(x + k * pitch, y, pitch - 2, height, { fill: k < used ? color : palette.s3, radius: 1 });
    return;
  }
  canvas.rect(x, y, width, height, { fill: palette.s3, radius: 2 });
  const share = total > 0 ? Math.min(1, used / total) : 0;
  if (share > 0) canvas.rect(x, y, Math.max(3, width * share), height, { fill: color, radius: 2 });
};

/** An estimated level: hatched with an outline; with a mark where the limit is, when the bar's end is a limit. */
export const estimatedBar = (canvas: Canvas, box: Box, share: number, color: string, palette: Palette, limit = false): void => {
  const { x, y, width, height } = box;
  canvas.rect(x, y, width, height, { fill: palette.s3, radius: 2 });
  const part = Math.max(0, Math.min(1, share));
  if (part > 0) {
    const filled = Math.max(3, width * part);
    canvas.rect(x, y, filled, height, { fill: barHatch(color, palette), radius: 2 });
    canvas.rect(x + 0.75, y + 0.75, filled - 1.5, height - 1.5, { stroke: color, strokeWidth: 1.5, radius: 1.5 });
  }
  if (limit) canvas.line(x + width, y - 5, x + width, y + height + 5, { stroke: palette.text2, strokeWidth: 2 });
};

const barHatch = (color: string, palette: Palette): Hatch => ({ color, ground: palette.hatchBg, period: 8, stripe: 3.4 });
