import { numberAt } from '../../src/study/columns.js';
import { beliefs, instanceStates, type Belief, type Run } from '../../src/study/types.js';

/** What an instance is, the more serious the later: of what falls into one place of a plot, the last one is shown. */
export const shownStates = ['off', 'healthy', 'warming', 'booting', 'draining', 'saturated', 'frozen', 'down'] as const;
export type ShownState = (typeof shownStates)[number];

export interface StateSpan<T> {
  readonly what: T;
  readonly fromMs: number;
  readonly toMs: number;
}
export interface StateRow {
  readonly service: string;
  /** 1-based numbers of the instances that this row is of: several when they did exactly the same. */
  readonly numbers: readonly number[];
  readonly states: readonly StateSpan<ShownState>[];
  /** What a link that checks it believes; null when none does. */
  readonly belief: { readonly caller: string; readonly spans: readonly StateSpan<Belief>[] } | null;
  /** The last one of its service that is shown. */
  readonly isLast?: boolean;
}

/** Instances of a service as rows: those that look the same are one row, and one that never was is none. `columns`: places that the plot can show. */
export const stateRows = (run: Run, service: string, tickMs: number, columns: number): StateRow[] => {
  const link = run.system.links.find(({ callee, health, outlier }) => callee === service && (health !== null || outlier !== null));
  const n = run.ticks.count;
  const rows = new Map<string, { numbers: number[]; row: StateRow }>();
  run.ticks.services[service].instances.forEach((instance, index) => {
    const states = compressed(n, tickMs, run.durationMs, columns, (tick) => shownStates.indexOf(shownAt(instance, tick))).map(({ what, ...span }) => ({ ...span, what: shownStates[what] }));
    if (states.every(({ what }) => what === 'off')) return;
    const believed = link && run.ticks.links[`${link.caller}.${link.callee}`]?.targets[index]?.belief;
    const spans = believed === undefined ? null : compressed(n, tickMs, run.durationMs, columns, (tick) => rankOf(beliefs[numberAt(believed, tick)])).map(({ what, ...span }) => ({ ...span, what: ranked[what] }));
    const row: StateRow = { service, numbers: [index + 1], states, belief: spans && link ? { caller: link.caller, spans } : null };
    const key = JSON.stringify([states, spans]);
    const same = rows.get(key);
    if (same) same.numbers.push(index + 1);
    else rows.set(key, { numbers: [index + 1], row });
  });
  return [...rows.values()].map(({ numbers, row }) => ({ ...row, numbers }));
};

/** Whether a row tells anything: more than an instance that was healthy and in all the time. */
export const tells = ({ states, belief }: StateRow): boolean =>
  states.some(({ what }) => what !== 'healthy') || (belief !== null && belief.spans.some(({ what }) => what !== 'in'));

/** How long an instance was not simply healthy, ms. */
export const troubleMs = ({ states }: StateRow): number => states.reduce((sum, { what, fromMs, toMs }) => sum + (what === 'healthy' || what === 'off' ? 0 : toMs - fromMs), 0);

const ranked = ['absent', 'in', 'joining', 'ejected', 'out'] as const satisfies readonly Belief[];
const rankOf = (belief: Belief): number => ranked.indexOf(belief);

type Instance = Run['ticks']['services'][string]['instances'][number];

const shownAt = (instance: Instance, tick: number): ShownState => {
  const state = instanceStates[numberAt(instance.state, tick)];
  if (state !== 'up') return state;
  if (numberAt(instance.frozen, tick) === 1) return 'frozen';
  if (numberAt(instance.saturated, tick) === 1) return 'saturated';
  return numberAt(instance.warmUpLeftMs, tick) > 0 ? 'warming' : 'healthy';
};

/** Stretches of the same code; where a place of the plot holds several, its highest. */
const compressed = (n: number, tickMs: number, durationMs: number, columns: number, code: (tick: number) => number): StateSpan<number>[] => {
  const spans: { what: number; fromMs: number; toMs: number }[] = [];
  const size = Math.max(1, Math.ceil(n / columns));
  for (let first = 0; first < n; first += size) {
    let what = 0;
    for (let tick = first; tick < Math.min(n, first + size); tick++) what = Math.max(what, code(tick));
    const toMs = Math.min(durationMs, (first + size) * tickMs);
    const last = spans.at(-1);
    if (last && last.what === what) last.toMs = toMs;
    else spans.push({ what, fromMs: first * tickMs, toMs });
  }
  return spans;
};
