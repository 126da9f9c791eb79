import type { Unsupported } from '../scenario/unsupported.js';
import type { Fault, Link, Service, Step, System, Traffic, Value } from '../scenario/model.js';

/** Everything of a system that the engine would have to ignore. A scenario with any of it is refused, never simulated without it. */
export const unsupported = (system: System): Unsupported[] => [
  ...system.services.flatMap(inService),
  ...system.traffic.flatMap(inTraffic),
  ...system.faults.flatMap((fault) => inFault(fault, system)),
];

/** The path, when the condition holds. */
const when = (condition: boolean, path: string, what: string): Unsupported[] => (condition ? [{ path, what }] : []);

const inService = (service: Service): Unsupported[] => {
  const path = `services.${service.name}`;
  const { place, memory, recovery, autoscale } = service;
  return [
    ...when(place.on === 'host', `${path}.host`, 'a host that services share'),
    ...when(place.on === 'beside', `${path}.beside`, 'a sidecar'),
    ...when(service.throttle === 'cfs', `${path}.throttle`, 'CFS throttling'),
    ...when(service.slotsHeld === 'cpu', `${path}.slotsHeld`, 'slots held only during cpu steps'),
    ...when(memory.perConnection.value > 0, `${path}.memory.perConnection`, 'memory per connection'),
    ...when(memory.leakPerSecond.value > 0, `${path}.memory.leakPerSecond`, 'a leak per second'),
    ...when(recovery.by === 'reboot' || recovery.by === 'replace', `${path}.recovery.by`, `recovery by ${recovery.by}`),
    ...when(recovery.backoff === 'kubernetes', `${path}.recovery.backoff`, 'back-off of restarts'),
    ...when(service.rateLimit !== undefined, `${path}.rateLimit`, 'a rate limit'),
    ...when(Object.keys(service.stock).length > 0, `${path}.stock`, 'stock'),
    ...when(service.consumes !== undefined, `${path}.consumes`, 'a queue worker'),
    ...when(autoscale !== undefined && autoscale.metric !== 'cpu', `${path}.autoscale.metric`, `scaling on ${autoscale?.metric}`),
    ...when(autoscale?.rule === 'ec2', `${path}.autoscale.rule`, 'the ec2 rule'),
    ...when((autoscale?.with.length ?? 0) > 0, `${path}.autoscale.with`, 'scaling that counts sidecars'),
    ...Object.values(service.handlers).flatMap((steps) => steps.flatMap(inStep)),
    ...service.links.flatMap(inLink),
  ];
};

const simulatedVerbs: readonly string[] = ['cpu', 'wait', 'call', 'decline', 'refuse', 'fail'];

const inStep = (step: Step): Unsupported[] => [
  ...when(!simulatedVerbs.includes(step.verb), step.path, `the step '${step.verb}'`),
  ...when(step.times.value !== 1, `${step.path}.times`, "'times'"),
  ...when(step.chance.value !== 1, `${step.path}.chance`, "'chance'"),
  ...when(step.orElse !== undefined, `${step.path}.orElse`, "'orElse'"),
  ...when(step.verb === 'call' && step.retries !== undefined, `${step.path}.retries`, 'retries'),
];

const inLink = (link: Link): Unsupported[] => {
  const { path, pool } = link;
  const isSet = (value: Value | undefined): boolean => value !== undefined && value.value > 0;
  return [
    ...when(link.policy === 'hash', `${path}.policy`, 'balancing by hash'),
    ...when(link.outlier !== undefined, `${path}.outlier`, 'outlier ejection'),
    ...when(isSet(link.slowStart), `${path}.slowStart`, 'slow start'),
    ...when(pool !== undefined && Number.isFinite(pool.reuse.value), `${path}.pool.reuse`, 'connections that close after some requests'),
    ...when(isSet(pool?.handshake.time) || isSet(pool?.handshake.callerCpu) || isSet(pool?.handshake.calleeCpu), `${path}.pool.handshake`, 'the cost of a handshake'),
    ...when(Number.isFinite(link.deadline.value), `${path}.deadline`, 'a deadline'),
    ...when(link.retries.max.value > 0, `${path}.retries`, 'retries'),
    ...when(link.breaker !== undefined, `${path}.breaker`, 'a circuit breaker'),
    ...when(link.cancel, `${path}.cancel`, 'cancelled work'),
  ];
};

const inTraffic = (traffic: Traffic): Unsupported[] => {
  const path = `traffic.${traffic.name}`;
  return [
    ...when(traffic.source.kind !== 'open', `${path}.${traffic.source.kind}`, `${traffic.source.kind} traffic`),
    ...when(traffic.steps !== undefined, `${path}.steps`, 'a journey'),
    ...when(traffic.keys !== undefined, `${path}.keys`, 'keys'),
    ...when(Number.isFinite(traffic.limit.value), `${path}.limit`, "the generator's limit"),
    ...when(traffic.from !== undefined, `${path}.from`, 'traffic from instances'),
    ...traffic.links.flatMap(inLink),
  ];
};

const inFault = (fault: Fault, system: System): Unsupported[] => {
  const path = `faults.${fault.name}`;
  const { verb } = fault.what;
  if (verb !== 'crash') return [{ path: `${path}.${verb}`, what: `the fault '${verb}'` }];
  return [
    ...when(fault.untilMs < system.durationMs, `${path}.for`, "'for' of a crash (a crashed instance comes back by its own recovery)"),
    ...when(!('service' in fault.target), `${path}.target`, 'a crash of a link'),
  ];
};
