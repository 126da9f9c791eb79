import type { Call } from './kernel/calls.js';
import type { EventQueue } from './kernel/event-queue.js';
import { Container } from './parts/cpu.js';
import { CpuPool } from './parts/cpu-pool.js';
import { Host } from './parts/host.js';
import { Instance } from './parts/instance.js';
import { TokenBucket } from './parts/token-bucket.js';
import type { Plan, ServicePlan } from './plan/plan.js';

/** Where everything runs. */
export interface Places {
  /** All places that an instance can have, service by service. */
  readonly instances: readonly Instance[];
  readonly hosts: readonly Host[];
  /** By service: the first of its places. */
  readonly firstPlace: readonly number[];
}

/** Makes every place that there can ever be: its container, the cores that it shares with others, its rate limit, and who stands beside whom. */
export const makePlaces = (plan: Plan, queue: EventQueue, computed: (call: Call) => void): Places => {
  const { services } = plan;
  const firstPlace = services.map((_, index) => services.slice(0, index).reduce((sum, { maxInstances }) => sum + maxInstances, 0));
  const hosts = plan.hosts.map(({ name, cpus, memoryBytes }) => new Host<Instance>(name, new CpuPool(queue, cpus.value), memoryBytes.value));
  const podPools = new Map<string, CpuPool>();
  const instances: Instance[] = [];
  const kind = queue.register<Container>((container) => container.fire(computed));
  for (const service of services) {
    const shared = service.model.rateLimit?.scope === 'service' ? bucketOf(service) : null;
    for (let ordinal = 0; ordinal < service.maxInstances; ordinal++) {
      const place = firstPlace[service.index] + ordinal;
      const host = hosts.find(({ name }) => name === hostOf(service, plan)) ?? null;
      const { cpus, cpuRequest, throttle } = service.model;
      const container = new Container(queue, kind, {
        capCores: Math.min(service.machineCores, cpus.value),
        weight: cpuRequest.value,
        throttle,
        pool: host?.pool ?? podPool(service, ordinal, plan, queue, podPools),
      });
      const instance = new Instance(place, service, ordinal, container);
      instance.host = host;
      instance.bucket = shared ?? bucketOf(service);
      host?.add(instance);
      instances.push(instance);
    }
  }
  joinPods(instances, services, firstPlace);
  return { instances, hosts, firstPlace };
};

const bucketOf = ({ model: { rateLimit } }: ServicePlan): TokenBucket | null => (rateLimit ? new TokenBucket(rateLimit.rate.value, rateLimit.burst.value, rateLimit.delay) : null);

/** A sidecar is where its pod is. */
const hostOf = (service: ServicePlan, plan: Plan): string | null => {
  const { place } = (service.pod < 0 ? service : plan.services[service.pod]).model;
  return place.on === 'host' ? place.host : null;
};

/** Cores of the machine that a pod has for itself, when its containers must share them or one may use them faster than its cap; else null. */
const podPool = (service: ServicePlan, ordinal: number, plan: Plan, queue: EventQueue, pools: Map<string, CpuPool>): CpuPool | null => {
  const pod = service.pod < 0 ? service : plan.services[service.pod];
  const isShared = service.model.throttle === 'cfs' || plan.services.some((other) => other.pod === pod.index);
  if (pod.machineCores === Infinity || !isShared) return null;
  const key = `${pod.index} ${ordinal}`;
  let pool = pools.get(key);
  if (!pool) pools.set(key, (pool = new CpuPool(queue, pod.machineCores)));
  return pool;
};

const joinPods = (instances: readonly Instance[], services: readonly ServicePlan[], firstPlace: readonly number[]): void => {
  for (const instance of instances) {
    if (instance.service.pod < 0) continue;
    const pod = instances[firstPlace[services[instance.service.pod].index] + instance.ordinal];
    instance.pod = pod;
    pod.sidecars.push(instance);
  }
};
