import type { Study } from '../../src/study/types.js';
import { filmTimesOf } from '../stage/pace.js';
import { tellingTicks } from '../stage/telling-ticks.js';

export { incidentTicks } from '../stage/pace.js';

/** How long each tick stays, and how fast that is. */
export interface TickPace {
  /** Film time in ms; 0 for a tick that a short film passes over. */
  readonly filmMs: number;
  /** Simulated seconds in a second of film, as it really is around here. */
  readonly speed: number;
  /** It is one of those that a short film holds: its numbers are its own. */
  readonly isHeld: boolean;
}

/** The pace of every tick of a variant's film of its natural length: no tick is shorter than a frame. */
export const paceOf = (study: Study, variant: string, fps: number): readonly TickPace[] => naturalPace(filmTimesOf(study, variant), study.scenario.tickMs, fps);

/** As `paceOf`, for any film. */
export const naturalPace = (wanted: readonly number[], tickMs: number, fps: number): readonly TickPace[] =>
  wanted.map((wantedMs) => {
    const filmMs = Math.max(1000 / fps, wantedMs);
    return { filmMs, speed: tickMs / filmMs, isHeld: false };
  });

/**
 * The pace of every tick in so many frames of film, exactly. Quiet and incident keep their proportion. Where there are more ticks than frames, ticks are passed over,
 * but never those that tell most (`tellingTicks`): each of them is held for at least 3 frames, and for up to half a second where there is room.
 * What answers a question that was asked is held for up to a second and a half.
 */
export const paceIn = (study: Study, variant: string, fps: number, frames: number, answers: readonly number[] = []): readonly TickPace[] =>
  fitPace({ wanted: filmTimesOf(study, variant), telling: tellingTicks(study, variant), answers, tickMs: study.scenario.tickMs }, fps, frames);

/** What is to be shown of a film. */
export interface Wanted {
  /** Film time of each tick at its natural pace, ms. */
  readonly wanted: readonly number[];
  /** Ticks that are not passed over, those first that tell most. */
  readonly telling: readonly number[];
  /** Ticks that answer a question. */
  readonly answers?: readonly number[];
  readonly tickMs: number;
}

/** As `paceIn`, for any film. */
export const fitPace = ({ wanted: natural, telling, answers = [], tickMs }: Wanted, fps: number, frames: number): readonly TickPace[] => {
  const wanted = withoutHaste(natural, (shortestPaceMs * fps * sumOf(natural)) / (1000 * frames));
  const held = new Set([...answers, ...telling].slice(0, Math.floor(frames / 2 / fewestHeld)));
  const answer = Math.max(fewestHeld, Math.min(Math.round(fps * 1.5), Math.floor(frames / 5 / Math.max(1, answers.length))));
  const room = frames / 2 - answer * answers.length;
  const hold = Math.max(fewestHeld, Math.min(Math.round(fps / 2), Math.floor(room / Math.max(1, held.size - answers.length))));
  const holds = new Map([...held].map((tick) => [tick, answers.includes(tick) && answer * answers.length <= frames / 5 ? answer : hold]));
  const lengths = sharedFrames(wanted, holds, frames);
  const speeds = speedsOf(wanted, lengths, tickMs, fps);
  return lengths.map((length, tick) => ({ filmMs: (length * 1000) / fps, speed: speeds[tick], isHeld: held.has(tick) }));
};
/** A speed that holds shorter than this much film is a jerk, ms. */
const shortestPaceMs = 1_500;

/** The wanted times with no stretch of one pace shorter than `leastMs`: such a one, the shortest first, shares its time evenly with the shorter of its neighbours. */
const withoutHaste = (wanted: readonly number[], leastMs: number): readonly number[] => {
  const stretches: { ticks: number; ms: number }[] = [];
  wanted.forEach((ms, tick) => {
    if (ms === wanted[tick - 1]) {
      stretches.at(-1)!.ticks++;
      stretches.at(-1)!.ms += ms;
    } else stretches.push({ ticks: 1, ms });
  });
  while (stretches.length > 1) {
    const shortest = stretches.reduce((best, { ms }, i) => (ms < stretches[best].ms ? i : best), 0);
    if (stretches[shortest].ms >= leastMs - 1e-6) break;
    const left = (stretches[shortest - 1]?.ms ?? Infinity) <= (stretches[shortest + 1]?.ms ?? Infinity) ? shortest - 1 : shortest;
    const [one, other] = stretches.slice(left, left + 2);
    stretches.splice(left, 2, { ticks: one.ticks + other.ticks, ms: one.ms + other.ms });
  }
  return stretches.flatMap(({ ticks, ms }) => Array.from({ length: ticks }, () => ms / ticks));
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A picture that stands shorter is not seen. */
const fewestHeld = 3;

/** Whole frames of each tick: at least those of `holds` for what is held, the rest in proportion to what is wanted; their sum is exact. */
const sharedFrames = (wanted: readonly number[], holds: ReadonlyMap<number, number>, frames: number): readonly number[] => {
  // What is held anyway by its share of the film needs no raise; raising one lowers the others, so look again.
  const raised = new Map<number, number>();
  for (let changed = true; changed; ) {
    changed = false;
    const scale = scaleFor(wanted, raised, frames);
    for (const [tick, hold] of holds) {
      if (raised.has(tick) || wanted[tick] * scale >= hold) continue;
      raised.set(tick, hold);
      changed = true;
    }
  }
  // Where nothing else is left to shorten, all are as long as each other.
  const even = raised.size === wanted.length;
  if (even) raised.clear();
  const scale = even ? frames / wanted.length : scaleFor(wanted, raised, frames);
  let [at, spent] = [0, 0];
  return wanted.map((ms, tick) => {
    const hold = raised.get(tick);
    if (hold !== undefined) return hold;
    // The end of each stretch is rounded, not its length.
    at += (even ? 1 : ms) * scale;
    const length = Math.round(at + 1e-6) - spent;
    spent += length;
    return length;
  });
};

/** Frames for a ms of wanted film, once those that are raised have theirs. */
const scaleFor = (wanted: readonly number[], raised: ReadonlyMap<number, number>, frames: number): number => {
  const others = wanted.reduce((sum, ms, tick) => (raised.has(tick) ? sum : sum + ms), 0);
  return others > 0 ? (frames - [...raised.values()].reduce((sum, hold) => sum + hold, 0)) / others : 0;
};

/** Over each stretch of one wanted pace, what really passes in a second of film: it does not change within the stretch. */
const speedsOf = (wanted: readonly number[], lengths: readonly number[], tickMs: number, fps: number): readonly number[] => {
  const speeds: number[] = [];
  for (let from = 0, to = 0; from < wanted.length; from = to) {
    let length = 0;
    for (to = from; to < wanted.length && wanted[to] === wanted[from]; to++) length += lengths[to];
    const speed = length > 0 ? ((to - from) * tickMs * fps) / (length * 1000) : Infinity;
    for (let tick = from; tick < to; tick++) speeds.push(speed);
  }
  return speeds;
};
