import { numberAt } from '../../src/study/columns.js';
import type { EventKind, Lang, LoggedEvent, OutcomeColumns, Run, Study } from '../../src/study/types.js';
import { boardWords, type BoardWords } from '../../src/text/board.js';
import { stageWords, type StageWords } from '../../src/text/stage.js';
import { themes, type Palette, type Theme } from '../look/palette.js';
import { landscape, type Frame } from './frame.js';
import { layoutOf, type Layout } from './layout.js';
import { structureOf, type Structure } from './structure.js';

/** What is the same in every frame of a variant's film: places, scales, and the events by tick. */
export interface Scene {
  readonly study: Study;
  readonly run: Run;
  readonly tickMs: number;
  readonly structure: Structure;
  /** The bands of the picture. */
  readonly frame: Frame;
  readonly layout: Layout;
  /** px of ribbon for one request per second: one scale in the whole film. */
  readonly pxPerS: number;
  /** Phases that the strip and the header name: no two of them overlap. */
  readonly phases: readonly ScenePhase[];
  readonly eventsIn: (tick: number) => readonly LoggedEvent[];
}
export interface ScenePhase {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a frame may be asked for beside study, variant and tick. */
export interface StageOptions {
  readonly lang: Lang;
  readonly theme: Theme;
  /** Landscape when not given. */
  readonly frame?: Frame;
  /** Simulated seconds in a second of film; 1 when not given. */
  readonly speed?: number;
  /** Film time of each tick, ms, which says how long a caption stands; the film's of its own pace when not given. */
  readonly times?: readonly number[];
  /** Ticks that the numbers are taken over; what the speed gives, for a frame on its own, when not given. */
  readonly window?: TickWindow;
  /** The film is held for a question, so many seconds. */
  readonly heldS?: number;
  /** Names (a service, `service.2`) whose state is drawn as a question mark. */
  readonly veil?: readonly string[];
  /** Names whose state stays visible whatever is veiled: what the question itself tells. */
  readonly lit?: readonly string[];
  /** Caption instead of the one that the events give. */
  readonly caption?: { readonly lead: string; readonly rest: string };
}

/** One frame's question: which scene, when, how. */
export interface Moment {
  readonly scene: Scene;
  readonly tick: number;
  readonly lang: Lang;
  readonly words: StageWords;
  readonly board: BoardWords;
  readonly palette: Palette;
  readonly speed: number;
  readonly times: readonly number[] | undefined;
  readonly heldS: number | null;
  readonly veil: ReadonlySet<string>;
  readonly lit: ReadonlySet<string>;
  readonly caption: { readonly lead: string; readonly rest: string } | null;
  /** Ticks that the numbers are taken over, first and last: one, or where film runs fast, the last whole window; while a question is held, the tick before, so that they do not answer it. */
  readonly window: TickWindow;
}

/** Ticks, first and last. */
export interface TickWindow {
  readonly from: number;
  readonly to: number;
}

/** The scene of a variant in a frame; made once for each study. Throws when the study has no such variant. */
export const sceneOf = (study: Study, variant: string, frame: Frame = landscape): Scene => {
  let scenes = cache.get(study);
  if (!scenes) cache.set(study, (scenes = new Map<string, Scene>()));
  const key = `${frame.name} ${variant}`;
  let scene = scenes.get(key);
  if (!scene) scenes.set(key, (scene = makeScene(study, variant, frame)));
  return scene;
};
const cache = new WeakMap<Study, Map<string, Scene>>();

export const momentOf = (study: Study, variant: string, tick: number, { lang, theme, frame, speed = 1, times, window, heldS, veil = [], lit = [], caption }: StageOptions): Moment => {
  const scene = sceneOf(study, variant, frame);
  return { scene, tick, lang, words: stageWords[lang], board: boardWords[lang], palette: themes[theme], speed, times, heldS: heldS ?? null, veil: new Set(veil), lit: new Set(lit), caption: caption ?? null, window: heldS === undefined ? (window ?? windowAt(tick, speed, scene.tickMs)) : { from: Math.max(0, tick - 1), to: Math.max(0, tick - 1) } };
};

/** At 4× and faster, numbers change at most twice a second of film: they are those of the last whole window of that length. */
export const windowAt = (tick: number, speed: number, tickMs: number): TickWindow => {
  const length = windowLength(speed, tickMs);
  const to = length === 1 ? tick : Math.floor((tick + 1) / length) * length - 1;
  return to < 0 ? { from: 0, to: tick } : { from: Math.max(0, to - length + 1), to };
};

const windowLength = (speed: number, tickMs: number): number => (speed < 4 ? 1 : Math.max(1, Math.ceil((speed * 500) / tickMs)));

/**
 * The windows of a film's ticks: each begins where the one before it ended, whatever the speed does, and stands until the next one is whole; so no number goes back.
 * A tick that is held has its own numbers, and so has one in which an instance or a rotation changed, or with which a phase begins or ends: no mean over before and after stands
 * beside its state, and no total of one phase in another. They stay as long as others do.
 */
export const windowsOf = (ticks: readonly { readonly speed: number; readonly isHeld: boolean }[], scenes: readonly Scene[]): readonly TickWindow[] => {
  const [{ tickMs }] = scenes;
  let last: TickWindow = { from: 0, to: 0 };
  return ticks.map(({ speed, isHeld }, tick) => {
    const isOwn = isHeld || scenes.some((scene) => phaseAt(scene, tick) !== phaseAt(scene, tick - 1) || scene.eventsIn(tick).some(({ kind }) => changing.has(kind)));
    const length = isOwn ? 1 : windowLength(speed, tickMs);
    const from = length === 1 ? tick : last.to + 1;
    if (tick + 1 - from >= length) last = { from, to: tick };
    return last;
  });
};

const changing: ReadonlySet<EventKind> = new Set<EventKind>(['oom', 'crashed', 'ejected', 'back', 'booted', 'ready', 'scale-in', 'scale-out', 'deployed', 'rolled-back']);

const makeScene = (study: Study, variant: string, frame: Frame): Scene => {
  const run = study.runs[variant];
  if (!run) throw new Error(`the study has no variant ${variant}; it has ${Object.keys(study.runs).join(', ')}`);
  const structure = structureOf(study);
  const tickMs = study.scenario.tickMs;
  const byTick = new Map<number, LoggedEvent[]>();
  for (const event of run.eventLog) {
    const tick = Math.min(run.ticks.count - 1, Math.floor(event.tMs / tickMs + 1e-9));
    const list = byTick.get(tick);
    if (list) list.push(event);
    else byTick.set(tick, [event]);
  }
  return { study, run, tickMs, structure, frame, layout: layoutOf(structure, frame), pxPerS: ribbonScale(study, frame), phases: phasesOf(run), eventsIn: (tick) => byTick.get(tick) ?? none };
};
const none: readonly LoggedEvent[] = [];

/** The largest rate of any link in any variant is as wide as the frame allows. */
const ribbonScale = (study: Study, { widestRibbon }: Frame): number => {
  let most = 1;
  for (const { ticks } of Object.values(study.runs))
    for (const { callers } of Object.values(ticks.links))
      for (let tick = 0; tick < ticks.count; tick++) most = Math.max(most, callers.reduce((sum, caller) => sum + numberAt(caller.sent, tick), 0));
  return widestRibbon / (most / (study.scenario.tickMs / 1000));
};

/** Phases that objectives speak of come first, then long ones; what overlaps one of them is not named. */
const phasesOf = (run: Run): readonly ScenePhase[] => {
  const judged = new Set(run.system.objectives.flatMap((objective) => (objective.in === 'run' ? [] : objective.in)));
  const all = Object.entries(run.phases).map(([name, { fromMs, toMs }]) => ({ name, fromMs, toMs }));
  const ranked = all.toSorted((a, b) => Number(judged.has(b.name)) - Number(judged.has(a.name)) || b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.fromMs - b.fromMs);
  const kept: ScenePhase[] = [];
  for (const phase of ranked) if (!kept.some((other) => phase.fromMs < other.toMs && other.fromMs < phase.toMs)) kept.push(phase);
  return kept.toSorted((a, b) => a.fromMs - b.fromMs);
};

/** The phase that a tick is in, or null between phases. */
export const phaseAt = (scene: Scene, tick: number): ScenePhase | null => {
  const ms = tick * scene.tickMs;
  return scene.phases.find((phase) => ms >= phase.fromMs && ms < phase.toMs) ?? null;
};

export interface Flow {
  readonly offered: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
}

/** What all traffic together offered (or one of them), and how what ended there ended, in ticks `from` to `to` inclusive. */
export const flowOf = (run: Run, from: number, to: number, only?: string): Flow => {
  const sums = runningSums(run, only ?? '');
  const upTo = sums[Math.min(to, run.ticks.count - 1) + 1];
  const before = sums[Math.max(0, from)];
  return { offered: upTo.offered - before.offered, good: upTo.good - before.good, declined: upTo.declined - before.declined, refused: upTo.refused - before.refused, failed: upTo.failed - before.failed };
};

/** Sums of all ticks before tick i, by i: a frame asks for many stretches of the same run. Counts are whole, so differences are exact. */
const runningSums = (run: Run, only: string): readonly Flow[] => {
  let byTraffic = sumsByRun.get(run);
  if (!byTraffic) sumsByRun.set(run, (byTraffic = new Map<string, readonly Flow[]>()));
  let sums = byTraffic.get(only);
  if (!sums) {
    const parts = Object.entries(run.ticks.traffic).filter(([name]) => only === '' || name === only);
    const list: Flow[] = [{ offered: 0, good: 0, declined: 0, refused: 0, failed: 0 }];
    for (let tick = 0; tick < run.ticks.count; tick++) {
      const sum = { ...list[tick] };
      for (const [, columns] of parts) {
        sum.offered += numberAt(columns.offered, tick);
        addOutcomes(sum, columns, tick);
      }
      list.push(sum);
    }
    byTraffic.set(only, (sums = list));
  }
  return sums;
};
const sumsByRun = new WeakMap<Run, Map<string, readonly Flow[]>>();

export const addOutcomes = (flow: { good: number; declined: number; refused: number; failed: number }, columns: OutcomeColumns, tick: number): void => {
  flow.good += numberAt(columns.good, tick);
  flow.declined += numberAt(columns.declined, tick);
  flow.refused += numberAt(columns.refused, tick);
  flow.failed += numberAt(columns.failed, tick);
};

/** First tick of what the figures of "this phase" cover: the phase's start, or the run's between phases. */
export const phaseStart = (scene: Scene, tick: number): number => Math.ceil((phaseAt(scene, tick)?.fromMs ?? 0) / scene.tickMs);

/** Good of valid requests; null when none ended. */
export const goodShare = ({ good, refused, failed }: Flow): number | null => (good + refused + failed > 0 ? good / (good + refused + failed) : null);
