import { numberAt } from '../../src/study/columns.js';
import type { LoggedEvent, Run } from '../../src/study/types.js';
import type { TurnKind } from '../../src/text/report-frames.js';
import { keptAgainMs } from './key-moments.js';

/** A tick of which the report shows the stage, and why it was chosen. */
export interface TurningPoint {
  readonly kind: TurnKind;
  readonly tick: number;
  /** What it is about; none where a level was chosen and not an event. */
  readonly events: readonly LoggedEvent[];
}

export const mostTurns = 6;
/** Fewer are filled up. */
const fewTurns = 3;

/**
 * The turns of a run that are worth a picture, in order of time: the first fault, what was full when the objective broke, the first kill, the first that was taken out,
 * the first scale-out, the first help that arrives, and when the objective is kept again. One picture a tick: the weightier turn has it.
 * A run with few of them also shows its worst tick, the one before the first, and its end; a run in which nothing happens, its highest load alone.
 */
export const turningPoints = (run: Run, traffic: string | null, tickMs: number): TurningPoint[] => {
  const last = run.ticks.count - 1;
  if (last < 0) return [];
  const tickOf = (ms: number): number => Math.max(0, Math.min(last, Math.floor(ms / tickMs + 1e-9)));
  const at = (kind: TurnKind, event: LoggedEvent | undefined): TurningPoint[] =>
    event ? [{ kind, tick: tickOf(event.tMs), events: run.eventLog.filter((other) => other.kind === event.kind && tickOf(other.tMs) === tickOf(event.tMs)) }] : [];
  const first = (...kinds: LoggedEvent['kind'][]): LoggedEvent | undefined => run.eventLog.find(({ kind }) => kinds.includes(kind));
  const againMs = traffic === null ? null : keptAgainMs(run, traffic, tickMs);
  const worst = worstTick(run);
  const byWeight: TurningPoint[] = [
    ...at('full', causeOf(run) ?? first('saturated')),
    ...at('kill', first('oom', 'crashed')),
    ...at('fault', first('fault')),
    ...at('out', first('ejected', 'breaker-open')),
    ...at('help', run.eventLog.find(({ kind, cause }) => kind === 'ready' && cause === 'first probe') ?? first('booted')),
    ...(againMs === null ? [] : [{ kind: 'again' as const, tick: tickOf(againMs), events: [] }]),
    ...at('more', first('scale-out')),
    ...at('release', first('rolled-back', 'deployed')),
    ...at('lock', first('lock-timeout')),
  ];
  const chosen = distinct(byWeight).slice(0, mostTurns);
  const quiet = chosen.length === 0 && worst === null;
  const level = (kind: TurnKind, tick: number): TurningPoint => ({ kind, tick, events: [] });
  const earliest = Math.min(...chosen.map(({ tick }) => tick), worst ?? last);
  const fillers = quiet ? [level('busiest', busiestTick(run))] : [...(worst === null ? [] : [level('worst', worst)]), level('before', Math.max(0, earliest - 1)), level('end', last)];
  return distinct([...chosen, ...fillers]).slice(0, Math.max(chosen.length, quiet ? 1 : fewTurns)).toSorted((a, b) => a.tick - b.tick);
};

const distinct = (points: readonly TurningPoint[]): TurningPoint[] => points.filter(({ tick }, i) => points.findIndex((other) => other.tick === tick) === i);

/** The saturation behind the first break. */
const causeOf = ({ firstToBreak, eventLog }: Run): LoggedEvent | undefined => {
  const resource = firstToBreak?.resource;
  if (!resource) return undefined;
  const subject = resource.instance === null ? resource.service : `${resource.service}.${resource.instance}`;
  return eventLog.find((event) => event.kind === 'saturated' && event.subject === subject && event.cause === resource.what && event.data['sinceMs'] === resource.sinceMs);
};

/** Where most requests were refused or failed; null where none was. */
const worstTick = (run: Run): number | null => {
  const tick = highestTick(run, ({ refused, failed }, at) => numberAt(refused, at) + numberAt(failed, at));
  return tick.value > 0 ? tick.at : null;
};

const busiestTick = (run: Run): number => highestTick(run, ({ offered }, at) => numberAt(offered, at)).at;

const highestTick = (run: Run, level: (columns: Run['ticks']['traffic'][string], tick: number) => number): { readonly at: number; readonly value: number } => {
  let highest = { at: 0, value: 0 };
  for (let at = 0; at < run.ticks.count; at++) {
    const value = Object.values(run.ticks.traffic).reduce((sum, columns) => sum + level(columns, at), 0);
    if (value > highest.value) highest = { at, value };
  }
  return highest;
};
