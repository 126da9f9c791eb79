import type { Run, Study } from '../../src/study/types.js';
import { followedObjectives } from './objectives.js';
import { flowOf, sceneOf, type Scene } from './scene.js';
import { stopsInRun } from './stops.js';

/** Simulated time around something eventful that counts as incident, ms. */
const before = 5_000;
const after = 10_000;
/** Quiet stretches shorter than this much film are not worth a change of speed, ms. */
const shortestQuiet = 2_000;
/** Trailing time over which an objective counts as broken, ms. */
const settle = 10_000;
/** Film time for which the answer of a question stands, ms. */
export const answerMs = 4_000;

/** Film time of each tick, ms: quiet ticks at the quiet pace, incidents at the incident pace, and after a question no faster than real time until its answer has stood. */
export const filmTimesOf = (study: Study, variant: string): readonly number[] => {
  const scene = sceneOf(study, variant);
  let times = cache.get(scene);
  if (!times) cache.set(scene, (times = makeFilmTimes(study, variant)));
  return times;
};
const cache = new WeakMap<Scene, readonly number[]>();

const makeFilmTimes = (study: Study, variant: string): readonly number[] => {
  const { tickMs, rehearsal } = study.scenario;
  const times = incidentTicks(study, variant).map((incident) => tickMs / (incident ? rehearsal.pacing.incident : rehearsal.pacing.quiet));
  for (const stop of stopsInRun(study, variant)) {
    let left = answerMs;
    for (let tick = stop.tick; tick < times.length && left > 0; tick++) {
      times[tick] = Math.max(times[tick], Math.min(tickMs, left));
      left -= times[tick];
    }
  }
  return times;
};

/** Whether each tick is part of an incident: events and objectives that break or recover, with a margin. */
export const incidentTicks = (study: Study, variant: string): readonly boolean[] => {
  const { run, tickMs } = sceneOf(study, variant);
  const incident = Array.from({ length: run.ticks.count }, () => false);
  const mark = (ms: number): void => {
    const from = Math.max(0, Math.floor((ms - before) / tickMs));
    const to = Math.min(run.ticks.count - 1, Math.floor((ms + after) / tickMs));
    for (let tick = from; tick <= to; tick++) incident[tick] = true;
  };
  for (const event of run.eventLog) mark(event.tMs);
  for (const tick of turningTicks(study, run)) mark(tick * tickMs);
  const gapTicks = (shortestQuiet * study.scenario.rehearsal.pacing.quiet) / tickMs;
  return withoutShortGaps(incident, gapTicks);
};

/** Ticks in which a followed objective begins to be broken, or has been kept for the settling time. */
const turningTicks = (study: Study, run: Run): readonly number[] => {
  const scene = sceneOf(study, run.variant);
  const { tickMs } = scene;
  const share = followedObjectives(scene).find(({ kind }) => kind === 'share');
  if (!share) return [];
  const turns: number[] = [];
  const settleTicks = Math.max(1, Math.ceil(settle / tickMs));
  let sinceBroken = Infinity;
  for (let tick = 0; tick < run.ticks.count; tick++) {
    const { good, refused, failed } = flowOf(run, tick, tick, share.objective.of);
    const broken = good + refused + failed > 0 && good / (good + refused + failed) < share.goal;
    if (broken && sinceBroken > settleTicks) turns.push(tick);
    if (!broken && sinceBroken === settleTicks) turns.push(tick - settleTicks);
    sinceBroken = broken ? 0 : sinceBroken + 1;
  }
  return turns;
};

const withoutShortGaps = (incident: readonly boolean[], gapTicks: number): readonly boolean[] => {
  const filled = [...incident];
  let last = -1;
  for (let tick = 0; tick < filled.length; tick++) {
    if (!incident[tick]) continue;
    if (last >= 0 && tick - last - 1 < gapTicks) filled.fill(true, last, tick);
    last = tick;
  }
  return filled;
};
