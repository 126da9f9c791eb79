import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { EventKind } from '../../src/scenario/model.js';
import { numberAt } from '../../src/study/columns.js';
import type { Column, LoggedEvent, SimulatedRun } from '../../src/study/types.js';

export interface SimulatedOptions {
  /** The first when left out. */
  readonly variant?: string;
  /** The file's own when left out. */
  readonly seed?: number;
  /** By path, as `--set` takes them. */
  readonly set?: Readonly<Record<string, string>>;
}

/** A scenario's text: these lines, whatever their common indentation, under the head that every file needs. */
export const scenario = (lines: string): string => `faultreel: 1\ntitle: a test\n${withoutIndentation(lines)}\n`;

/**
 * The run of one variant, parsed and simulated as the tool does it.
 * Throws when the file is invalid or has what the engine does not simulate.
 */
export const simulated = (yamlText: string, { variant, seed, set = {} }: SimulatedOptions = {}): SimulatedRun => {
  const { variants } = parseScenario(yamlText, {
    file: 'test.yaml',
    set: Object.entries(set).map(([path, value]) => ({ path, value })),
    ...(variant === undefined ? {} : { variant }),
  });
  return simulate(variants[0], seed === undefined ? {} : { seed });
};

/** One line of `traffic`: a single request of the name `job`, at this time, over this link (`svc`, or `{ svc: { latency: 5ms } }`). */
export const oneRequest = (name: string, atMs: number, to: string, send = 'job'): string =>
  `${name}: { to: ${to}, send: ${send}, start: ${Math.round(atMs * 1000)}us, stop: ${Math.round(atMs * 1000) + 1}us, open: { rate: 1/s, arrivals: even } }`;

/** Lines of `traffic`, a single request each, named `r1`, `r2` … in the order in which they come. */
export const requestsAt = (timesMs: readonly number[], to: string, indentation = 2): string =>
  timesMs.map((atMs, i) => oneRequest(`r${i + 1}`, atMs, to)).join(`\n${' '.repeat(indentation)}`);

/** How the single request of a traffic ended (`good`, or its class and reason), and after how long. */
export const endOf = (run: SimulatedRun, traffic: string): { readonly end: string; readonly afterMs: number | null } => {
  const { good, declined, refused, failed, latencyMs, badLatencyMs } = run.traffic[traffic];
  const bad = [...named('declined', declined), ...named('refused', refused), ...named('failed', failed)];
  return { end: good === 1 ? 'good' : (bad[0] ?? 'in flight'), afterMs: (latencyMs ?? badLatencyMs)?.max ?? null };
};
const named = (end: string, reasons: Readonly<Record<string, number>>): string[] => Object.keys(reasons).map((reason) => `${end} ${reason}`);

/** Latencies of the single requests `r1` … of `requestsAt`, ms; null for one that is not good. */
export const latenciesOf = (run: SimulatedRun): (number | null)[] =>
  Object.keys(run.traffic).filter((name) => /^r\d+$/.test(name)).map((name) => run.traffic[name].latencyMs?.max ?? null);

export const eventsOf = (run: SimulatedRun, kind: EventKind, subject?: string): LoggedEvent[] =>
  run.eventLog.filter((event) => event.kind === kind && (subject === undefined || event.subject === subject));

/** Every tick of a column; a missing sample is 0. */
export const cells = (run: SimulatedRun, column: Column): number[] => Array.from({ length: run.ticks.count }, (_, tick) => numberAt(column, tick));

export const total = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

const withoutIndentation = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const common = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(common)).join('\n');
};
