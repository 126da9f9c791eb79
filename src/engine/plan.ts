import type { Autoscale, Link, Policy, Service, Step, System, Traffic } from '../scenario/model.js';
import { outcome, type Outcome } from './kernel/calls.js';
import { siteOf } from './kernel/keyed-draws.js';
import { samplerOf, type Sampler } from './kernel/sampler.js';

/** What the engine runs: a system with names turned into numbers, durations into nanoseconds, and handlers into small programs. */
export interface Plan {
  readonly durationNs: number;
  readonly tickNs: number;
  readonly services: readonly ServicePlan[];
  readonly sources: readonly SourcePlan[];
  /** All links, traffic's first; `LinkPlan.index` points in here. */
  readonly links: readonly LinkPlan[];
  readonly programs: readonly (readonly Op[])[];
  readonly requests: readonly string[];
  readonly reasons: Reasons;
}

export const opCode = { cpu: 0, wait: 1, call: 2, end: 3 } as const;

/** One op of a program. One shape for all, so that the loop over them stays fast. */
export interface Op {
  readonly code: number;
  /** Work or time, ns. */
  readonly sampler: Sampler | null;
  /** For calls: which of the place's links, what request (−1: the same), and the site of its key. */
  readonly link: number;
  readonly request: number;
  readonly site: number;
  /** For ends. */
  readonly outcome: Outcome;
  readonly reason: number;
}

export interface ServicePlan {
  readonly index: number;
  readonly name: string;
  readonly model: Service;
  /** Instances that there can ever be. */
  readonly maxInstances: number;
  /** Cores of an instance's own machine; Infinity without one. */
  readonly machineCores: number;
  /** By request number: the program that handles it. */
  readonly programs: Int32Array;
  readonly links: readonly LinkPlan[];
  readonly autoscale: Autoscale | null;
  readonly reasons: { readonly queueFull: number; readonly patience: number; readonly killed: number; readonly connectionRefused: number };
}

export interface LinkPlan {
  /** Among all links. */
  readonly index: number;
  /** `alb.order-api`. */
  readonly name: string;
  readonly callerName: string;
  readonly callerIsTraffic: boolean;
  readonly model: Link;
  /** Service number of the callee. */
  readonly callee: number;
  readonly policy: Policy;
  readonly latency: Sampler | null;
  readonly site: number;
  readonly timeoutNs: number;
  readonly poolMax: number;
  readonly poolPending: number;
  readonly poolWaitNs: number;
  /** A count, or a share of the fleet when below it `failOpenIsShare`. */
  readonly failOpen: number;
  readonly failOpenIsShare: boolean;
  readonly health: {
    readonly dedicated: boolean;
    /** −1: a probe without a handler. */
    readonly request: number;
    readonly everyNs: number;
    readonly timeoutNs: number;
    readonly unhealthyAfter: number;
    readonly healthyAfter: number;
  } | null;
  readonly reasons: { readonly timeout: number; readonly noHealthy: number; readonly poolFull: number; readonly poolWait: number };
}

export interface SourcePlan {
  readonly name: string;
  readonly model: Traffic;
  readonly links: readonly LinkPlan[];
  /** Programs to choose from, by weight; one alone as a rule. */
  readonly programs: readonly number[];
  readonly weights: readonly number[];
  readonly site: number;
}

/** Reasons with their place, as numbers: `orders-db: queue full`. */
export class Reasons {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  number(place: string, reason: string): number {
    const text = `${place}: ${reason}`;
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

const nsPerMs = 1e6;
export const toNs = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms * nsPerMs) : ms);

export const planOf = (system: System): Plan => new Planner(system).plan();

class Planner {
  private readonly reasons = new Reasons();
  private readonly requests: string[] = [];
  private readonly requestNumbers = new Map<string, number>();
  /** The first is empty: what a probe without a handler runs. */
  private readonly programs: Op[][] = [[]];
  private readonly links: LinkPlan[] = [];
  private readonly serviceNumbers: ReadonlyMap<string, number>;

  constructor(private readonly system: System) {
    this.serviceNumbers = new Map(system.services.map((service, index) => [service.name, index]));
  }

  plan(): Plan {
    for (const service of this.system.services) for (const name of Object.keys(service.handlers)) this.request(name);
    for (const traffic of this.system.traffic) for (const { request } of traffic.send ?? []) this.request(request);
    const sources = this.system.traffic.map((traffic) => this.source(traffic));
    const services = this.system.services.map((service, index) => this.service(service, index));
    return {
      durationNs: toNs(this.system.durationMs),
      tickNs: toNs(this.system.tickMs),
      services,
      sources,
      links: this.links,
      programs: this.programs,
      requests: this.requests,
      reasons: this.reasons,
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

  private source(traffic: Traffic): SourcePlan {
    const links = traffic.links.map((link) => this.link(link, traffic.name, true));
    const send = traffic.send ?? [];
    return {
      name: traffic.name,
      model: traffic,
      links,
      programs: send.map(({ request }) => this.programs.push([{ ...blankOp, code: opCode.call, link: 0, request: this.request(request), site: siteOf(`traffic.${traffic.name}.send`) }]) - 1),
      weights: send.map(({ weight }) => weight.value),
      site: siteOf(`traffic.${traffic.name}`),
    };
  }

  private service(service: Service, index: number): ServicePlan {
    const links = service.links.map((link) => this.link(link, service.name, false));
    const place = (reason: string): number => this.reasons.number(service.name, reason);
    return {
      index,
      name: service.name,
      model: service,
      maxInstances: Math.max(service.instances.value, service.autoscale?.max.value ?? 0),
      machineCores: service.place.on === 'machine' ? service.place.machine.cpus.value : Infinity,
      programs: this.programsOf(service, links),
      links,
      autoscale: service.autoscale ?? null,
      reasons: {
        queueFull: place('queue full'),
        patience: place('patience'),
        killed: place('killed'),
        connectionRefused: place('connection refused'),
      },
    };
  }

  /** One program a handler; `any` catches the rest; without handlers the service forwards to its one callee. */
  private programsOf(service: Service, links: readonly LinkPlan[]): Int32Array {
    const { handlers } = service;
    const compile = (steps: readonly Step[]): number => this.programs.push(steps.map((step) => this.op(step, service.name, links))) - 1;
    const own = new Map(Object.entries(handlers).map(([name, steps]) => [name, compile(steps)]));
    const forwards = Object.keys(handlers).length === 0 && links.length === 1;
    const otherwise = this.programs.push([
      forwards
        ? { ...blankOp, code: opCode.call, link: 0, site: siteOf(`services.${service.name}.forward`) }
        : { ...blankOp, outcome: outcome.failed, reason: this.reasons.number(service.name, 'no handler') },
    ]) - 1;
    return Int32Array.from(this.requests, (name) => own.get(name) ?? own.get('any') ?? otherwise);
  }

  private op(step: Step, place: string, links: readonly LinkPlan[]): Op {
    switch (step.verb) {
      case 'cpu':
        return { ...blankOp, code: opCode.cpu, sampler: samplerOf(step.demand, step.path, nsPerMs) };
      case 'wait':
        return { ...blankOp, code: opCode.wait, sampler: samplerOf(step.time, step.path, nsPerMs) };
      case 'call':
        return {
          ...blankOp,
          code: opCode.call,
          link: links.findIndex((link) => link.model.callee === step.target.service),
          request: step.target.request === undefined ? -1 : this.request(step.target.request),
          site: siteOf(step.path),
        };
      case 'decline':
      case 'refuse':
      case 'fail':
        return { ...blankOp, code: opCode.end, outcome: endOf[step.verb], reason: this.reasons.number(place, step.reason) };
      default:
        throw new Error(`the plan has no op for '${step.verb}'`);
    }
  }

  private link(link: Link, callerName: string, callerIsTraffic: boolean): LinkPlan {
    const place = (reason: string): number => this.reasons.number(link.callee, reason);
    const plan: LinkPlan = {
      index: this.links.length,
      name: `${callerName}.${link.callee}`,
      callerName,
      callerIsTraffic,
      model: link,
      callee: this.serviceNumbers.get(link.callee)!,
      policy: link.policy,
      latency: link.latency.value === 0 ? null : samplerOf(link.latency, `${link.path}.latency`, nsPerMs),
      site: siteOf(link.path),
      timeoutNs: toNs(link.timeout.value),
      poolMax: link.pool?.max.value ?? Infinity,
      poolPending: link.pool?.pending.value ?? Infinity,
      poolWaitNs: toNs(link.pool?.wait.value ?? Infinity),
      failOpen: link.failOpen.value,
      failOpenIsShare: link.failOpen.unit === 'share',
      health: link.health
        ? {
            dedicated: link.health.path === 'dedicated',
            request: link.health.request === undefined ? -1 : this.request(link.health.request),
            everyNs: toNs(link.health.every.value),
            timeoutNs: toNs(link.health.timeout.value),
            unhealthyAfter: link.health.unhealthyAfter.value,
            healthyAfter: link.health.healthyAfter.value,
          }
        : null,
      reasons: { timeout: place('timeout'), noHealthy: place('no healthy'), poolFull: place('pool full'), poolWait: place('pool wait') },
    };
    this.links.push(plan);
    return plan;
  }
}

const blankOp: Op = { code: opCode.end, sampler: null, link: -1, request: -1, site: 0, outcome: outcome.good, reason: -1 };
const endOf = { decline: outcome.declined, refuse: outcome.refused, fail: outcome.failed } as const;
