import { trailingMs } from '../../src/study/judging.js';
import { at } from '../../src/study/columns.js';
import type { PictureObjective } from '../../src/study/types.js';
import { condition, latency, share } from '../look/numbers.js';
import { flowOf, goodShare, phaseAt, phaseStart, type Moment, type Scene } from './scene.js';

/** An objective that can be followed tick by tick: a share of good requests, or a percentile of latency. */
export interface FollowedObjective {
  readonly objective: PictureObjective;
  readonly kind: 'share' | 'latency';
  readonly goal: number;
}

const percentiles = ['p50', 'p95', 'p99'] as const;
type Percentile = (typeof percentiles)[number];
const isPercentile = (metric: string): metric is Percentile => (percentiles as readonly string[]).includes(metric);

/** Every objective that can be followed, in file order. */
export const allFollowed = (scene: Scene): readonly FollowedObjective[] => remembered(scene).all;

/** What the whole film follows: at most one of each kind; of several, the first that the variant misses somewhere. */
export const followedObjectives = (scene: Scene): readonly FollowedObjective[] => remembered(scene).film;

/** The two that matter in the phase of a tick, each in its place: those that are judged there, those that it misses first. A place changes with the phase only. */
export const objectivesAt = (scene: Scene, tick: number): readonly (FollowedObjective | null)[] => {
  const { film, byPhase } = remembered(scene);
  // Between phases what stood before them stays.
  const phase = scene.phases.findLast(({ fromMs }) => fromMs <= tick * scene.tickMs);
  return byPhase.get(phase?.name ?? '') ?? film;
};

interface Followed {
  readonly all: readonly FollowedObjective[];
  readonly film: readonly FollowedObjective[];
  readonly byPhase: ReadonlyMap<string, readonly (FollowedObjective | null)[]>;
}

const remembered = (scene: Scene): Followed => {
  let followed = cache.get(scene);
  if (!followed) cache.set(scene, (followed = follow(scene)));
  return followed;
};
const cache = new WeakMap<Scene, Followed>();

const follow = (scene: Scene): Followed => {
  const { run, study, phases } = scene;
  const all = run.system.objectives.flatMap((objective): FollowedObjective[] => {
    if (objective.metric === 'good' && objective.low !== null) return [{ objective, kind: 'share', goal: objective.low }];
    if (isPercentile(objective.metric) && objective.high !== null && run.ticks.traffic[objective.of]) return [{ objective, kind: 'latency', goal: objective.high }];
    return [];
  });
  const misses = ({ objective }: FollowedObjective, phase?: string): boolean =>
    study.verdicts.some((verdict) => verdict.variant === run.variant && verdict.objective === objective.name && verdict.met === false && (phase === undefined || verdict.phase === phase));
  const film = (['share', 'latency'] as const).flatMap((kind) => {
    const ofKind = all.filter((item) => item.kind === kind);
    return ofKind.find((item) => misses(item)) ?? ofKind[0] ?? [];
  });
  const byPhase = new Map<string, readonly (FollowedObjective | null)[]>();
  let before: readonly (FollowedObjective | null)[] = film;
  for (const { name } of phases) {
    const weight = (item: FollowedObjective): number => (isJudgedIn(item, name) ? 2 : 0) + (misses(item, name) ? 1 : 0) + (film.includes(item) ? 0.5 : 0);
    before = placed(all.toSorted((a, b) => weight(b) - weight(a)).slice(0, 2), before);
    byPhase.set(name, before);
  }
  return { all, film, byPhase };
};

/** Who was there already stays in its place. */
const placed = (items: readonly FollowedObjective[], before: readonly (FollowedObjective | null)[]): readonly (FollowedObjective | null)[] => {
  const kept = [0, 1].map((place) => items.find((item) => item === before[place]) ?? null);
  const rest = items.filter((item) => !kept.includes(item));
  return kept.map((item) => item ?? rest.shift() ?? null);
};

/** Value of an objective at a moment: good of the phase so far, or, as the percentile always, over the trailing 10 s where a run with phases is between them; null without a sample. */
export const valueAt = ({ objective, kind }: FollowedObjective, { scene, window }: Pick<Moment, 'scene' | 'window'>): number | null => {
  if (kind === 'share') return goodShare(isBetweenPhases(scene, window.to) ? trailingFlow(scene, objective.of, window.to) : flowOf(scene.run, phaseStart(scene, window.to), window.to, objective.of));
  return trailingAt(scene, objective, window.to);
};

/** Null while no request was good in the trailing time. */
export const trailingAt = (scene: Scene, { of, metric }: Pick<PictureObjective, 'of' | 'metric'>, tick: number): number | null => {
  const { run } = scene;
  const columns = run.ticks.traffic[of];
  if (!columns || !isPercentile(metric) || trailingFlow(scene, of, tick).good === 0) return null;
  return at(columns.trailing[metric], tick);
};

const fewestSamples = 100;

/** Whether a line says anything there: some were good, and where many came, not just a few of them. */
export const isDrawnAt = (scene: Scene, of: string, tick: number): boolean => {
  const { good, refused, failed } = trailingFlow(scene, of, tick);
  return good > 0 && (good >= fewestSamples || good + refused + failed < 2 * fewestSamples);
};

/** How the requests ended that a trailing percentile at a tick is taken from. */
const trailingFlow = ({ run, tickMs }: Scene, of: string, tick: number) => flowOf(run, Math.max(0, tick + 1 - Math.ceil(trailingMs / tickMs)), tick, of);

/** A percentile of few good requests says little; that it keeps its goal says little as well when most requests are not good. */
export const isTelling = (followed: FollowedObjective, value: number, { scene, window }: Pick<Moment, 'scene' | 'window'>): boolean => {
  if (followed.kind === 'share') return true;
  const flow = trailingFlow(scene, followed.objective.of, window.to);
  return flow.good >= fewestSamples && (!isKept(followed, value) || (goodShare(flow) ?? 0) >= 0.5);
};

/** Whether the objective is judged in the phase that the tick is in. */
export const appliesAt = ({ objective }: FollowedObjective, scene: Scene, tick: number): boolean => {
  if (objective.in === 'run') return true;
  const phase = phaseAt(scene, tick);
  return phase !== null && objective.in.includes(phase.name);
};
/** Between phases no verdict is given; whether a goal is kept just now can be told all the same, as the strip does. */
export const isBetweenPhases = (scene: Scene, tick: number): boolean => scene.phases.length > 0 && phaseAt(scene, tick) === null;
const isJudgedIn = ({ objective }: FollowedObjective, phase: string): boolean => objective.in === 'run' || objective.in.includes(phase);

export const isKept = ({ kind, goal }: FollowedObjective, value: number): boolean => (kind === 'share' ? value >= goal : value <= goal);

/** `≥ 99.9%`, `≤ 800 ms`. */
export const goalText = ({ objective }: FollowedObjective): string => condition(objective.condition);
export const valueText = ({ kind }: FollowedObjective, value: number): string => (kind === 'share' ? share(value) : latency(value < 0.995 ? Math.round(value * 100) / 100 : value));
