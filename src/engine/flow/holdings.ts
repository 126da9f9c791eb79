import { flag, outcome, stage, type Call } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Op, Scope } from '../plan/program.js';
import type { Flow } from './flow.js';

const kinds = { transaction: 0, lock: 1, taken: 2, put: 3 } as const;

/** In place of a connection's number: it has been lost. */
const gone = -2;

/** Something that a call holds: a transaction's connection, a lock, or units of stock. Used again and again. */
export class Holding {
  /** In whose list it is; null while it is nobody's. */
  owner: Call | null = null;
  next: Holding | null = null;
  kind: number = kinds.transaction;
  /** Scope of the transaction that it belongs to (for a transaction: its own); −1: it is held until the call ends. */
  scope = -1;
  /** Link of the owner's place, lock or stock by number. */
  index = -1;
  row = -1;
  /** Target of a transaction, or units. */
  count = 0;
  /** Connection of a transaction, or table of a lock. */
  connection = -1;
  /** Which of all transactions it is, in the order in which they began. */
  number = 0;
}

/**
 * What calls hold: connections of transactions, locks, and units of stock that come back if the transaction does not end well. A list for each call,
 * newest first.
 */
export class Holdings {
  private readonly all: Holding[] = [];
  private readonly free: Holding[] = [];
  /** Transactions that ever began. */
  private begun = 0;

  constructor(private readonly flow: Flow) {}

  /** A transaction has its connection. */
  open(call: Call, op: Op, target: number, connection: number): void {
    this.add(call, kinds.transaction, op.index, op.link, -1, target, connection).number = this.begun++;
  }

  /** Target of the transaction's connection. */
  targetOf(call: Call, scope: number): number {
    return this.transaction(call, scope)!.count;
  }

  commit(call: Call, scope: number): void {
    this.releaseWhere(call, (held) => held.scope === scope, true);
  }

  rollBack(call: Call, scope: number): void {
    this.releaseWhere(call, (held) => held.scope === scope, false);
  }

  /** The connection of the transaction is gone: rolled back at once, the locks pass on; nothing inside it goes on. */
  breakConnection(call: Call, scope: number): void {
    const transaction = scope < 0 ? null : this.transaction(call, scope);
    if (transaction === null || transaction.connection === gone) return;
    const link = linkOf(transaction);
    const { connection } = transaction;
    transaction.connection = gone;
    this.releaseWhere(transaction.owner!, (held) => held.kind !== kinds.transaction && held.scope === scope, false);
    this.flow.connections.freeConnection(link, connection, true);
  }

  /** Everything that is held now, for the laws: connections of transactions by their link, and locks. */
  tellHeld(connection: (link: CallerLink) => void, lock: (lock: Lock) => void): void {
    for (const held of this.all) {
      if (held.owner === null) continue;
      if (held.kind === kinds.transaction && held.connection >= 0) connection(linkOf(held));
      if (held.kind === kinds.lock) lock(this.flow.parts.locks[held.index]);
    }
  }

  /** A process is gone: so are the connections to it, and with them the transactions that were open there, the oldest first. */
  processDied(instance: Instance): void {
    const lost = this.all.filter((held) => held.owner !== null && held.kind === kinds.transaction && held.connection !== gone && linkOf(held).shared.instances[held.count] === instance);
    this.flow.queue.spend(this.all.length);
    lost.sort((a, b) => a.number - b.number);
    if (lost.length > 0) this.stopWaitingIn(new Set(lost));
    for (const { owner, scope } of lost) if (owner !== null) this.breakConnection(owner, scope);
  }

  /** Whoever waits for a lock inside a transaction that is lost leaves the line before it is handed on: nothing inside it goes on. */
  private stopWaitingIn(lost: ReadonlySet<Holding>): void {
    const { calls, queue, waits } = this.flow;
    queue.spend(calls.all.length);
    const waiting: { readonly call: Call; readonly transaction: Holding }[] = [];
    for (const call of calls.all) {
      if (call.stage !== stage.locked || (call.flags & flag.granted) !== 0) continue;
      const transaction = this.transaction(call, scopeOfTransaction(call, call.op.scope));
      if (transaction !== null && lost.has(transaction)) waiting.push({ call, transaction });
    }
    waiting.sort((a, b) => a.transaction.number - b.transaction.number);
    for (const { call } of waiting) {
      this.leaveLine(call, false);
      waits.grant(call);
    }
  }

  /** Whether the innermost transaction around the op has lost its connection. */
  isBrokenAround(call: Call, { scope }: Op): boolean {
    const transaction = scopeOfTransaction(call, scope);
    return transaction >= 0 && this.isBrokenAt(call, transaction);
  }

  /** Its process at the other end is gone. */
  reasonOfLoss(call: Call, { scope }: Op): number {
    const { callee } = linkOf(this.transaction(call, scopeOfTransaction(call, scope))!).shared.plan;
    return this.flow.plan.services[callee].reasons.killed;
  }

  isBrokenAt(call: Call, scope: number): boolean {
    return this.transaction(call, scope)?.connection === gone;
  }

  /** Whether any transaction around the scope has lost its connection. */
  isBroken(call: Call, scopes: readonly Scope[], from: number): boolean {
    for (let scope = from; scope >= 0; scope = scopes[scope].outer) if (scopes[scope].kind === 'transaction' && this.isBrokenAt(call, scope)) return true;
    return false;
  }

  /** True: it has the lock and goes on. */
  lock(call: Call, op: Op): boolean {
    call.tries = 0;
    call.stepTries = 0;
    if (op.retries !== null) this.flow.retries.stepBegan(call, op.retries);
    return this.tryLock(call, op);
  }

  /** After the pause of its retries; in a transaction that was lost meanwhile nothing is tried again. */
  lockAgain(call: Call): void {
    if (this.isBrokenAround(call, call.op)) this.flow.resume(call, outcome.failed, this.reasonOfLoss(call, call.op));
    else if (this.tryLock(call, call.op)) this.flow.run(call);
  }

  /** The lock that the call waited for is its own; or the transaction that it wanted it in is lost. */
  lockGranted(call: Call): void {
    if (this.isBrokenAround(call, call.op)) this.flow.resume(call, outcome.failed, this.reasonOfLoss(call, call.op));
    else this.flow.run(call);
  }

  /** The wait for a lock is over without it. */
  lockWaited(call: Call): void {
    const { queue, parts, retries, listener } = this.flow;
    const { op } = call;
    const lock = parts.locks[op.index];
    lock.leave(call, call.row, tableOf(call, op));
    if (op.retries && call.stepTries < op.retries.max && op.retries.covers(outcome.failed, lock.plan.timeoutReason) && !this.isBrokenAround(call, op) && retries.stepMayRetry(call, op.retries)) {
      retries.backOff(call, op.retries, ++call.stepTries);
      return;
    }
    lock.timeouts++;
    listener.lockTimedOut(lock, queue.now - call.waitingNs);
    this.flow.resume(call, outcome.failed, lock.plan.timeoutReason);
  }

  leaveLine(call: Call, wasGranted: boolean): void {
    if (wasGranted) return; // it holds the lock already
    this.flow.parts.locks[call.op.index].leave(call, call.row, tableOf(call, call.op));
  }

  /** True: there was a unit. */
  take(call: Call, op: Op): boolean {
    if (!this.flow.parts.stocks[op.index].take(call.row)) return false;
    const transaction = scopeOfTransaction(call, op.scope);
    if (transaction >= 0) this.add(call, kinds.taken, transaction, op.index, call.row, 1, -1);
    return true;
  }

  put(call: Call, op: Op): void {
    this.flow.parts.stocks[op.index].put(call.row, op.count);
    const transaction = scopeOfTransaction(call, op.scope);
    if (transaction >= 0) this.add(call, kinds.put, transaction, op.index, call.row, op.count, -1);
  }

  /** The call is over, or its process is: what it still holds is given back, transactions are rolled back (rule 16). */
  releaseAll(call: Call): void {
    if (call.holding !== null) this.releaseWhere(call, () => true, false);
  }

  private tryLock(call: Call, op: Op): boolean {
    const { parts, queue, waits } = this.flow;
    const lock = parts.locks[op.index];
    const table = tableOf(call, op);
    const transaction = scopeOfTransaction(call, op.scope);
    if (this.hasLock(call, transaction, op.index, call.row, table)) return true;
    if (lock.take(call, call.row, table)) {
      this.add(call, kinds.lock, transaction, op.index, call.row, 0, table);
      return true;
    }
    call.waitingNs = queue.now;
    waits.waitAtMost(call, op.timeNs, stage.locked);
    return false;
  }

  /** Who asks again for what it has, inside the same transaction, has it already. */
  private hasLock(call: Call, transaction: number, index: number, row: number, table: number): boolean {
    if (row < 0) return false;
    for (let held = this.ownerFor(call, transaction).holding; held !== null; held = held.next) {
      if (held.kind === kinds.lock && held.scope === transaction && held.index === index && held.row === row && held.connection === table) return true;
      this.flow.queue.spend(1);
    }
    return false;
  }

  /** Takes them out of the list before any is given back: a lock that passes on to a branch inside the same transaction comes into this very list. */
  private releaseWhere(call: Call, isMeant: (held: Holding) => boolean, isGood: boolean): void {
    let kept: Holding | null = null;
    let first: Holding | null = null;
    let last: Holding | null = null;
    for (let held = call.holding; held !== null; ) {
      const following: Holding | null = held.next;
      this.flow.queue.spend(1);
      if (isMeant(held)) {
        if (kept === null) call.holding = following;
        else kept.next = following;
        held.next = null;
        if (last === null) first = held;
        else last.next = held;
        last = held;
      } else kept = held;
      held = following;
    }
    for (let held = first; held !== null; ) {
      const following: Holding | null = held.next;
      this.giveBack(held, isGood);
      held.owner = null;
      this.free.push(held);
      held = following;
    }
  }

  private giveBack(held: Holding, isGood: boolean): void {
    const { parts, connections } = this.flow;
    switch (held.kind) {
      case kinds.transaction:
        if (held.connection !== gone) connections.freeConnection(linkOf(held), held.connection, false);
        return;
      case kinds.lock:
        return this.passLockOn(held.index, held.row, held.connection);
      case kinds.taken:
        if (!isGood) parts.stocks[held.index].put(held.row, held.count);
        return;
      case kinds.put:
        if (!isGood) parts.stocks[held.index].put(held.row, -held.count);
    }
  }

  private passLockOn(index: number, row: number, table: number): void {
    const call = this.flow.parts.locks[index].release(row, table);
    if (call === null) return;
    this.add(call, kinds.lock, scopeOfTransaction(call, call.op.scope), index, row, 0, table);
    this.flow.waits.grant(call);
  }

  /** The open transaction of a scope, which a branch may have from the call that it is a branch of. */
  private transaction(call: Call, scope: number): Holding | null {
    for (let owner = call; ; owner = owner.parent!) {
      for (let held = owner.holding; held !== null; held = held.next) {
        if (held.kind === kinds.transaction && held.scope === scope) return held;
        this.flow.queue.spend(1);
      }
      if ((owner.flags & flag.branch) === 0) return null;
    }
  }

  /** In whose list something belongs that is held in a transaction (its call's), or outside of any (the request's: until it ends). */
  private ownerFor(call: Call, transaction: number): Call {
    if (transaction >= 0) return this.transaction(call, transaction)?.owner ?? call;
    let request = call;
    while ((request.flags & flag.branch) !== 0) request = request.parent!;
    return request;
  }

  private add(call: Call, kind: number, scope: number, index: number, row: number, count: number, connection: number): Holding {
    const owner = kind === kinds.transaction ? call : this.ownerFor(call, scope);
    const held = this.free.pop() ?? this.make();
    held.next = owner.holding;
    owner.holding = held;
    held.owner = owner;
    held.kind = kind;
    held.scope = scope;
    held.index = index;
    held.row = row;
    held.count = count;
    held.connection = connection;
    return held;
  }

  private make(): Holding {
    const made = new Holding();
    this.all.push(made);
    return made;
  }
}

const linkOf = ({ owner, index }: Holding): CallerLink => owner!.place.links[index];

/** A lock with `scope: instance` has a table for each instance. */
const tableOf = (call: Call, op: Op): number => (op.perInstance ? call.place.number : -1);

/** Innermost transaction around a scope, −1 = none. */
const scopeOfTransaction = ({ program: { scopes } }: Call, from: number): number => {
  let scope = from;
  while (scope >= 0 && scopes[scope].kind !== 'transaction') scope = scopes[scope].outer;
  return scope;
};
