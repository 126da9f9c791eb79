import { Canvas, type Drawing } from '../../look/drawing.js';
import { toSvg } from '../../look/svg.js';
import { drawCards } from './cards.js';
import { compareMomentOf, type Compared, type CompareMoment, type CompareOptions } from './compare-scene.js';
import { drawCompareLegend, drawDifference, drawFigures } from './figures.js';
import { drawHalfLanes } from './half-lanes.js';
import { drawCompareHeader } from './header.js';
import { drawPanelHead } from './panel-head.js';
import { drawSideCaptions } from './side-captions.js';
import { drawSideStrip } from './side-strip.js';

/** All sides in one tick of the common clock. A pure function of its arguments; a side that has ended stands at its last tick. */
export const compareDrawing = (compared: Compared, tick: number, options: CompareOptions): Drawing => {
  const compare = compareMomentOf(compared, tick, options);
  const canvas = compareCanvas(compare);
  drawCompareHeader(canvas, compare);
  for (const side of compare.sides) {
    drawPanelHead(canvas, side, compare);
    if (compare.scene.density === 'lanes') drawHalfLanes(canvas, side, compare);
    else drawCards(canvas, side, compare);
    drawSideStrip(canvas, side, compare);
    drawFigures(canvas, side, compare);
  }
  drawSideCaptions(canvas, compare);
  drawDifference(canvas, compare);
  drawCompareLegend(canvas, compare);
  return canvas.drawing();
};

/** The same as SVG text. */
export const compareSvg = (compared: Compared, tick: number, options: CompareOptions): string => toSvg(compareDrawing(compared, tick, options));

export const compareCanvas = ({ palette, scene: { places } }: Pick<CompareMoment, 'palette' | 'scene'>): Canvas => {
  const canvas = new Canvas(places.width, places.height, { fill: palette.text, size: 18 });
  canvas.rect(0, 0, places.width, places.height, { fill: palette.bg });
  return canvas;
};
