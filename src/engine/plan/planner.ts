import type { Link, Retries, Service, Step, System, Traffic, Value } from '../../scenario/model.js';
import * as outcome from '../kernel/outcome.js';
import { siteOf } from '../kernel/keyed-draws.js';
import { samplerOf, type Sampler } from '../kernel/sampler.js';
import { toNs, type LinkPlan, type LockPlan, type Plan, type PoolPlan, type RetryPlan, type ServicePlan, type SourcePlan, type StockPlan } from './plan.js';
import { compile, opCode, single, type Names, type Program } from './program.js';
import { Reasons, withoutPlace } from './reasons.js';

export const planOf = (system: System): Plan => new Planner(system).plan();

class Planner {
  private readonly reasons = new Reasons();
  private readonly requests: string[] = [];
  private readonly requestNumbers = new Map<string, number>();
  private readonly links: LinkPlan[] = [];
  private readonly locks: LockPlan[] = [];
  private readonly stocks: StockPlan[] = [];
  /** By path: steps whose own retries have a budget. */
  private readonly stepBudgets = new Map<string, number>();
  private readonly serviceNumbers: ReadonlyMap<string, number>;

  constructor(private readonly system: System) {
    this.serviceNumbers = new Map(system.services.map((service, index) => [service.name, index]));
  }

  plan(): Plan {
    const { system } = this;
    for (const service of system.services) for (const name of Object.keys(service.handlers)) this.request(name);
    for (const traffic of system.traffic) for (const { request } of traffic.send ?? []) this.request(request);
    const sources = system.traffic.map((traffic, index) => this.source(traffic, index));
    const services = system.services.map((service, index) => this.service(service, index));
    // Only now all requests have their numbers: those that are asked for by one service may be caught by `any` of an earlier one.
    for (const { programs, handlers } of services) for (const name of this.requests) programs.push(handlers.own.get(name) ?? handlers.own.get('any') ?? handlers.otherwise);
    return {
      durationNs: toNs(system.durationMs),
      tickNs: toNs(system.tickMs),
      hosts: system.hosts,
      services: services.map(({ service }) => service),
      sources,
      links: this.links,
      requests: this.requests,
      reasons: this.reasons,
      locks: this.locks,
      stocks: this.stocks,
      stepBudgets: this.stepBudgets.size,
    };
  }

  private request(name: string): number {
    let number = this.requestNumbers.get(name);
    if (number === undefined) {
      number = this.requests.push(name) - 1;
      this.requestNumbers.set(name, number);
    }
    return number;
  }

  private source(traffic: Traffic, index: number): SourcePlan {
    const links = traffic.links.map((link) => this.link(link, traffic.name, true));
    const send = traffic.send ?? [];
    const asks = (request: string, site: string): Program => single({ code: opCode.call, link: 0, request: this.request(request), site: siteOf(`traffic.${traffic.name}.${site}`) });
    const opening = traffic.source.kind === 'sockets' ? traffic.source.opening : undefined;
    return {
      index,
      name: traffic.name,
      model: traffic,
      links,
      programs: traffic.steps ? [this.compiled(traffic.steps, traffic.name, links)] : send.map(({ request }) => asks(request, 'send')),
      weights: traffic.steps ? [1] : send.map(({ weight }) => weight.value),
      opening: opening === undefined ? null : asks(opening, 'opening'),
      site: siteOf(`traffic.${traffic.name}`),
      from: traffic.from === undefined ? -1 : this.serviceNumbers.get(traffic.from)!,
    };
  }

  private service(service: Service, index: number): { readonly service: ServicePlan; readonly programs: Program[]; readonly handlers: Handlers } {
    const links = service.links.map((link) => this.link(link, service.name, false));
    const deliveries = this.system.services.filter(({ consumes }) => consumes === service.name).map((worker) => this.link(messagesTo(worker.name), service.name, false, 'message'));
    const place = (reason: string): number => this.reasons.number(service.name, reason);
    const handlers = this.handlersOf(service, links);
    const programs: Program[] = [];
    const planned: ServicePlan = {
      index,
      name: service.name,
      model: service,
      maxInstances: this.mostInstances(service),
      machineCores: service.place.on === 'machine' ? service.place.machine.cpus.value : Infinity,
      pod: service.place.on === 'beside' ? this.serviceNumbers.get(service.place.service)! : -1,
      programs,
      links,
      autoscale: service.autoscale ?? null,
      deliveries,
      reasons: {
        queueFull: place('queue full'),
        patience: place('patience'),
        rateLimited: place('rate limit'),
        killed: place('killed'),
        connectionRefused: place('connection refused'),
        connectTimeout: place('connect timeout'),
        error: place('error'),
      },
    };
    return { service: planned, programs, handlers };
  }

  /** Those of the fleet, and those that stand beside them while a deployment replaces it. A sidecar has as many as its pods. */
  private mostInstances(service: Service): number {
    const pod = service.place.on === 'beside' ? this.system.services[this.serviceNumbers.get(service.place.service)!] : service;
    const fleet = Math.max(pod.instances.value, pod.autoscale?.max.value ?? 0);
    const beside = this.system.faults.map(({ target, what }) => {
      if (what.verb !== 'deploy' || !('service' in target) || target.service !== pod.name) return 0;
      return what.how === 'blue-green' ? fleet : Math.min(fleet, what.batch.value);
    });
    return fleet + Math.max(0, ...beside);
  }

  /** One program a handler; `any` catches the rest; without handlers the service forwards to its one callee. */
  private handlersOf({ name, handlers }: Service, links: readonly LinkPlan[]): Handlers {
    const own = new Map(Object.entries(handlers).map(([request, steps]) => [request, this.compiled(steps, name, links)]));
    const forwards = own.size === 0 && links.length === 1;
    return { own, otherwise: forwards ? single({ code: opCode.call, link: 0, site: siteOf(`services.${name}.forward`) }) : single({ outcome: outcome.failed, reason: this.reasons.number(name, 'no handler') }) };
  }

  private compiled(steps: readonly Step[], place: string, links: readonly LinkPlan[]): Program {
    const names: Names = {
      request: (name) => this.request(name),
      reason: (text) => this.reasons.number(place, text),
      lock: (holder, name, perInstance) => this.lock(holder, name, perInstance),
      stock: (holder, name) => this.stock(holder, name),
      traffic: (name) => this.system.traffic.findIndex((traffic) => traffic.name === name),
      retries: ({ path, retries }) => (retries ? this.retries(retries, `${path}.retries`, this.stepBudget(path, retries)) : null),
    };
    return compile(steps, place, links, names);
  }

  private lock(holder: string, name: string, perInstance: boolean): number {
    const full = `${holder}.${name}`;
    const found = this.locks.findIndex((lock) => lock.name === full && lock.perInstance === perInstance);
    if (found >= 0) return found;
    return this.locks.push({ index: this.locks.length, name: full, service: this.serviceNumbers.get(holder) ?? -1, perInstance, timeoutReason: this.reasons.number(holder, `lock ${name}`) }) - 1;
  }

  private stock(holder: string, name: string): number {
    const full = `${holder}.${name}`;
    const found = this.stocks.findIndex((stock) => stock.name === full);
    if (found >= 0) return found;
    const atStart = this.system.services[this.serviceNumbers.get(holder)!].stock[name].value;
    return this.stocks.push({ index: this.stocks.length, name: full, atStart, emptyReason: this.reasons.number(holder, `no ${name}`) }) - 1;
  }

  /** One for all repetitions of a step. */
  private stepBudget(path: string, { max, budget }: Retries): number {
    if (max.value === 0 || budget.value === Infinity) return -1;
    const number = this.stepBudgets.get(path) ?? this.stepBudgets.size;
    this.stepBudgets.set(path, number);
    return number;
  }

  private retries({ max, when, backoff, factor, cap, jitter, budget, key }: Retries, path: string, stepBudget = -1): RetryPlan | null {
    if (max.value === 0) return null;
    const classes = new Set(when);
    return {
      max: max.value,
      covers: (end, reason) => classes.has(classNames[end]) || (reason >= 0 && classes.has(withoutPlace(this.reasons.texts[reason]))),
      backoffNs: toNs(backoff.value),
      factor: factor.value,
      capNs: toNs(cap.value),
      jitter,
      budget: budget.value,
      stepBudget,
      freshKey: key === 'fresh',
      site: siteOf(path),
    };
  }

  private link(link: Link, callerName: string, callerIsTraffic: boolean, kind: LinkPlan['kind'] = 'call'): LinkPlan {
    const { path, health, outlier, breaker } = link;
    const place = (reason: string): number => this.reasons.number(link.callee, reason);
    const standsBeside = (a: string, b: string): boolean => this.system.services.some(({ name, place: at }) => name === a && at.on === 'beside' && at.service === b);
    const plan: LinkPlan = {
      index: this.links.length,
      name: `${callerName}.${link.callee}`,
      callerName,
      callerIsTraffic,
      kind,
      model: link,
      callee: this.serviceNumbers.get(link.callee)!,
      staysInPod: standsBeside(callerName, link.callee) || standsBeside(link.callee, callerName) || this.system.traffic.some(({ name, from }) => name === callerName && from === link.callee),
      policy: link.policy,
      latency: link.latency.value === 0 ? null : samplerOf(link.latency, `${path}.latency`, 1e6),
      site: siteOf(path),
      timeoutNs: toNs(link.timeout.value),
      deadlineNs: toNs(link.deadline.value),
      retries: this.retries(link.retries, `${path}.retries`),
      pool: link.pool ? poolOf(link.pool, path) : null,
      cancel: link.cancel,
      failOpen: link.failOpen.value,
      failOpenIsShare: link.failOpen.unit === 'share',
      slowStartNs: toNs(link.slowStart.value),
      outlier: outlier ? { errors: outlier.errors.value, everyNs: toNs(outlier.every.value), ejectNs: toNs(outlier.eject.value), maxEjected: outlier.maxEjected.value } : null,
      breaker: breaker ? { errors: breaker.errors.value, windowNs: toNs(breaker.window.value), minimum: breaker.minimum.value, openNs: toNs(breaker.open.value), probes: breaker.probes.value } : null,
      health: health
        ? {
            dedicated: health.path === 'dedicated',
            request: health.request === undefined ? -1 : this.request(health.request),
            everyNs: toNs(health.every.value),
            timeoutNs: toNs(health.timeout.value),
            unhealthyAfter: health.unhealthyAfter.value,
            healthyAfter: health.healthyAfter.value,
          }
        : null,
      reasons: {
        timeout: place('timeout'),
        deadline: place('deadline'),
        noHealthy: place('no healthy'),
        poolFull: place('pool full'),
        poolWait: place('pool wait'),
        breakerOpen: place('breaker open'),
        cut: place('cut off'),
        callerGone: this.reasons.number(callerName, 'killed'),
      },
    };
    this.links.push(plan);
    return plan;
  }
}

/** Programs of a service by request, and what else is asked for. */
interface Handlers {
  readonly own: ReadonlyMap<string, Program>;
  readonly otherwise: Program;
}

const classNames = ['good', 'declined', 'refused', 'failed'] as const;

const poolOf = ({ max, pending, wait, reuse, handshake }: NonNullable<Link['pool']>, path: string): PoolPlan => {
  const part = (key: keyof typeof handshake): Sampler => samplerOf(handshake[key], `${path}.pool.handshake.${key}`, 1e6);
  const costs = handshake.time.value + handshake.callerCpu.value + handshake.calleeCpu.value > 0;
  return {
    max: max.value,
    pending: pending.value,
    waitNs: toNs(wait.value),
    reuse: reuse.value,
    handshake: costs ? { time: part('time'), callerCpu: part('callerCpu'), calleeCpu: part('calleeCpu') } : null,
    tracksConnections: costs || Number.isFinite(reuse.value),
  };
};

/** How a worker takes messages out of its queue: at once, the oldest first, whoever is free. */
const messagesTo = (worker: string): Link => {
  const path = `services.${worker}.consumes`;
  const none = (unit: Value['unit'], value: number): Value => ({ path, value, unit, basis: 'default', setting: true });
  const off = none('count', 0);
  return {
    path,
    callee: worker,
    latency: { ...none('ms', 0), spread: { kind: 'gamma', cv: 0 } },
    policy: 'round-robin',
    failOpen: off,
    slowStart: none('ms', 0),
    timeout: none('ms', Infinity),
    deadline: none('ms', Infinity),
    retries: { max: off, when: [], backoff: none('ms', 0), factor: none('factor', 1), cap: none('ms', Infinity), jitter: 'none', budget: none('share', Infinity), key: 'same' },
    cancel: false,
  };
};
