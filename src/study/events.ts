import type { EventKind } from './types.js';

/**
 * What each kind of event says of itself: who it happened to, why (a short code; `src/text/events.ts` has the words), and the numbers of its sentence.
 * An instance is written `order-api.2` (1-based), a link `alb.order-api`.
 */
export const eventForms: Readonly<Record<EventKind, { readonly subject: 'instance' | 'service' | 'link' | 'fault' | 'lock'; readonly causes: string; readonly data: readonly string[] }>> = {
  saturated: { subject: 'instance', causes: '`cpu`, `slots`, `pool`, `memory` or `lock`; the subject is an instance, a host (`box`) or a lock (`mysql.companion`); basis estimated for cpu and memory', data: ['level', 'limit', 'sinceMs'] },
  ejected: { subject: 'instance', causes: 'reason of the last bad probe: `queue full`, `timeout`, `connection refused` …; `outlier` for outlier detection, where `bad` counts errors in a row', data: ['link', 'bad', 'inRotation'] },
  ready: { subject: 'instance', causes: '`first probe` of a new instance, `probes` of one that was taken out, `time` when an ejection is over', data: ['link', 'good', 'inRotation'] },
  oom: { subject: 'instance', causes: '`memory limit`, or `host memory` when the host ran out and this was the largest', data: ['lost', 'running', 'queued', 'memoryBytes', 'limitBytes', 'recoveryMs'] },
  crashed: { subject: 'instance', causes: 'name of the fault', data: ['lost', 'running', 'queued', 'recoveryMs'] },
  back: { subject: 'instance', causes: '`restart`, `reboot` or `replace`', data: ['downMs', 'warmUpMs'] },
  'scale-out': { subject: 'service', causes: 'the metric: `cpu`, `slots` or `queue`', data: ['from', 'to', 'metric', 'target', 'bootMs'] },
  'scale-in': { subject: 'service', causes: 'the metric', data: ['from', 'to', 'metric', 'target', 'drainMs'] },
  booted: { subject: 'instance', causes: '`scale-out` or `deploy`', data: ['bootMs', 'warmUpMs'] },
  gone: { subject: 'instance', causes: '`scale-in`, `deploy` or `rolled back`', data: ['lost'] },
  'breaker-open': { subject: 'link', causes: '`errors`', data: ['share'] },
  'breaker-closed': { subject: 'link', causes: '`probes`', data: [] },
  'lock-timeout': { subject: 'lock', causes: '`wait`', data: ['waitMs', 'waiting'] },
  fault: { subject: 'fault', causes: "the fault's verb", data: ['target'] },
  'fault-end': { subject: 'fault', causes: "the fault's verb", data: ['target'] },
  deployed: { subject: 'service', causes: '`rolling` or `blue-green`', data: ['replaced'] },
  'rolled-back': { subject: 'service', causes: '`rolling` or `blue-green`', data: ['failing'] },
};

/** `order-api.2` → service and instance number; instance null for a whole service. */
export const splitSubject = (subject: string): { service: string; instance: number | null } => {
  const match = /^(.+)\.(\d+)$/.exec(subject);
  return match ? { service: match[1], instance: Number(match[2]) } : { service: subject, instance: null };
};
