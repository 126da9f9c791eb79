import type { Objective, Profile, Service, System, Traffic } from '../scenario/model.js';
import type { Picture, PictureLink, PictureObjective, PictureService, PictureTraffic } from '../study/types.js';
import type { LinkPlan, Plan, ServicePlan } from './plan/plan.js';

/** The structure that stage and report draw; `firstProbeNs` by link, null without a health check. */
export const pictureOf = (system: System, plan: Plan, firstProbeNs: readonly (number | null)[]): Picture => ({
  services: plan.services.map(pictureService),
  links: plan.links.map((link) => pictureLink(link, firstProbeNs[link.index])),
  traffic: system.traffic.map((traffic) => pictureTraffic(traffic, system.durationMs)),
  objectives: system.objectives.map((objective) => pictureObjective(objective, system)),
});

/** JSON knows no infinity: unlimited is null. */
const bounded = (value: number): number | null => (Number.isFinite(value) ? value : null);

const pictureService = ({ model, maxInstances }: ServicePlan): PictureService => ({
  name: model.name,
  title: model.title,
  kind: model.kind,
  machine: model.place.on === 'machine' ? { name: model.place.machine.name, cpus: model.place.machine.cpus.value, memoryBytes: model.place.machine.memoryBytes.value } : null,
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

const pictureLink = ({ callerName, callerIsTraffic, model }: LinkPlan, firstProbeNs: number | null): PictureLink => ({
  caller: callerName,
  callerKind: callerIsTraffic ? 'traffic' : 'service',
  callee: model.callee,
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
  pool: model.pool ? { max: bounded(model.pool.max.value), waitMs: bounded(model.pool.wait.value) } : null,
});

const pictureTraffic = (traffic: Traffic, durationMs: number): PictureTraffic => ({
  name: traffic.name,
  title: traffic.title,
  kind: traffic.source.kind,
  scripted: traffic.source.kind === 'open' ? scripted(traffic.source.rate, traffic.startMs, durationMs) : traffic.source.kind === 'closed' ? scripted(traffic.source.users, traffic.startMs, durationMs) : [],
});

const scripted = (profile: Profile, startMs: number, durationMs: number): PictureTraffic['scripted'] => {
  if (profile.kind === 'constant') return [0, durationMs].map((atMs) => ({ atMs, value: profile.value.value, basis: profile.value.basis }));
  if (profile.kind === 'ramp') return profile.points.map(({ atMs, value }) => ({ atMs, value: value.value, basis: value.basis }));
  let atMs = startMs;
  return profile.steps.flatMap((step, index) => {
    const fromMs = atMs;
    const toMs = fromMs + profile.each.value + (index === 0 ? profile.warmUp.value : 0);
    atMs = toMs + profile.gap.value;
    return [fromMs, toMs].map((at) => ({ atMs: at, value: step.value, basis: step.basis }));
  });
};

/** `each` stands for the phases that stairs made. */
const pictureObjective = ({ name, of, metric, condition, over, in: within, breaks }: Objective, system: System): PictureObjective => ({
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
  breaks,
});

const stairPhases = ({ phases, traffic }: System): string[] =>
  phases.map(({ name }) => name).filter((name) => traffic.some((one) => name.startsWith(`${one.name}-`)));
