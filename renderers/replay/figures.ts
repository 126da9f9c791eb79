import { numberAt } from '../../src/study/columns.js';
import { splitSubject } from '../../src/study/events.js';
import type { Column, Lang } from '../../src/study/types.js';
import type { DisplayState } from '../../src/text/stage.js';
import { stageWords } from '../../src/text/stage.js';
import { replayWords, type ReplayWords } from '../../src/text/replay.js';
import { highest } from '../charts/sampling.js';
import { bytes, cores, count } from '../look/numbers.js';
import { displayState, isDown } from '../stage/display-state.js';
import { meanOf } from '../stage/board/levels.js';
import type { Scene, TickWindow } from '../stage/scene.js';
import { wholePercent } from '../stage/whole-percent.js';

export interface FigureRow {
  readonly name: keyof ReplayWords['figure'];
  readonly label: string;
  readonly now: string;
  /** In the whole run: a sum of requests, the highest of a level. */
  readonly run: string;
  readonly basis: 'counted' | 'estimated';
}
export interface Figures {
  readonly state: DisplayState;
  readonly stateText: string;
  readonly requests: readonly FigureRow[];
  readonly levels: readonly FigureRow[];
}

/** What is known of one instance: the requests that it was given, and its levels, in the window and in the whole run; levels as the stage writes them. */
export const figuresOf = (scene: Scene, name: string, tick: number, window: TickWindow, lang: Lang): Figures => {
  const { service, instance: number } = splitSubject(name);
  const instance = scene.run.ticks.services[service].instances[number! - 1];
  const totals = scene.run.services[service].instances[number! - 1];
  const picture = scene.run.system.services.find((one) => one.name === service)!;
  const words = replayWords[lang];
  const state = displayState(scene, service, number! - 1, tick);
  const hasLevels = !isDown(state) && !['off', 'booting', 'killed', 'crashed'].includes(state);

  const requests = (['arrived', 'good', 'declined', 'refused', 'failed'] as const)
    .filter((key) => key !== 'declined' || totals.declined > 0)
    .map((key): FigureRow => ({ name: key, label: words.figure[key], now: count(sumOf(instance[key], window)), run: count(totals[key]), basis: 'counted' }));

  const level = (key: FigureRow['name'], basis: FigureRow['basis'], now: number, most: number, text: (value: number) => string): FigureRow => ({
    name: key,
    label: words.figure[key],
    now: hasLevels ? text(now) : '–',
    run: text(most),
    basis,
  });
  const whole = (limit: number | null) => (value: number) => (limit === null ? count(Math.round(value)) : words.of(count(Math.round(value)), count(limit)));
  const cpuText = (value: number): string => (picture.cpus === null ? `≈${cores(value)}` : `≈${wholePercent(value / picture.cpus)}`);
  // Whoever has a request at all uses a whole core for a moment: of CPU, the highest tick is told.
  const levels = [
    level('slots', 'counted', meanOf([instance.slots.mean], { window }), totals.slots.max, whole(picture.slots)),
    level('queue', 'counted', meanOf([instance.queue.mean], { window }), totals.queue.max, whole(picture.queueLimit)),
    level('connections', 'counted', meanOf([instance.connections], { window }), totals.connections.max, whole(null)),
    level('cpu', 'estimated', meanOf([instance.cpuCores.mean], { window }), highest(instance.cpuCores.mean, scene.run.ticks.count), cpuText),
    level('memory', 'estimated', meanOf([instance.memoryBytes.end], { window }), totals.memoryBytes.max, (value) => `≈${bytes(value)}`),
  ];
  const isThere = ({ name: key }: FigureRow): boolean => {
    if (key === 'connections') return totals.connections.max > 0;
    if (key === 'cpu') return totals.cpuCores.max > 0;
    if (key === 'memory') return totals.memoryBytes.max > 0;
    return key === 'slots' || totals.queue.max > 0 || picture.queueLimit !== null;
  };
  return { state, stateText: stageWords[lang].state[state], requests, levels: levels.filter(isThere) };
};

const sumOf = (column: Column, { from, to }: TickWindow): number => {
  let sum = 0;
  for (let tick = from; tick <= to; tick++) sum += numberAt(column, tick);
  return sum;
};
