import { metrics } from '../scenario/grammar/condition.js';
import type { Check, Metric, System, Unit } from '../scenario/model.js';
import { quantities } from '../scenario/quantities.js';
import { brokenFirst } from '../study/broken-first.js';
import type { BrokenFirst, FigureName, SimulatedRun } from '../study/types.js';
import { isBlind } from './blind.js';
import { firstTime } from './first-time.js';
import { firstToBreak } from './first-to-break.js';
import { measure } from './measure.js';

/** One figure that a run is asked for. */
export type Asked = Pick<FigureName, 'of' | 'metric' | 'over' | 'phase'>;

/** What one run came to, without its ticks: small enough to be sent between threads, and to be kept of hundreds of runs. */
export interface Reading {
  readonly variant: string;
  readonly figures: Readonly<Record<string, Figure>>;
  /** When the events of each claim about an order first happened, ms; null = never. */
  readonly orders: Readonly<Record<string, readonly (number | null)[]>>;
  readonly firstToBreak: BrokenFirst;
}

export interface Figure {
  /** In the metric's base unit; null = unknown. */
  readonly value: number | null;
  /** The generator could not make the load that the phase asks for. */
  readonly blind: boolean;
}

export const idOf = ({ of, metric, over, phase }: Asked): string => `${of} ${metric} ${over} ${phase ?? ''}`;

/** What a run is asked for: the figures that the checks of all variants need of this one, and what every traffic comes to and every machine costs. */
export const askedOf = (system: System, systems: readonly System[]): Asked[] => {
  const phases = [null, ...system.phases.map(({ name }) => name)];
  const checks = systems.flatMap((other) => [...other.objectives, ...other.claims].filter((check) => other.variant === system.variant || check.vs?.variant === system.variant));
  const asked = [...checks.flatMap((check) => (isMeasured(check) ? phases.map((phase): Asked => ({ of: check.of, metric: check.metric, over: check.over, phase })) : [])), ...outcomesAsked(system)];
  return [...new Map(asked.map((one) => [idOf(one), one])).values()];
};

/** What every traffic comes to in every phase and over the run, and what every service and host on a machine costs. */
export const outcomesAsked = (system: System): Asked[] => [
  ...system.traffic.flatMap(({ name }) => [null, ...system.phases.map((phase) => phase.name)].flatMap((phase) => trafficMetrics.map((metric): Asked => ({ of: name, metric, over: 'good', phase })))),
  ...[...system.services.filter(({ place }) => place.on === 'machine'), ...system.hosts.filter(({ machine }) => machine)].map(({ name }): Asked => ({ of: name, metric: 'cost', over: 'good', phase: null })),
];

const trafficMetrics: readonly Metric[] = ['good', 'refused', 'failed', 'rate', 'p50', 'p95', 'p99'];

/** The base unit of a metric. */
export const unitOfMetric = (metric: Metric): Unit => quantities[metrics[metric].kind].unit;

const isMeasured = (check: Check): check is Check & { of: string; metric: Metric } => check.of !== undefined && check.metric !== undefined;

/** Reads a run. */
export const readingOf = (run: SimulatedRun, system: System, asked: readonly Asked[]): Reading => ({
  variant: run.variant,
  figures: Object.fromEntries(asked.map((one) => [idOf(one), { value: measure(run, system, one, one.phase), blind: isBlind(run, system, { of: one.of, metric: one.metric }, one.phase) }])),
  orders: Object.fromEntries(system.claims.flatMap(({ name, order }) => (order ? [[name, order.map(({ kind, subject }) => firstTime(run.eventLog, kind, subject))] as const] : []))),
  firstToBreak: brokenFirst(firstToBreak(run, system)),
});

/** A figure by its name, from the readings of all variants; a factor is unknown where either side is, and blind where either is. */
export const figureIn = (readings: ReadonlyMap<string, Reading>, { variant, of, metric, over, phase, vs }: FigureName): Figure => {
  const at = (whose: string, where: string | null): Figure => readings.get(whose)?.figures[idOf({ of, metric, over, phase: where })] ?? { value: null, blind: false };
  const own = at(variant, phase);
  if (vs === null) return own;
  const base = at(vs.variant, vs.phase);
  return { value: own.value === null || base.value === null || base.value === 0 ? null : own.value / base.value, blind: own.blind || base.blind };
};

/** As `figureIn`, unknown where the load was not made. */
export const knownIn = (readings: ReadonlyMap<string, Reading>, name: FigureName): number | null => {
  const { value, blind } = figureIn(readings, name);
  return blind ? null : value;
};
