import { numberAt } from '../../src/study/columns.js';
import type { LoggedEvent, PictureService } from '../../src/study/types.js';
import type { DisplayState } from '../../src/text/stage.js';
import { countdown } from '../look/clock.js';
import type { Canvas } from '../look/drawing.js';
import { bytes, count } from '../look/numbers.js';
import { beliefAt, displayState, healthColors, killIn } from './display-state.js';
import type { Box } from './frame.js';
import type { Moment } from './scene.js';
import { wholePercent } from './whole-percent.js';

/** One instance in its lane at a moment. */
export interface Lane {
  readonly canvas: Canvas;
  readonly box: Box;
  readonly index: number;
  readonly service: PictureService;
  readonly moment: Moment;
  readonly state: DisplayState;
  readonly veiled: boolean;
  readonly colors: { readonly fill: string; readonly text: string };
  readonly kill: LoggedEvent | undefined;
}

/** `index` is 0-based. */
export const laneAt = (canvas: Canvas, box: Box, index: number, service: PictureService, moment: Moment): Lane => {
  const { palette, scene, tick } = moment;
  const state = displayState(scene, service.name, index, tick);
  const veiled = isVeiled(service.name, index, state, moment);
  return { canvas, box, index, service, moment, state, veiled, colors: veiled ? { fill: palette.text3, text: palette.text2 } : healthColors(palette, state), kill: killIn(scene, service.name, index, tick) };
};

/** The service or the instance is asked about; or who is in rotation is asked, and this state would tell. Where no process is nor comes, nothing is asked. */
const isVeiled = (service: string, index: number, state: DisplayState, { veil, lit, scene }: Moment): boolean => {
  const name = `${service}.${index + 1}`;
  if (lit.has(name) || state === 'off') return false;
  if (veil.has(service) || veil.has(name)) return true;
  const tells = state === 'ejected' || state === 'joining';
  return tells && scene.run.system.links.some((link) => link.callee === service && link.health !== null && veil.has(link.caller));
};

export const instanceOf = ({ moment, service, index }: Lane) => moment.scene.run.ticks.services[service.name].instances[index];

/** Of what it waits for to be over, 0..1. */
export const progress = (lane: Lane): number => {
  const { state, moment, service } = lane;
  if (state === 'joining') return 0.9;
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  return total > 0 ? 1 - numberAt(instanceOf(lane).bootLeftMs, moment.tick) / total : 0;
};

/** Why it is as it is, in a few words. */
export const detailOf = (lane: Lane): string => {
  const { state, moment, service, index } = lane;
  const { words, lang, scene, tick } = moment;
  const { detail } = words;
  const instance = instanceOf(lane);
  const link = scene.run.system.links.find((candidate) => candidate.callee === service.name && candidate.health !== null);
  const warmUpLeft = numberAt(instance.warmUpLeftMs, tick);
  const passed = link ? numberAt(scene.run.ticks.links[`${link.caller}.${link.callee}`].targets[index].probesTowards, tick) : 0;
  switch (state) {
    case 'saturated':
      return numberAt(instance.throttled, tick) > 0 ? detail.quota(wholePercent(numberAt(instance.throttled, tick))) : warmUpLeft > 0 ? detail.warming(countdown(warmUpLeft, lang)) : detail.saturated;
    case 'warming':
      return detail.warming(countdown(warmUpLeft, lang));
    case 'killed':
      return detail.killed(bytes(Number(lane.kill?.data['limitBytes'] ?? service.memoryLimitBytes ?? 0)));
    case 'crashed':
      return detail.crashed;
    case 'restarting': {
      const left = numberAt(instance.downLeftMs, tick);
      return detail.restarting(countdown(left, lang));
    }
    case 'dead':
      return detail.gone;
    case 'ejected':
      return beliefsOf(lane).includes('ejected') ? detail.outlier : detail.checks(passed, link?.health?.healthyAfter ?? 1);
    case 'joining':
      return detail.checks(passed, 1);
    case 'booting':
      return detail.booting(link !== undefined);
    case 'draining':
      return detail.draining(count(numberAt(instance.slots.end, tick)));
    case 'off':
      return detail.off(index + 1);
    case 'frozen':
      return detail.frozen;
    case 'healthy':
      return link && beliefAt(scene, link, index, tick) === 'in' ? detail.healthy : '';
  }
};

const beliefsOf = ({ moment: { scene, tick }, service, index }: Lane): readonly string[] => scene.run.system.links.filter(({ callee }) => callee === service.name).map((link) => beliefAt(scene, link, index, tick));
