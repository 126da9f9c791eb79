import { beganAtMs } from '../../../src/study/events.js';
import { replayWords } from '../../../src/text/replay.js';
import { clock } from '../../look/numbers.js';
import { themes } from '../../look/palette.js';
import { signOf } from '../../stage/caption-events.js';
import { healthColors } from '../../stage/display-state.js';
import { phaseAt } from '../../stage/scene.js';
import { element, setText, svgElement } from './dom.js';
import type { Player, View } from './player.js';

/** Units of the drawing; it is stretched to the width that there is. */
const width = 10_000;
const height = 44;

/** The time of the run as a slider: phases as bands, events and questions as marks. */
export const scrubber = (player: Player): HTMLElement => {
  const ground = svgElement('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const names = element('div', { class: 'phases', 'aria-hidden': 'true' });
  const playhead = element('div', { class: 'playhead' });
  const hover = element('output', { class: 'hover', 'aria-hidden': 'true' });
  const slider = element('div', { class: 'scrubber', role: 'slider', tabindex: '0', 'aria-valuemin': '0' }, ground, names, playhead, hover);
  const tickAt = (event: PointerEvent): number => {
    const box = slider.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.min(player.lastTick, player.tickOf(share * player.scene.run.durationMs));
  };
  slider.addEventListener('pointerdown', (event) => {
    slider.setPointerCapture(event.pointerId);
    player.seek(tickAt(event));
  });
  slider.addEventListener('pointermove', (event) => {
    const tick = tickAt(event);
    setText(hover, clock(tick * player.scene.tickMs));
    hover.style.left = `${(100 * tick * player.scene.tickMs) / player.scene.run.durationMs}%`;
    if (slider.hasPointerCapture(event.pointerId)) player.seek(tick);
  });

  player.add((view, before) => {
    const { scene } = player;
    const { tick, lang } = view;
    const { durationMs } = scene.run;
    if (view.variant !== before?.variant || view.theme !== before.theme || view.part !== before.part || (view.held === null) !== (before.held === null)) {
      ground.replaceChildren(...groundOf(player, view));
      names.replaceChildren(...scene.phases.map(({ name, fromMs, toMs }) => {
        const label = element('span', {}, name);
        label.style.left = `${(100 * fromMs) / durationMs}%`;
        label.style.width = `${(100 * (toMs - fromMs)) / durationMs}%`;
        return label;
      }));
    }
    playhead.style.left = `${(100 * (tick + 1) * scene.tickMs) / durationMs}%`;
    slider.setAttribute('aria-label', replayWords[lang].time);
    slider.setAttribute('aria-valuemax', String(player.lastTick));
    slider.setAttribute('aria-valuenow', String(tick));
    slider.setAttribute('aria-valuetext', replayWords[lang].timeValue(clock(player.shownTick * scene.tickMs), clock(durationMs), phaseAt(scene, tick)?.name ?? null));
  });
  return slider;
};

const groundOf = (player: Player, { theme, tick, held }: View): readonly SVGElement[] => {
  const palette = themes[theme];
  const { run, phases, tickMs } = player.scene;
  const x = (ms: number): number => (width * ms) / run.durationMs;
  // What is still to come would answer the question.
  const hidden = held === null ? Infinity : (tick + 1) * tickMs;
  const line = (ms: number, from: number, to: number, stroke: string): SVGElement => svgElement('line', { x1: x(ms), x2: x(ms), y1: from, y2: to, stroke, 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' });
  return [
    ...phases.map(({ fromMs, toMs }) => svgElement('rect', { x: x(fromMs), y: 0, width: x(toMs - fromMs), height, fill: palette.s3 })),
    ...player.events().filter(({ tMs }) => tMs < hidden).map((event) => line(beganAtMs(event), 22, 36, healthColors(palette, signOf(event).tone).fill)),
    ...player.stops.map(({ tick: at }) => line(at * tickMs, 18, 40, palette.text)),
  ];
};
