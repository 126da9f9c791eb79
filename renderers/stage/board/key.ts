import { instanceStates, type Column, type InstanceState, type Study } from '../../../src/study/types.js';
import type { DisplayState } from '../../../src/text/stage.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { textWidth } from '../../look/text-width.js';
import { healthColors, healthGlyph, isDown } from '../display-state.js';
import type { Box } from '../frame.js';
import type { Moment } from '../scene.js';
import { drawStillSent } from './instances.js';

/** What signs and cells say, in words: the same in every frame of a film. */
export const drawKey = (canvas: Canvas, { x, y, width, height }: Box, moment: Moment): void => {
  const { palette, words, board, scene } = moment;
  const { states, isBelieved } = statesOfFilm(scene.study);
  const base = y + height / 2 + 6;
  const ink = { size: 16, fill: palette.text2 } as const;
  const items: { readonly sign: number; readonly text: string; readonly draw: (left: number) => void }[] = [
    { sign: 34, text: board.cell.upper, draw: (left) => canvas.rect(left, base - 10, 26, 9, { fill: palette.good, radius: 2 }) },
    { sign: 34, text: `≈ ${board.cell.lower}`, draw: (left) => canvas.rect(left, base - 10, 26, 9, { fill: { color: palette.hatch, ground: palette.hatchBg, period: 5, stripe: 2.1 }, radius: 2 }) },
    ...states.map((state) => ({
      sign: 24,
      text: words.state[state],
      draw: (left: number): void => drawGlyph(canvas, healthGlyph(state), left + 9, base - 6, 17, { color: healthColors(palette, state).fill, cut: state === 'killed' || isDown(state) ? palette.onFailed : palette.bg, progress: 0.5 }),
    })),
    ...(isBelieved ? [{ sign: 18, text: board.stillSent, draw: (left: number): void => drawStillSent(canvas, left + 6, base - 6, 0.9, moment) }] : []),
  ];
  const wide = items.map(({ sign, text }) => sign + textWidth(text, 16, 400));
  const gap = Math.min(26, (width - wide.reduce((a, b) => a + b, 0)) / Math.max(1, items.length - 1));
  let left = x;
  items.forEach(({ sign, text, draw }, i) => {
    draw(left);
    canvas.text(left + sign, base, text, ink);
    left += wide[i] + gap;
  });
};

/** States that some instance can come to in some variant, in the order of a life. */
const statesOfFilm = (study: Study): { readonly states: readonly DisplayState[]; readonly isBelieved: boolean } => {
  let found = cache.get(study);
  if (!found) cache.set(study, (found = findStates(study)));
  return found;
};
const cache = new WeakMap<Study, ReturnType<typeof findStates>>();

const findStates = ({ runs }: Study): { readonly states: readonly DisplayState[]; readonly isBelieved: boolean } => {
  const all = Object.values(runs);
  const services = all.flatMap(({ system }) => system.services);
  const links = all.flatMap(({ system }) => system.links);
  const happens = (kind: string, cause?: string): boolean => all.some(({ eventLog }) => eventLog.some((event) => event.kind === kind && (cause === undefined || event.cause === cause)));
  const instances = all.flatMap(({ ticks }) => Object.values(ticks.services).flatMap((service) => service.instances));
  const is = (state: InstanceState): boolean => instances.some((instance) => holds(instance.state, (code) => instanceStates[code] === state));
  const isScaled = services.some(({ autoscale, instancesAtStart, instancesMax }) => autoscale !== null || instancesAtStart < instancesMax) || happens('fault', 'deploy');
  const [killed, crashed, down] = [happens('oom'), happens('crashed'), is('down')];
  const isBelieved = links.some(({ health, outlier }) => health !== null || outlier !== null);
  const can: Readonly<Record<DisplayState, boolean>> = {
    healthy: true,
    warming: instances.some(({ warmUpLeftMs }) => holds(warmUpLeftMs, (left) => left > 0)),
    saturated: true,
    killed,
    crashed,
    restarting: (killed || crashed || down) && services.some(({ recovery }) => recovery.by !== 'none'),
    dead: (killed || crashed || down) && services.some(({ recovery }) => recovery.by === 'none'),
    frozen: instances.some(({ frozen }) => holds(frozen, (value) => value === 1)),
    ejected: isBelieved,
    joining: links.some(({ health }) => health !== null),
    booting: isScaled || is('booting'),
    draining: isScaled || is('draining'),
    off: isScaled || is('off'),
  };
  return { states: (Object.keys(can) as DisplayState[]).filter((state) => can[state]), isBelieved: isBelieved && (killed || crashed || down) };
};

const holds = (column: Column, test: (value: number) => boolean): boolean => (typeof column === 'number' ? test(column) : column.some((value) => value !== null && test(value)));
