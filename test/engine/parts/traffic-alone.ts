import { type Outcome, outcome } from '../../../src/engine/kernel/calls.js';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import type { Program } from '../../../src/engine/plan/program.js';
import { planOf } from '../../../src/engine/plan/planner.js';
import { makeSource } from '../../../src/engine/traffic/make-source.js';
import type { Source } from '../../../src/engine/traffic/source.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { scenario } from '../../support/simulated.js';

/** One request as the source offered it. */
export interface Sent {
  readonly atMs: number;
  readonly program: Program;
  readonly key: string;
  readonly row: number;
  readonly tag: number;
  readonly socket: number;
}

export interface AloneOptions {
  readonly durationMs?: number;
  readonly seed?: number;
  readonly ordinal?: number;
  /** How long a request takes; a function may see which it is. */
  readonly takesMs?: number | ((sent: Sent) => number);
  readonly ends?: (sent: Sent) => Outcome;
  /** False: dropped. */
  readonly accepts?: (inFlight: number, sent: Sent) => boolean;
  readonly isAlive?: (nowMs: number) => boolean;
  /** What happens to the source from outside, at these times. */
  readonly at?: readonly (readonly [atMs: number, what: (alone: Alone) => void])[];
}

export interface Alone {
  readonly queue: EventQueue;
  readonly source: Source;
  readonly sent: Sent[];
  readonly dropped: Sent[];
  /** `open 3 row 7`, `close 3`, with their times in ms. */
  readonly sockets: [number, string][];
  /** Programs by weight, and the opening's. */
  readonly programs: readonly Program[];
  readonly opening: Program | null;
  /** `present` at the end of each whole 100 ms. */
  readonly present: number[];
}

/** One traffic, alone with the real queue: what it sends is recorded, takes its time and ends. */
export const alone = (traffic: string, { durationMs = 10_000, seed = 1, ordinal = 0, takesMs = 0, ends = () => outcome.good, accepts = () => true, isAlive = () => true, at = [] }: AloneOptions = {}): Alone => {
  const { variants } = parseScenario(scenario(`
    duration: ${durationMs}ms
    tick: 100ms
    services:
      svc: { handlers: { any: [{ cpu: 1ms }] } }
    traffic:
      t: { to: svc, ${traffic.includes('send:') ? '' : 'send: job, '}${traffic} }
  `), { file: 'test.yaml' });
  const plan = planOf(variants[0]).sources[0];
  const queue = new EventQueue();
  const sent: Sent[] = [];
  const dropped: Sent[] = [];
  const sockets: [number, string][] = [];
  const present: number[] = [];
  let inFlight = 0;
  let fresh = 1000;
  let socketNumber = 0;
  const endKind = queue.register((index) => {
    inFlight--;
    source.ended(sent[index].tag, ends(sent[index]));
  });
  const source = makeSource({
    queue, plan, seed, ordinal,
    stopNs: durationMs * 1e6,
    isAlive: () => isAlive(queue.now / 1e6),
    sockets: {
      open: (_source, row) => {
        sockets.push([queue.now / 1e6, `open ${socketNumber} row ${row}`]);
        return socketNumber++;
      },
      close: (socket) => void sockets.push([queue.now / 1e6, `close ${socket}`]),
    },
    offer: (program, key0, key1, row, tag, socket) => {
      const request = { atMs: queue.now / 1e6, program, key: `${key0} ${key1}`, row, tag, socket };
      if (!accepts(inFlight, request)) {
        dropped.push(request);
        return false;
      }
      inFlight++;
      const index = sent.push(request) - 1;
      const ms = typeof takesMs === 'number' ? takesMs : takesMs(request);
      if (ms === 0) queue.soon(endKind, index);
      else if (Number.isFinite(ms)) queue.at(queue.now + Math.round(ms * 1e6), endKind, index);
      return true;
    },
    freshRow: () => fresh++,
  });
  const made: Alone = { queue, source, sent, dropped, sockets, programs: plan.programs, opening: plan.opening, present };
  const sample = queue.register(() => void present.push(source.present ?? -1));
  for (let ms = 100; ms <= durationMs; ms += 100) queue.at(ms * 1e6 - 1, sample, 0);
  const outside = queue.register((index) => at[index][1](made));
  at.forEach(([atMs], index) => queue.at(atMs * 1e6, outside, index));
  queue.runUntil(durationMs * 1e6);
  return made;
};

/** Times of what was sent, ms. */
export const times = ({ sent }: Alone): number[] => sent.map(({ atMs }) => atMs);

/** How many of the times are in each stretch of `everyMs`. */
export const counted = (atMs: readonly number[], everyMs: number, count: number): number[] => {
  const counts = Array<number>(count).fill(0);
  for (const ms of atMs) counts[Math.floor(ms / everyMs)]++;
  return counts;
};
