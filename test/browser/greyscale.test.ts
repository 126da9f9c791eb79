import { beforeAll, describe, expect, test } from 'vitest';
import { openCamera } from '../../renderers/browser/camera.js';
import { findBrowser } from '../../renderers/browser/find.js';
import { guessBar } from '../../renderers/charts/guess-bar.js';
import { drawBasis } from '../../renderers/look/basis-marks.js';
import { Canvas } from '../../renderers/look/drawing.js';
import { marks } from '../../renderers/look/figure.js';
import { print } from '../../renderers/look/palette.js';
import { toSvg } from '../../renderers/look/svg.js';
import { drawBand } from '../../renderers/pdf/band.js';
import { realHost } from '../../src/host.js';

/** Points of paper, eight pixels each: as a good printer sees them. */
const [width, height, scale] = [100, 30, 8];

/** The luma plane of a drawing: what is left of it without colour. */
const greyOf = async (draws: readonly ((canvas: Canvas) => void)[]): Promise<Uint8Array[]> => {
  const host = realHost();
  const camera = await openCamera({ host, found: await findBrowser(host), width: width * scale, height: height * scale, jobs: 1, onNotice: () => undefined });
  const greys: Uint8Array[] = [];
  try {
    const pictures = draws.map((draw) => {
      const canvas = new Canvas(width, height, { fill: print.text, size: 8 });
      canvas.rect(0, 0, width, height, { fill: print.bg });
      draw(canvas);
      return toSvg(canvas.drawing()).replace(`width="${width}" height="${height}"`, `width="${width * scale}" height="${height * scale}"`);
    });
    for await (const [, bytes] of camera.shoot(pictures, (picture) => picture)) greys.push(Uint8Array.from(bytes.subarray(0, width * height * scale * scale)));
  } finally {
    await camera.close();
  }
  return greys;
};

/** Share of the inked pixels of two pictures that a reader can tell apart: by a quarter of the way from black to white. */
const difference = (one: Uint8Array, other: Uint8Array): number => {
  let [inked, different] = [0, 0];
  for (let i = 0; i < one.length; i++) {
    if (one[i] < 200 || other[i] < 200) inked++;
    if (Math.abs(one[i] - other[i]) > 55) different++;
  }
  return different / inked;
};

describe.each<[string, readonly string[], readonly ((canvas: Canvas) => void)[]]>([
  ['marks of the bases', marks, marks.map((mark) => (canvas) => void drawBasis(canvas, mark, 50, 15, 22, print.text, 2))],
  ['bars of guesses', ['assumed', 'default'], (['assumed', 'default'] as const).map((basis) => (canvas) => guessBar(canvas, basis, 10, 9, 80, 12))],
  ['bands of the parts', ['measured', 'stated', 'counted', 'guessed'], (['measured', 'stated', 'counted', 'guessed'] as const).map((kind) => (canvas) => drawBand(canvas, kind, '', 2, 28))],
])('in grey, %s', (_, names, draws) => {
  let greys: Uint8Array[];
  beforeAll(async () => (greys = await greyOf(draws)));

  test('are drawn', () => {
    for (const grey of greys) expect(grey.some((luma) => luma < 200)).toBe(true);
  });

  test('are told apart, each from each', () => {
    const alike = names.flatMap((name, i) => names.slice(i + 1).flatMap((other, k) => (difference(greys[i], greys[i + 1 + k]) < 0.15 ? [`${name} and ${other}: ${difference(greys[i], greys[i + 1 + k]).toFixed(2)}`] : [])));
    expect(alike).toEqual([]);
  });
});
