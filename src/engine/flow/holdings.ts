import { flag, outcome, stage } from '../kernel/calls.js';
import type { CallerLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Op, Scope } from '../plan/program.js';
import type { Flow } from './flow.js';

const kinds = { transaction: 0, lock: 1, taken: 2, put: 3 } as const;

/**
 * What calls hold: connections of transactions, locks, and units of stock that come back if the transaction does not end well. A list for each call,
 * newest first, in recycled places.
 */
export class Holdings {
  private capacity = 256;
  private used = 0;
  private readonly free: number[] = [];
  private next = new Int32Array(this.capacity);
  /** Call in whose list it is; −1: a place that is free. */
  private owner = new Int32Array(this.capacity);
  private kind = new Uint8Array(this.capacity);
  /** Scope of the transaction that it belongs to (for a transaction: its own); −1: it is held until the call ends. */
  private scope = new Int32Array(this.capacity);
  /** Link of the place, lock or stock by number. */
  private index = new Int32Array(this.capacity);
  private row = new Int32Array(this.capacity);
  /** Target, or units. */
  private target = new Int32Array(this.capacity);
  /** Connection, or table of the lock; −2 = the connection is gone. */
  private connection = new Int32Array(this.capacity);

  constructor(private readonly flow: Flow) {}

  /** A transaction has its connection. */
  open(call: number, op: Op, target: number, connection: number): void {
    this.add(call, kinds.transaction, op.index, op.link, -1, target, connection);
  }

  /** Target of the transaction's connection. */
  targetOf(call: number, scope: number): number {
    return this.target[this.transaction(call, scope)];
  }

  commit(call: number, scope: number): void {
    this.end(call, scope, true);
  }

  rollBack(call: number, scope: number): void {
    this.end(call, scope, false);
  }

  /** The connection of the transaction is gone: rolled back at once, the locks pass on; nothing inside it goes on. */
  breakConnection(call: number, scope: number): void {
    const held = scope < 0 ? -1 : this.transaction(call, scope);
    if (held < 0 || this.connection[held] === gone) return;
    const link = this.linkOf(held);
    const connection = this.connection[held];
    this.connection[held] = gone;
    this.releaseWhere(this.owner[held], (holding) => this.kind[holding] !== kinds.transaction && this.scope[holding] === scope, false);
    this.flow.connections.freeConnection(link, connection, true);
  }

  /** Everything that is held now, for the laws: connections of transactions by their link, and locks. */
  tellHeld(connection: (link: CallerLink) => void, lock: (lock: Lock) => void): void {
    for (let held = 0; held < this.used; held++) {
      if (this.owner[held] < 0) continue;
      if (this.kind[held] === kinds.transaction && this.connection[held] >= 0) connection(this.linkOf(held));
      if (this.kind[held] === kinds.lock) lock(this.flow.parts.locks[this.index[held]]);
    }
  }

  /** A process is gone: so are the connections to it, and with them the transactions that were open there. */
  processDied(place: number): void {
    this.flow.queue.spend(this.used);
    for (let held = 0; held < this.used; held++) {
      if (this.owner[held] < 0 || this.kind[held] !== kinds.transaction) continue;
      const first = this.flow.parts.firstPlace[this.linkOf(held).shared.plan.callee];
      if (first + this.target[held] === place) this.breakConnection(this.owner[held], this.scope[held]);
    }
  }

  /** Whether the innermost transaction around the op has lost its connection. */
  isBrokenAround(call: number, { scope }: Op): boolean {
    const transaction = this.transactionAround(call, scope);
    return transaction >= 0 && this.isBrokenAt(call, transaction);
  }

  /** Its process at the other end is gone. */
  reasonOfLoss(call: number, { scope }: Op): number {
    const { callee } = this.linkOf(this.transaction(call, this.transactionAround(call, scope))).shared.plan;
    return this.flow.plan.services[callee].reasons.killed;
  }

  isBrokenAt(call: number, scope: number): boolean {
    const held = this.transaction(call, scope);
    return held >= 0 && this.connection[held] === gone;
  }

  /** Whether any transaction around the scope has lost its connection. */
  isBroken(call: number, scopes: readonly Scope[], from: number): boolean {
    for (let scope = from; scope >= 0; scope = scopes[scope].outer) if (scopes[scope].kind === 'transaction' && this.isBrokenAt(call, scope)) return true;
    return false;
  }

  /** True: it has the lock and goes on. */
  lock(call: number, op: Op): boolean {
    const { calls } = this.flow;
    calls.tries[call] = 0;
    calls.stepTries[call] = 0;
    return this.tryLock(call, op);
  }

  lockAgain(call: number): void {
    if (this.tryLock(call, this.flow.opOf(call))) this.flow.run(call);
  }

  /** The wait for a lock is over without it. */
  lockWaited(call: number): void {
    const { calls, queue, parts } = this.flow;
    const op = this.flow.opOf(call);
    const lock = parts.locks[op.index];
    lock.leave(call, calls.row[call], this.tableOf(call, op));
    if (op.retries && calls.stepTries[call] < op.retries.max && op.retries.covers(outcome.failed, lock.plan.timeoutReason)) return void this.flow.retries.backOff(call, op.retries, ++calls.stepTries[call]);
    lock.timeouts++;
    this.flow.listener.lockTimedOut(lock, queue.now - calls.waitingNs[call]);
    this.flow.resume(call, outcome.failed, lock.plan.timeoutReason);
  }

  leaveLine(call: number, wasGranted: boolean): void {
    if (wasGranted) return; // it holds the lock already
    const op = this.flow.opOf(call);
    this.flow.parts.locks[op.index].leave(call, this.flow.calls.row[call], this.tableOf(call, op));
  }

  /** True: there was a unit. */
  take(call: number, op: Op): boolean {
    const row = this.flow.calls.row[call];
    if (!this.flow.parts.stocks[op.index].take(row)) return false;
    const transaction = this.transactionAround(call, op.scope);
    if (transaction >= 0) this.add(call, kinds.taken, transaction, op.index, row, 1, -1);
    return true;
  }

  put(call: number, op: Op): void {
    const row = this.flow.calls.row[call];
    this.flow.parts.stocks[op.index].put(row, op.count);
    const transaction = this.transactionAround(call, op.scope);
    if (transaction >= 0) this.add(call, kinds.put, transaction, op.index, row, op.count, -1);
  }

  /** The call is over, or its process is: what it still holds is given back, transactions are rolled back (rule 16). */
  releaseAll(call: number): void {
    if (this.flow.calls.holding[call] >= 0) this.releaseWhere(call, () => true, false);
  }

  private tryLock(call: number, op: Op): boolean {
    const { calls, parts, queue } = this.flow;
    const lock = parts.locks[op.index];
    const table = this.tableOf(call, op);
    const transaction = this.transactionAround(call, op.scope);
    if (this.hasLock(call, transaction, op.index, calls.row[call], table)) return true;
    if (lock.take(call, calls.row[call], table)) {
      this.add(call, kinds.lock, transaction, op.index, calls.row[call], 0, table);
      return true;
    }
    calls.waitingNs[call] = queue.now;
    this.flow.waitAtMost(call, op.timeNs, stage.locked);
    return false;
  }

  /** Who asks again for what it has, inside the same transaction, has it already. */
  private hasLock(call: number, transaction: number, index: number, row: number, table: number): boolean {
    if (row < 0) return false;
    for (let at = this.flow.calls.holding[this.ownerFor(call, transaction)]; at >= 0; at = this.next[at]) {
      if (this.kind[at] === kinds.lock && this.scope[at] === transaction && this.index[at] === index && this.row[at] === row && this.connection[at] === table) return true;
      this.flow.queue.spend(1);
    }
    return false;
  }

  /** A lock with `scope: instance` has a table for each instance. */
  private tableOf(call: number, op: Op): number {
    return op.perInstance ? this.flow.calls.place[call] : -1;
  }

  private end(call: number, scope: number, isGood: boolean): void {
    this.releaseWhere(call, (holding) => this.scope[holding] === scope, isGood);
  }

  private releaseWhere(call: number, isMeant: (holding: number) => boolean, isGood: boolean): void {
    const { holding } = this.flow.calls;
    let previous = -1;
    for (let at = holding[call]; at >= 0; ) {
      const following = this.next[at];
      this.flow.queue.spend(1);
      if (isMeant(at)) {
        if (previous < 0) holding[call] = following;
        else this.next[previous] = following;
        this.giveBack(at, isGood);
        this.owner[at] = -1;
        this.free.push(at);
      } else previous = at;
      at = following;
    }
  }

  private giveBack(at: number, isGood: boolean): void {
    const { parts, connections } = this.flow;
    switch (this.kind[at]) {
      case kinds.transaction:
        if (this.connection[at] !== gone) connections.freeConnection(this.linkOf(at), this.connection[at], false);
        return;
      case kinds.lock:
        return this.passLockOn(this.index[at], this.row[at], this.connection[at]);
      case kinds.taken:
        if (!isGood) parts.stocks[this.index[at]].put(this.row[at], this.target[at]);
        return;
      case kinds.put:
        if (!isGood) parts.stocks[this.index[at]].put(this.row[at], -this.target[at]);
    }
  }

  private passLockOn(index: number, row: number, table: number): void {
    const { parts } = this.flow;
    const call = parts.locks[index].release(row, table);
    if (call < 0) return;
    this.add(call, kinds.lock, this.transactionAround(call, this.flow.opOf(call).scope), index, row, 0, table);
    this.flow.grant(call);
  }

  /** The open transaction of a scope, which a branch may have from the call that it is a branch of; −1 = none. */
  private transaction(call: number, scope: number): number {
    const { holding, flags, parent } = this.flow.calls;
    for (let owner = call; ; owner = parent[owner]) {
      for (let at = holding[owner]; at >= 0; at = this.next[at]) {
        if (this.kind[at] === kinds.transaction && this.scope[at] === scope) return at;
        this.flow.queue.spend(1);
      }
      if ((flags[owner] & flag.branch) === 0) return -1;
    }
  }

  /** In whose list something belongs that is held in a transaction (its call's), or outside of any (the request's: until it ends). */
  private ownerFor(call: number, transaction: number): number {
    const { flags, parent } = this.flow.calls;
    if (transaction >= 0) {
      const held = this.transaction(call, transaction);
      return held < 0 ? call : this.owner[held];
    }
    let request = call;
    while ((flags[request] & flag.branch) !== 0) request = parent[request];
    return request;
  }

  private linkOf(held: number): CallerLink {
    return this.flow.linksOf[this.flow.calls.place[this.owner[held]]][this.index[held]];
  }

  /** Innermost transaction around a scope, −1 = none. */
  private transactionAround(call: number, from: number): number {
    const { scopes } = this.flow.plan.programs[this.flow.calls.program[call]];
    let scope = from;
    while (scope >= 0 && scopes[scope].kind !== 'transaction') scope = scopes[scope].outer;
    return scope;
  }

  private add(call: number, kind: number, scope: number, index: number, row: number, target: number, connection: number): void {
    const { holding } = this.flow.calls;
    const owner = kind === kinds.transaction ? call : this.ownerFor(call, scope);
    const at = this.free.pop() ?? this.grow();
    this.next[at] = holding[owner];
    holding[owner] = at;
    this.owner[at] = owner;
    this.kind[at] = kind;
    this.scope[at] = scope;
    this.index[at] = index;
    this.row[at] = row;
    this.target[at] = target;
    this.connection[at] = connection;
  }

  private grow(): number {
    if (this.used === this.capacity) {
      this.capacity *= 2;
      for (const name of ['next', 'owner', 'scope', 'index', 'row', 'target', 'connection'] as const) this[name] = copied(this[name], new Int32Array(this.capacity));
      this.kind = copied(this.kind, new Uint8Array(this.capacity));
    }
    return this.used++;
  }
}

/** In place of a connection's number: it has been lost. */
const gone = -2;

const copied = <T extends Int32Array | Uint8Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
