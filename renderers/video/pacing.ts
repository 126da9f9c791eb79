import type { Run, Study } from '../../src/study/types.js';
import { flowOf, sceneOf } from '../stage/scene.js';
import { followedObjectives } from '../stage/objectives.js';

/** How long each tick stays, and how fast that is. */
export interface TickPace {
  /** Film time in ms; never shorter than one frame, so that no tick is lost. */
  readonly filmMs: number;
  /** Simulated seconds in a second of film, as it really is. */
  readonly speed: number;
}

/** Simulated time around something eventful that counts as incident, ms. */
const before = 5_000;
const after = 10_000;
/** Quiet stretches shorter than this much film are not worth a change of speed, ms. */
const shortestQuiet = 2_000;
/** Trailing time over which an objective counts as broken, ms. */
const settle = 10_000;

/** Quiet ticks run at the quiet pace, incidents (events and objectives that break or recover, with a margin) at the incident pace. */
export const paceOf = (study: Study, variant: string, fps: number): readonly TickPace[] => {
  const { tickMs, rehearsal } = study.scenario;
  const frameMs = 1000 / fps;
  return incidentTicks(study, variant).map((incident) => {
    const filmMs = Math.max(frameMs, tickMs / (incident ? rehearsal.pacing.incident : rehearsal.pacing.quiet));
    return { filmMs, speed: tickMs / filmMs };
  });
};

/** Whether each tick is part of an incident. */
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
