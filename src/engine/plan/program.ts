import * as opCode from './op-code.js';
import type { Step } from '../../scenario/model.js';
import * as outcome from '../kernel/outcome.js';
import type { Outcome } from '../kernel/outcome.js';
import { siteOf } from '../kernel/keyed-draws.js';
import type { Call } from '../kernel/calls.js';
import type { Lane } from '../kernel/event-queue.js';
import { samplerOf, type Sampler } from '../kernel/sampler.js';
import { toNs, type LinkPlan, type RetryPlan } from './plan.js';

export * as opCode from './op-code.js';

/** One op of a program. One class for all, so that the loop over them meets one shape; what an op does not need is blank. */
export class Op {
  readonly code: number;
  /** Work or time, ns. */
  readonly sampler: Sampler | null;
  /** What every draw is, whole ns; NaN where they differ. */
  readonly alwaysNs: number;
  /** Timers of a wait that is always as long; made when the first begins. */
  lane: Lane<Call> | null = null;
  /** Which of the place's links; −1 = none. */
  readonly link: number;
  /** What is asked there; −1 = the same request. */
  readonly request: number;
  readonly site: number;
  /** Which repetition of its step this is, from 0: tells apart the draws of steps that run several times. */
  readonly occurrence: number;
  /** For ends. */
  readonly outcome: Outcome;
  readonly reason: number;
  /** Where to go on when the step does not take place, or a cache hit skips the miss. */
  to: number;
  /** Chance, or hit ratio. */
  readonly share: number;
  /** Longest wait for a lock, or the time that a cache takes to fill, ns. */
  readonly timeNs: number;
  /** Lock, stock or traffic by number (−1: a traffic that this variant leaves out); the scope that a transaction opens. */
  readonly index: number;
  /** Units put, sockets pushed to. */
  readonly count: number;
  readonly perInstance: boolean;
  readonly retries: RetryPlan | null;
  /** Programs of the branches of `fork`. */
  readonly branches: readonly Program[];
  /** First ops of the options of `choose`, and their weights. */
  targets: readonly number[];
  readonly weights: readonly number[];
  /** Innermost scope that the op is in; −1 = none. */
  readonly scope: number;
  /** For calls: scope of the transaction over whose connection it goes; −1 = a connection of its own. */
  readonly heldBy: number;

  /** Without anything given: an op that nothing has been said of. */
  constructor(given: Partial<Op> = {}, scope = -1) {
    this.code = given.code ?? opCode.end;
    this.sampler = given.sampler ?? null;
    this.alwaysNs = Math.round(given.sampler?.always ?? NaN);
    this.link = given.link ?? -1;
    this.request = given.request ?? -1;
    this.site = given.site ?? 0;
    this.occurrence = given.occurrence ?? 0;
    this.outcome = given.outcome ?? outcome.good;
    this.reason = given.reason ?? -1;
    this.to = -1;
    this.share = given.share ?? 1;
    this.timeNs = given.timeNs ?? 0;
    this.index = given.index ?? -1;
    this.count = given.count ?? 1;
    this.perInstance = given.perInstance ?? false;
    this.retries = given.retries ?? null;
    this.branches = given.branches ?? [];
    this.targets = [];
    this.weights = given.weights ?? [];
    this.scope = scope;
    this.heldBy = given.heldBy ?? -1;
  }
}

/** A stretch of a program that a bad end does not simply leave: a step with `orElse`, or a transaction. */
export interface Scope {
  readonly kind: 'orElse' | 'transaction';
  readonly outer: number;
  /** First op of `orElse`. */
  readonly to: number;
}

export interface Program {
  readonly ops: readonly Op[];
  /** A branch has those of the program that it is a branch of. */
  readonly scopes: readonly Scope[];
  /** Where a bad end stops: for a branch the innermost scope around it, −1 for a whole program. */
  readonly base: number;
}

/** Names to numbers, as the planner gives them. */
export interface Names {
  request(name: string): number;
  /** A reason of the place whose steps are compiled. */
  reason(text: string): number;
  /** Holder: the service that the lock or stock belongs to. */
  lock(holder: string, name: string, perInstance: boolean): number;
  stock(holder: string, name: string): number;
  traffic(name: string): number;
  retries(step: { readonly path: string; readonly retries?: Extract<Step, { verb: 'call' }>['retries'] }): RetryPlan | null;
}

/** A handler's steps as one flat program: repetitions written out, choices and alternatives as jumps. */
export const compile = (steps: readonly Step[], place: string, links: readonly LinkPlan[], names: Names): Program => new Compiler(place, links, names, { scopes: [], scope: -1, transaction: null }).compile(steps);

/** What a probe without a handler runs: it only passes the door. */
export const emptyProgram: Program = { ops: [], scopes: [], base: -1 };

/** A program of one op: an end, or a call. */
export const single = (op: Partial<Op>): Program => ({ ops: [new Op(op)], scopes: [], base: -1 });

/** A transaction that steps are in. */
interface Held {
  readonly service: string;
  readonly scope: number;
  readonly outer: Held | null;
}

/** What is around steps: all scopes of the handler, the innermost one here, and the innermost transaction. */
interface Around {
  readonly scopes: Scope[];
  readonly scope: number;
  readonly transaction: Held | null;
}

class Compiler {
  private readonly ops: Op[] = [];
  private readonly scopes: Scope[];
  private scope: number;
  private transaction: Held | null;

  constructor(private readonly place: string, private readonly links: readonly LinkPlan[], private readonly names: Names, private readonly around: Around) {
    ({ scopes: this.scopes, scope: this.scope, transaction: this.transaction } = around);
  }

  compile(steps: readonly Step[]): Program {
    this.list(steps, 0);
    return { ops: this.ops, scopes: this.scopes, base: this.around.scope };
  }

  /** Steps beside others: a program of its own, inside the same scopes and transactions. */
  private branch(steps: readonly Step[]): Program {
    const { scopes, scope, transaction } = this;
    return new Compiler(this.place, this.links, this.names, { scopes, scope, transaction }).compile(steps);
  }

  private list(steps: readonly Step[], outer: number): void {
    for (const step of steps) {
      const times = step.times.value;
      // The same step in another repetition of what is around it has other draws.
      for (let i = 0; i < times; i++) this.perhaps(step, outer * times + i);
    }
  }

  private perhaps(step: Step, occurrence: number): void {
    if (step.chance.value >= 1) return this.orElse(step, occurrence);
    const chance = this.add({ code: opCode.chance, site: siteOf(`${step.path}.chance`), occurrence, share: step.chance.value });
    this.orElse(step, occurrence);
    this.land(chance);
  }

  private orElse(step: Step, occurrence: number): void {
    if (!step.orElse) return this.step(step, occurrence);
    const outer = this.scope;
    this.scope = this.scopes.push({ kind: 'orElse', outer, to: -1 }) - 1;
    const own = this.scope;
    this.step(step, occurrence);
    this.scope = outer;
    const past = this.add({ code: opCode.jump });
    this.scopes[own] = { kind: 'orElse', outer, to: this.ops.length };
    this.list(step.orElse, occurrence);
    this.land(past);
  }

  private step(step: Step, occurrence: number): void {
    const site = siteOf(step.path);
    switch (step.verb) {
      case 'cpu':
        return void this.add({ code: opCode.cpu, sampler: samplerOf(step.demand, step.path, 1e6), occurrence });
      case 'wait':
        return void this.add({ code: opCode.wait, sampler: samplerOf(step.time, step.path, 1e6), occurrence });
      case 'call': {
        const { service, request } = step.target;
        return void this.add({ code: opCode.call, link: this.linkTo(service), request: this.requestOf(request), site, occurrence, retries: this.names.retries(step), heldBy: this.heldWith(service) });
      }
      case 'publish':
        return void this.add({ code: opCode.publish, link: this.linkTo(step.target.service), request: this.requestOf(step.target.request), site, occurrence });
      case 'push':
        return void this.push(step, occurrence);
      case 'parallel':
        return void this.add({ code: opCode.fork, site, occurrence, branches: step.branches.map((branch) => this.branch(branch)) });
      case 'choose':
        return this.choose(step, occurrence);
      case 'transaction':
        return this.hold(step, occurrence);
      case 'lock':
        return void this.add({ code: opCode.lock, site, occurrence, index: this.names.lock(this.holder, step.name, step.scope === 'instance'), perInstance: step.scope === 'instance', timeNs: toNs(step.wait.value), retries: this.names.retries(step) });
      case 'take':
        return void this.add({ code: opCode.take, index: this.names.stock(this.holder, step.name) });
      case 'put':
        return void this.add({ code: opCode.put, index: this.names.stock(this.holder, step.name), count: step.count.value });
      case 'cache': {
        const hit = this.add({ code: opCode.cache, site, occurrence, share: step.hit.value, timeNs: toNs(step.fill.value) });
        this.list(step.miss, occurrence);
        return this.land(hit);
      }
      case 'decline':
      case 'refuse':
      case 'fail':
        return void this.add({ outcome: endOf[step.verb], reason: this.names.reason(step.reason) });
    }
  }

  /** One delivery after another: computing, then the message. */
  private push(step: Extract<Step, { verb: 'push' }>, occurrence: number): void {
    this.add({ code: opCode.push, site: siteOf(step.path), occurrence, index: this.names.traffic(step.traffic), count: step.count.value, sampler: samplerOf(step.cpu, `${step.path}.cpu`, 1e6), perInstance: step.scope === 'instance' });
  }

  private choose(step: Extract<Step, { verb: 'choose' }>, occurrence: number): void {
    const op = this.add({ code: opCode.choose, site: siteOf(step.path), occurrence, weights: step.options.map(({ weight }) => weight.value) });
    const ends: Op[] = [];
    op.targets = step.options.map(({ steps }) => {
      const start = this.ops.length;
      this.list(steps, occurrence);
      ends.push(this.add({ code: opCode.jump }));
      return start;
    });
    for (const end of ends) this.land(end);
  }

  private hold(step: Extract<Step, { verb: 'transaction' }>, occurrence: number): void {
    const outerTransaction = this.transaction;
    const outer = this.scope;
    const link = this.linkTo(step.service);
    const opened = this.scopes.push({ kind: 'transaction', outer, to: -1 }) - 1;
    this.add({ code: opCode.begin, link, site: siteOf(step.path), occurrence, index: opened });
    this.scope = opened;
    this.transaction = { service: step.service, scope: this.scope, outer: outerTransaction };
    this.list(step.steps, occurrence);
    this.add({ code: opCode.commit, link });
    this.transaction = outerTransaction;
    this.scope = outer;
  }

  /** Whose locks and stocks the steps mean: the transaction's service, else the service that runs them. */
  private get holder(): string {
    return this.transaction?.service ?? this.place;
  }

  /** Scope of the innermost transaction with a service, whose connection calls to it go over; −1 = none. */
  private heldWith(service: string): number {
    let held = this.transaction;
    while (held && held.service !== service) held = held.outer;
    return held?.scope ?? -1;
  }

  private linkTo(service: string): number {
    return this.links.findIndex(({ model, kind }) => kind === 'call' && model.callee === service);
  }

  private requestOf(name: string | undefined): number {
    return name === undefined ? -1 : this.names.request(name);
  }

  private add(given: Partial<Op>): Op {
    const op = new Op(given, this.scope);
    this.ops.push(op);
    return op;
  }

  /** The op jumps to what comes next. */
  private land(op: Op): void {
    op.to = this.ops.length;
  }
}

const endOf = { decline: outcome.declined, refuse: outcome.refused, fail: outcome.failed } as const;
