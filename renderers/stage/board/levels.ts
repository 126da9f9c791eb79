import { at, numberAt } from '../../../src/study/columns.js';
import type { Column, PictureLink, PictureService } from '../../../src/study/types.js';
import { count } from '../../look/numbers.js';
import type { DisplayState } from '../../../src/text/stage.js';
import { displayState, stateAt } from '../display-state.js';
import type { Moment } from '../scene.js';
import { nameOf } from '../structure.js';

/** The service as this variant has it; undefined where it has none. */
export const serviceOf = ({ scene }: Moment, name: string): PictureService | undefined => scene.run.system.services.find((service) => service.name === name);

export const instancesOf = ({ scene }: Moment, name: string) => scene.run.ticks.services[name]?.instances ?? [];

/** How each instance of a service is; found once for each moment. */
export const statesOf = (moment: Moment, name: string): readonly DisplayState[] => {
  let states = cache.get(moment);
  if (!states) cache.set(moment, (states = new Map<string, readonly DisplayState[]>()));
  let found = states.get(name);
  if (!found) states.set(name, (found = instancesOf(moment, name).map((_, i) => displayState(moment.scene, name, i, moment.tick))));
  return found;
};
const cache = new WeakMap<Moment, Map<string, readonly DisplayState[]>>();

/** How many instances have a process. */
export const upCount = (moment: Moment, name: string): number =>
  Math.max(1, instancesOf(moment, name).filter((_, i) => !['off', 'booting'].includes(stateAt(moment.scene, name, i, moment.tick))).length);

/** Connections of a link's pools that are in use and that are waited for, means over the moment's window; their limit over all instances that are up, null where there is none. */
export const poolUse = (link: PictureLink, moment: Moment): { readonly used: number; readonly waiting: number; readonly max: number | null } => {
  const { scene } = moment;
  const here = scene.run.system.links.find((candidate) => nameOf(candidate) === nameOf(link)) ?? link;
  const callers = scene.run.ticks.links[nameOf(link)]?.callers ?? [];
  const used = meanOf(callers.flatMap(({ poolInUse }) => (poolInUse ? [poolInUse.mean] : [])), moment);
  const waiting = Math.round(meanOf(callers.flatMap(({ poolWaiting }) => (poolWaiting ? [poolWaiting.mean] : [])), moment));
  return { used, waiting, max: here.pool?.max == null ? null : here.pool.max * upCount(moment, link.caller) };
};

/** `12/40`, `20/20 +9 wait`. */
export const poolText = ({ used, max }: ReturnType<typeof poolUse>, waiting: number, { board }: Pick<Moment, 'board'>): string => `${count(Math.round(used))}${max === null ? '' : `/${count(max)}`}${waiting > 0 ? ` ${board.waiting(count(waiting))}` : ''}`;

/** The most that the columns' sum was in any tick of the moment's window. */
export const mostOf = (columns: readonly Column[], { window }: Moment): number => {
  let most = 0;
  for (let tick = window.from; tick <= window.to; tick++) most = Math.max(most, columns.reduce<number>((sum, column) => sum + numberAt(column, tick), 0));
  return most;
};

/** Sum of the columns' means over the moment's window: what a number says, and its bar shows. */
export const meanOf = (columns: readonly Column[], { window }: Pick<Moment, 'window'>): number => {
  let sum = 0;
  for (const column of columns) for (let tick = window.from; tick <= window.to; tick++) sum += at(column, tick) ?? 0;
  return sum / (window.to - window.from + 1);
};
