import { splitSubject } from '../../src/study/events.js';
import type { Study } from '../../src/study/types.js';
import { sceneOf } from './scene.js';

export type Stop = Study['scenario']['rehearsal']['stops'][number];

/** Stops whose time is in the run or whose event happened, with the tick that they come before. */
export const stopsInRun = (study: Study, variant: string): readonly { readonly stop: Stop; readonly tick: number }[] => {
  const { run, tickMs } = sceneOf(study, variant);
  return study.scenario.rehearsal.stops
    .flatMap((stop) => {
      const { at } = stop;
      const ms = 'timeMs' in at ? at.timeMs : run.eventLog.find((event) => matches(event, at))?.tMs;
      const tick = ms === undefined ? -1 : Math.floor(ms / tickMs + 1e-9);
      return tick >= 0 && tick < run.ticks.count ? [{ stop, tick }] : [];
    })
    .toSorted((a, b) => a.tick - b.tick);
};

/** The first event of that kind at that subject, or at an instance of it. */
export const matches = (event: { kind: string; subject: string }, wanted: { kind: string; subject: string }): boolean => event.kind === wanted.kind && (event.subject === wanted.subject || splitSubject(event.subject).service === wanted.subject || event.subject.endsWith(`.${wanted.subject}`));
