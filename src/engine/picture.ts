import type { Host, Link, Objective, Service, System, Traffic } from '../scenario/model.js';
import { stairsOf } from '../scenario/system/phases.js';
import type { Picture, PictureHost, PictureLink, PictureObjective, PictureService, PictureTraffic } from '../study/types.js';
import type { LinkPlan, Plan, ServicePlan } from './plan/plan.js';
import { scriptedLoad } from './scripted-load.js';

/** The structure that stage and report draw; `firstProbeNs` by link, null without a health check. */
export const pictureOf = (system: System, plan: Plan, firstProbeNs: readonly (number | null)[]): Picture => ({
  hosts: system.hosts.map(pictureHost),
  services: plan.services.map((service) => pictureService(service, plan)),
  links: plan.links.map((link) => pictureLink(link, firstProbeNs[link.index])),
  traffic: system.traffic.map((traffic) => pictureTraffic(traffic, system.durationMs)),
  objectives: system.objectives.map((objective) => pictureObjective(objective, system)),
});

/** JSON knows no infinity: unlimited is null. */
const bounded = (value: number): number | null => (Number.isFinite(value) ? value : null);

const pictureHost = ({ name, cpus, memoryBytes }: Host): PictureHost => ({ name, cpus: bounded(cpus.value), memoryBytes: bounded(memoryBytes.value) });

const pictureService = ({ index, model, maxInstances }: ServicePlan, plan: Plan): PictureService => ({
  name: model.name,
  title: model.title,
  kind: model.kind,
  machine: model.place.on === 'machine' ? { name: model.place.machine.name, cpus: model.place.machine.cpus.value, memoryBytes: model.place.machine.memoryBytes.value } : null,
  host: model.place.on === 'host' ? model.place.host : null,
  beside: model.place.on === 'beside' ? model.place.service : null,
  slotsHeld: model.slotsHeld,
  rateLimit: model.rateLimit ? { perS: model.rateLimit.rate.value, burst: model.rateLimit.burst.value, delay: model.rateLimit.delay, scope: model.rateLimit.scope } : null,
  consumes: model.consumes ?? null,
  locks: [...new Set(plan.locks.filter(({ service }) => service === index).map(({ name }) => name.slice(model.name.length + 1)))],
  stock: Object.fromEntries(Object.entries(model.stock).map(([name, units]) => [name, units.value])),
  cpus: bounded(model.cpus.value),
  slots: bounded(model.slots.value),
  queueLimit: bounded(model.queue.limit.value),
  memoryLimitBytes: bounded(model.memory.limit.value),
  instancesAtStart: model.instances.value,
  instancesMax: maxInstances,
  warmUp: { forMs: model.warmUp.for.value, factor: model.warmUp.factor.value },
  recovery: { by: model.recovery.by, afterMs: model.recovery.after.value },
  autoscale: pictureAutoscale(model),
});

const pictureAutoscale = ({ autoscale }: Service): PictureService['autoscale'] =>
  autoscale
    ? {
        min: autoscale.min.value,
        max: autoscale.max.value,
        metric: autoscale.metric,
        target: autoscale.target.value,
        everyMs: autoscale.every.value,
        bootMs: autoscale.boot.value,
        bootBasis: autoscale.boot.basis,
      }
    : null;

const pictureLink = ({ callerName, callerIsTraffic, kind, model }: LinkPlan, firstProbeNs: number | null): PictureLink => ({
  caller: callerName,
  callerKind: callerIsTraffic ? 'traffic' : 'service',
  callee: model.callee,
  kind,
  policy: model.policy,
  health: model.health
    ? {
        path: model.health.path,
        everyMs: model.health.every.value,
        firstMs: firstProbeNs! / 1e6,
        timeoutMs: model.health.timeout.value,
        unhealthyAfter: model.health.unhealthyAfter.value,
        healthyAfter: model.health.healthyAfter.value,
      }
    : null,
  failOpen: model.failOpen.value,
  timeoutMs: bounded(model.timeout.value),
  deadlineMs: bounded(model.deadline.value),
  retries: model.retries.max.value,
  outlier: pictureOutlier(model),
  breaker: pictureBreaker(model),
  slowStartMs: model.slowStart.value,
  pool: picturePool(model),
});

const pictureOutlier = ({ outlier }: Link): PictureLink['outlier'] =>
  outlier ? { errors: outlier.errors.value, everyMs: outlier.every.value, ejectMs: outlier.eject.value, maxEjected: outlier.maxEjected.value } : null;

const pictureBreaker = ({ breaker }: Link): PictureLink['breaker'] =>
  breaker ? { errors: breaker.errors.value, windowMs: breaker.window.value, minimum: breaker.minimum.value, openMs: breaker.open.value } : null;

const picturePool = ({ pool }: Link): PictureLink['pool'] =>
  pool
    ? {
        max: bounded(pool.max.value),
        pending: bounded(pool.pending.value),
        waitMs: bounded(pool.wait.value),
        reuse: bounded(pool.reuse.value),
        handshakeMs: pool.handshake.time.value,
      }
    : null;

const pictureTraffic = (traffic: Traffic, durationMs: number): PictureTraffic => ({
  name: traffic.name,
  title: traffic.title,
  kind: traffic.source.kind,
  isJourney: traffic.steps !== undefined,
  from: traffic.from ?? null,
  limit: bounded(traffic.limit.value),
  scripted: scriptedLoad(traffic, durationMs),
});

/** `each` stands for the phases that stairs made. */
const pictureObjective = ({ name, of, metric, condition, over, in: within, vs, breaks }: Objective, system: System): PictureObjective => ({
  name,
  of: of!,
  metric: metric!,
  condition: condition!.text,
  op: condition!.op,
  low: bounded(condition!.low),
  high: bounded(condition!.high),
  unit: condition!.unit,
  over,
  in: within === 'each' ? stairPhases(system) : within,
  isEach: within === 'each',
  vs: vs ? { phase: vs.in ?? null, variant: vs.variant ?? system.variant } : null,
  breaks,
});

/** They come last in the system's list. */
const stairPhases = ({ phases, traffic }: System): string[] => {
  const steps = traffic.reduce((count, one) => count + (stairsOf(one)?.steps.length ?? 0), 0);
  return phases.slice(phases.length - steps).map(({ name }) => name);
};
