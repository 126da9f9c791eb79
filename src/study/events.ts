import type { EventKind, LoggedEvent } from './types.js';

type Bearer = 'instance' | 'service' | 'host' | 'link' | 'fault' | 'lock';

/**
 * What each kind of event says of itself: who it happened to, why (a short code; `src/text/events.ts` has the words), and the numbers of its sentence.
 * An instance is written `order-api.2` (1-based), a link `alb.order-api`, a lock `mysql.companion`.
 */
export const eventForms: Readonly<Record<EventKind, { readonly subjects: readonly Bearer[]; readonly causes: string; readonly data: readonly string[] }>> = {
  saturated: { subjects: ['instance', 'host', 'lock'], causes: '`cpu`, `slots`, `pool`, `memory` or `lock`, whose level is the share of the tick in which somebody waited; basis estimated for cpu and memory', data: ['level', 'limit', 'sinceMs'] },
  ejected: { subjects: ['instance'], causes: 'reason of the last bad probe: `queue full`, `timeout`, `connection refused` …; `outlier` for outlier detection, where `bad` counts errors in a row', data: ['link', 'bad', 'inRotation'] },
  ready: { subjects: ['instance'], causes: '`first probe` of a new instance, `probes` of one that was taken out, `time` when an ejection is over', data: ['link', 'good', 'inRotation'] },
  oom: { subjects: ['instance'], causes: '`memory limit`, or `host memory` when the host ran out and this was the largest', data: ['lost', 'running', 'queued', 'memoryBytes', 'limitBytes', 'recoveryMs'] },
  crashed: { subjects: ['instance'], causes: 'name of the fault', data: ['lost', 'running', 'queued', 'recoveryMs'] },
  back: { subjects: ['instance'], causes: '`restart`, `reboot` or `replace`', data: ['downMs', 'warmUpMs'] },
  'scale-out': { subjects: ['service'], causes: 'the metric: `cpu`, `slots` or `queue`', data: ['from', 'to', 'metric', 'target', 'bootMs'] },
  'scale-in': { subjects: ['service'], causes: 'the metric', data: ['from', 'to', 'metric', 'target', 'drainMs'] },
  booted: { subjects: ['instance'], causes: '`scale-out` or `deploy`', data: ['bootMs', 'warmUpMs'] },
  gone: { subjects: ['instance'], causes: '`scale-in`, `deploy` or `rolled back`', data: ['lost'] },
  'breaker-open': { subjects: ['link'], causes: '`errors`', data: ['share'] },
  'breaker-closed': { subjects: ['link'], causes: '`probes`', data: [] },
  'lock-timeout': { subjects: ['lock'], causes: '`wait`', data: ['waitMs', 'waiting'] },
  fault: { subjects: ['fault'], causes: "the fault's verb", data: ['target'] },
  'fault-end': { subjects: ['fault'], causes: "the fault's verb", data: ['target'] },
  deployed: { subjects: ['service'], causes: '`rolling` or `blue-green`', data: ['replaced'] },
  'rolled-back': { subjects: ['service'], causes: '`rolling` or `blue-green`', data: ['failing'] },
};

/** When what an event tells of began, ms. A saturation is noticed some ticks after its beginning, and told by that everywhere; all else is told when it happens. */
export const beganAtMs = ({ kind, tMs, data }: Pick<LoggedEvent, 'kind' | 'tMs' | 'data'>): number => (kind === 'saturated' && typeof data['sinceMs'] === 'number' ? data['sinceMs'] : tMs);

/** Events in the order in which what they tell of began. */
export const byBeginning = <E extends Pick<LoggedEvent, 'kind' | 'tMs' | 'data'>>(log: readonly E[]): E[] => log.toSorted((a, b) => beganAtMs(a) - beganAtMs(b));

/** `order-api.2` → service and instance number; instance null for a whole service. */
export const splitSubject = (subject: string): { service: string; instance: number | null } => {
  const match = /^(.+)\.(\d+)$/.exec(subject);
  return match ? { service: match[1], instance: Number(match[2]) } : { service: subject, instance: null };
};
