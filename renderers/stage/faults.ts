import type { LoggedEvent } from '../../src/study/types.js';
import type { FaultVerb } from '../../src/text/board.js';
import type { Scene } from './scene.js';

/** A fault while it lasts. */
export interface ActiveFault {
  readonly name: string;
  readonly verb: FaultVerb;
  /** A service, an instance (`app.2`) or a link (`app.db`). */
  readonly target: string;
}

/** Faults that work at some time of a tick, in the order in which they began. A crash is over at once; a deployment ends with what it came to. */
export const faultsAt = (scene: Scene, tick: number): readonly ActiveFault[] =>
  spansOf(scene).filter(({ fromMs, toMs }) => fromMs < (tick + 1) * scene.tickMs && toMs > tick * scene.tickMs);

/** What a fault hits, a link written as everywhere else: `app.db`. */
export const targetOf = ({ data }: LoggedEvent): string => String(data['target'] ?? '').replace(' → ', '.');

type Span = ActiveFault & { readonly fromMs: number; readonly toMs: number };

const spansOf = (scene: Scene): readonly Span[] => {
  let spans = cache.get(scene);
  if (!spans) {
    const { eventLog, durationMs } = scene.run;
    spans = eventLog.flatMap((event, index) => {
      if (event.kind !== 'fault') return [];
      const target = targetOf(event);
      const verb = event.cause as FaultVerb;
      const end = eventLog.slice(index).find(({ kind, subject }) => (kind === 'fault-end' && subject === event.subject) || (verb === 'deploy' && (kind === 'deployed' || kind === 'rolled-back') && subject === target));
      return [{ name: event.subject, verb, target, fromMs: event.tMs, toMs: end?.tMs ?? (verb === 'crash' ? event.tMs + 1 : durationMs) }];
    });
    cache.set(scene, spans);
  }
  return spans;
};
const cache = new WeakMap<Scene, readonly Span[]>();
