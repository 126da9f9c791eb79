import { growingPath, slabPen, tenths, type Axis, type GrowingPath } from './growing-path.js';
import { followedObjectives, isDrawnAt, trailingAt, type FollowedObjective } from './objectives.js';
import { flowOf, goodShare, type Scene } from './scene.js';
import { areasOf, type Areas } from './strip-areas.js';
import { linePath } from './strip-latency.js';
import { phaseLabels, type PhaseLabels } from './strip-phases.js';

/** Places of a strip; the frame's and the verdict card's differ. */
export interface StripPlace {
  readonly left: number;
  readonly right: number;
  /** Rows of event signs: kills, faults and scaling above, what balancers and breakers do below. */
  readonly marks: number;
  readonly marksBelow: number;
  readonly top: number;
  readonly bottom: number;
  readonly objective: number;
  readonly latencyTop: number;
  readonly latencyBottom: number;
  readonly axis: number;
  readonly size: number;
}

/** What a scene's strip in a place has in common in all frames: its domains, those of the whole run, and paths that grow with the run. */
export interface Plot {
  readonly mostPerS: number;
  /** Latency above it is drawn at it: a goal must stay away from the bottom. */
  readonly mostMs: number;
  readonly yOfRate: (perS: number) => number;
  readonly yOfLatency: (ms: number) => number;
  readonly phases: PhaseLabels;
  readonly areas: Areas;
  readonly latency: GrowingPath;
  /** Ticks in which the followed share was missed; null when none is followed. */
  readonly missed: GrowingPath | null;
}

export const plotOf = (scene: Scene, place: StripPlace): Plot => {
  let byPlace = plots.get(scene);
  if (!byPlace) plots.set(scene, (byPlace = new Map<string, Plot>()));
  const key = Object.values(place).join(' ');
  let plot = byPlace.get(key);
  if (!plot) byPlace.set(key, (plot = makePlot(scene, place)));
  return plot;
};
const plots = new WeakMap<Scene, Map<string, Plot>>();

const makePlot = (scene: Scene, place: StripPlace): Plot => {
  const { run, tickMs } = scene;
  const { mostPerS, mostMs } = domainsOf(scene);
  const yOfRate = (perS: number): number => place.bottom - ((place.bottom - place.top) * Math.min(perS, mostPerS)) / mostPerS;
  const yOfLatency = (ms: number): number => place.latencyBottom - ((place.latencyBottom - place.latencyTop) * Math.min(ms, mostMs)) / mostMs;
  const drawn = latencyOf(scene);
  const axis = { left: place.left, right: place.right, pxPerTick: ((place.right - place.left) * tickMs) / run.durationMs, count: run.ticks.count };
  const share = followedObjectives(scene).find(({ kind }) => kind === 'share');
  return {
    mostPerS,
    mostMs,
    yOfRate,
    yOfLatency,
    phases: phaseLabels(scene, place),
    areas: areasOf(scene, axis, { ...place, mostInTick: (mostPerS * tickMs) / 1000 }),
    latency: linePath(axis, (tick) => {
      // Where hardly any request was good, a line would look as if all were fast.
      const ms = isDrawnAt(scene, drawn.of, tick) ? trailingAt(scene, drawn, tick) : null;
      return ms === null ? null : yOfLatency(ms);
    }),
    missed: share ? missedPath(scene, axis, share, place.objective) : null,
  };
};

/** The objective's row where it was broken in that tick. */
const missedPath = (scene: Scene, axis: Omit<Axis, 'extremes'>, { objective, goal }: FollowedObjective, y: number): GrowingPath => {
  const isMissed = (tick: number): boolean => {
    const share = goodShare(flowOf(scene.run, tick, tick, objective.of));
    return share !== null && share < goal;
  };
  const extremes = (from: number, to: number): readonly number[] => {
    for (let tick = from; tick <= to; tick++) if (isMissed(tick)) return [tick];
    return [from];
  };
  return growingPath({ ...axis, extremes }, slabPen((tick) => (isMissed(tick) ? [tenths(y), tenths(y + 12)] : null), 2));
};

/** Requests per second and latency, ms, that the run reaches, and a little more. */
const domainsOf = (scene: Scene): { readonly mostPerS: number; readonly mostMs: number } => {
  const { run, tickMs } = scene;
  let mostPerS = 1;
  let mostMs = 1;
  const latency = followedObjectives(scene).find(({ kind }) => kind === 'latency');
  for (let tick = 0; tick < run.ticks.count; tick++) {
    const flow = flowOf(run, tick, tick);
    mostPerS = Math.max(mostPerS, (Math.max(flow.offered, flow.good + flow.declined + flow.refused + flow.failed) * 1000) / tickMs);
    mostMs = Math.max(mostMs, trailingAt(scene, latencyOf(scene), tick) ?? 0);
  }
  return { mostPerS: mostPerS * 1.1, mostMs: latency ? Math.min(Math.max(mostMs * 1.05, latency.goal * 1.25), latency.goal * 4) : mostMs * 1.05 };
};

/** The latency that is drawn: the objective's, else the p95 of the first traffic. */
export const latencyOf = (scene: Scene) => followedObjectives(scene).find(({ kind }) => kind === 'latency')?.objective ?? { of: Object.keys(scene.run.ticks.traffic)[0] ?? '', metric: 'p95' as const };
