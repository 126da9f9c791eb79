import { numberAt } from '../../../src/study/columns.js';
import type { Comparison, Side, Touched } from '../../../src/study/comparison.js';
import type { Lang, Study } from '../../../src/study/types.js';
import { compareWords, type CompareWords } from '../../../src/text/compare.js';
import { themes, type Palette, type Theme } from '../../look/palette.js';
import { allFollowed, objectivesAt, trailingAt, type FollowedObjective } from '../objectives.js';
import { flowOf, momentOf, sceneOf, type Moment, type Scene, type TickWindow } from '../scene.js';
import { latencyOf } from '../strip-plot.js';
import { displayState, stateAt } from '../display-state.js';
import { changeLine } from './change-text.js';
import { placesFor, type Places } from './places.js';

/** Two to four runs and what they differ in. */
export interface Compared {
  readonly comparison: Comparison;
  readonly sides: readonly Side[];
}

/** What is the same in every frame of a comparison: places, and axes that hold the most of all sides. */
export interface CompareScene extends Compared {
  readonly scenes: readonly Scene[];
  /** Lanes where every side is a system for lanes and there is room; else cards. */
  readonly density: 'lanes' | 'cards';
  readonly places: Places;
  /** Ticks of the longest side. */
  readonly count: number;
  readonly axes: { readonly durationMs: number; readonly mostPerS: number; readonly mostMs: number; readonly mostServing: number };
  /** By side and tick: instances that take requests. */
  readonly serving: readonly (readonly number[])[];
}

export interface CompareOptions {
  readonly lang: Lang;
  readonly theme: Theme;
  /** Simulated seconds in a second of film; 1 when not given. */
  readonly speed?: number;
  /** Film time of each tick, ms: how long captions stand. Each side's own pace when not given. */
  readonly times?: readonly number[];
  /** Ticks that the numbers of each tick are taken over; what the speed gives when not given. */
  readonly windows?: readonly TickWindow[];
}

/** One frame's question. */
export interface CompareMoment {
  readonly scene: CompareScene;
  readonly tick: number;
  readonly lang: Lang;
  readonly words: CompareWords;
  readonly palette: Palette;
  readonly sides: readonly SideMoment[];
}
export interface SideMoment {
  readonly side: Side;
  readonly index: number;
  /** At the last tick of a side that has ended. */
  readonly moment: Moment;
  readonly ended: boolean;
}

export const compareSceneOf = (compared: Compared): CompareScene => {
  let scene = cache.get(compared.comparison);
  if (!scene) cache.set(compared.comparison, (scene = makeScene(compared)));
  return scene;
};
const cache = new WeakMap<Comparison, CompareScene>();

export const compareMomentOf = (compared: Compared, tick: number, { lang, theme, speed = 1, times, windows }: CompareOptions): CompareMoment => {
  const scene = compareSceneOf(compared);
  const sides = scene.sides.map((side, index): SideMoment => {
    const last = scene.scenes[index].run.ticks.count - 1;
    return { side, index, ended: tick > last, moment: momentOf(side.study, side.variant, Math.min(tick, last), { lang, theme, speed, ...(times && { times }), ...(windows && { window: windows[Math.min(tick, last)] }) }) };
  });
  return { scene, tick, lang, words: compareWords[lang], palette: themes[theme], sides };
};

/** Most services beside the lanes that have a place left of them. */
const besideLanesMost = 4;

/** Without its stops: no question is asked in this film, so no caption answers one. */
const withoutStops = (side: Side): Side => {
  let study = plain.get(side.study);
  if (!study) plain.set(side.study, (study = { ...side.study, scenario: { ...side.study.scenario, rehearsal: { ...side.study.scenario.rehearsal, stops: [] } } }));
  return { ...side, study };
};
const plain = new WeakMap<Study, Study>();

const makeScene = ({ comparison, sides }: Compared): CompareScene => {
  const compared: Compared = { comparison, sides: sides.map(withoutStops) };
  const scenes = compared.sides.map(({ study, variant }) => sceneOf(study, variant));
  const forLanes = scenes.length === 2 && scenes.every(({ layout, structure }) => layout.board === null && layout.group !== null && structure.services.length - 1 <= besideLanesMost);
  const perS = ({ run, tickMs }: Scene): number => {
    let most = 1;
    for (let tick = 0; tick < run.ticks.count; tick++) {
      const { offered, good, declined, refused, failed } = flowOf(run, tick, tick);
      most = Math.max(most, (Math.max(offered, good + declined + refused + failed) * 1000) / tickMs);
    }
    return most;
  };
  const serving = scenes.map(servingOf);
  return {
    ...compared,
    scenes,
    density: forLanes ? 'lanes' : 'cards',
    places: placesFor(scenes.length),
    count: Math.max(...scenes.map(({ run }) => run.ticks.count)),
    axes: { durationMs: compared.comparison.durationMs, mostPerS: Math.max(...scenes.map(perS)) * 1.1, mostMs: Math.max(...scenes.map(mostMs)), mostServing: Math.max(1, ...serving.flat()) },
    serving,
  };
};

const mostMs = (scene: Scene): number => {
  let most = 1;
  for (let tick = 0; tick < scene.run.ticks.count; tick++) most = Math.max(most, trailingAt(scene, latencyOf(scene), tick) ?? 0);
  const goals = allFollowed(scene).flatMap(({ kind, goal }) => (kind === 'latency' ? [goal] : []));
  return goals.length > 0 ? Math.min(Math.max(most * 1.05, goals[0] * 1.25), goals[0] * 4) : most * 1.05;
};

const inService: ReadonlySet<string> = new Set(['healthy', 'warming', 'saturated']);

/** In service, or out of it and sent requests all the same by somebody who fails open. */
const takesRequests = (scene: Scene, service: string, index: number, tick: number): boolean =>
  inService.has(displayState(scene, service, index, tick)) || (stateAt(scene, service, index, tick) === 'up' && numberAt(scene.run.ticks.services[service].instances[index].arrived, tick) > 0);

/** Of the service with the lanes; where there are cards, of all services but balancers. */
const servingOf = (scene: Scene): readonly number[] => {
  const services = scene.layout.group ? [scene.layout.group.service.name] : scene.run.system.services.filter(({ kind }) => kind !== 'balancer').map(({ name }) => name);
  return Array.from({ length: scene.run.ticks.count }, (_, tick) => services.reduce((sum, name) => sum + (scene.run.ticks.services[name]?.instances ?? []).filter((_, i) => takesRequests(scene, name, i, tick)).length, 0));
};

/** The same objective on all sides, where all have one of that kind: the first that some side follows now. Null for a side without one. */
export const followedBy = ({ scene, sides, tick }: Pick<CompareMoment, 'scene' | 'sides' | 'tick'>, kind: FollowedObjective['kind']): readonly (FollowedObjective | null)[] => {
  const now = sides.map(({ index, moment }) => objectivesAt(scene.scenes[index], Math.min(tick, moment.tick)).find((followed) => followed?.kind === kind) ?? null);
  const named = (index: number, { objective: { name, of } }: FollowedObjective): FollowedObjective | undefined => allFollowed(scene.scenes[index]).find((other) => other.kind === kind && other.objective.name === name && other.objective.of === of);
  const common = now.find((followed) => followed && sides.every(({ index }) => named(index, followed)));
  return common ? sides.map(({ index }) => named(index, common)!) : now;
};

/** Inputs of a side that touch a part of the picture, each with what it is there. */
export const changesAt = ({ scene: { comparison }, lang }: Pick<CompareMoment, 'scene' | 'lang'>, side: number, isThere: (touched: Touched) => boolean): readonly string[] =>
  comparison.changes.flatMap((change) => {
    const touched = change.touches.find(isThere);
    return touched && !change.isWhole && isChangedIn(change.values, side) ? [changeLine(touched.at, change.values[side], lang)] : [];
  });

/** The first side is what the others are held against; where it is itself the odd one out, it is not marked. */
const isChangedIn = (values: readonly { readonly text: string | null }[], side: number): boolean => side > 0 && values[side].text !== values[0].text;
