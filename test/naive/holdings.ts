import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { Step } from '../../src/scenario/model.js';
import type { Question } from './attempt.js';
import { covers } from './asking.js';
import type { Instance } from './instance.js';
import type { CallerLink } from './link.js';
import type { Connection } from './pool.js';
import type { Run, Steps } from './run.js';
import type { World } from './world.js';
import { failed, good, keyUnder, nsOf } from './words.js';

/** A connection that is held throughout some steps; what is held inside it ends with it. */
export interface Transaction {
  readonly link: CallerLink;
  readonly outer: Transaction | null;
  readonly owner: Run;
  target: Instance | null;
  connection: Connection | null;
  isBroken: boolean;
  /** Locks, and stock to be undone; oldest first. */
  readonly held: Holding[];
}

/** Something that is given back. */
export type Holding =
  | { readonly kind: 'lock'; readonly table: LockTable; readonly row: number; readonly name: string }
  | { readonly kind: 'units'; readonly stock: Map<number, number>; readonly row: number; readonly change: number }
  | { readonly kind: 'transaction'; readonly transaction: Transaction };

interface InLine {
  readonly run: Run;
  readonly around: Transaction | null;
  readonly granted: () => void;
  /** The transaction that it wanted the lock in is lost. */
  readonly lost: () => void;
}
/** By row: who waits for it, while somebody has it. */
type LockTable = Map<number, InLine[]>;

/** Transactions, locks and stock. */
export class Holdings {
  private readonly tables = new Map<string, LockTable>();
  private readonly stocks = new Map<string, Map<number, number>>();
  /** Open transactions, oldest first. */
  private open: Transaction[] = [];

  constructor(private readonly world: World) {}

  /** Steps over one connection. Beginning one is no call: no deadline, no retries, no breaker. */
  *transaction(run: Run, step: Extract<Step, { verb: 'transaction' }>, occurrence: number, outer: Transaction | null, inside: (around: Transaction) => Steps): Steps {
    const link = run.place.links.get(step.service)!;
    const transaction: Transaction = { link, outer, owner: run, target: null, connection: null, isBroken: false, held: [] };
    const question: Question = {
      link, request: null, over: null, tries: 0,
      keyOf: () => keyUnder(run.key, siteOf(step.path), occurrence),
      opened: (target, connection) => {
        Object.assign(transaction, { target, connection });
        this.open.push(transaction);
        run.held.push({ kind: 'transaction', transaction });
      },
    };
    const isCut = link.shared.effects.isCut;
    const begun = isCut ? link.endedOnTheSpot(failed(link.callee, 'cut off')) : (this.world.asking.connect(run, question) ?? (yield));
    if (begun.how !== 'good') return begun;
    const ended = yield* inside(transaction);
    // To commit needs the connection.
    const end = ended.how === 'good' ? (this.lossOf(transaction) ?? good) : ended;
    this.finish(run, transaction, end.how === 'good');
    return end;
  }

  /** The connection is gone: rolled back at once, and nothing inside goes on (rule 19). */
  lose(transaction: Transaction): void {
    if (transaction.isBroken) return;
    transaction.isBroken = true;
    this.giveBackAll(transaction.held, false);
    this.world.asking.free(transaction.link, transaction.connection, true);
  }

  /** The process at the other end of these is gone. Who waits for a lock inside one of them leaves the line before any lock is handed on. */
  processDied(instance: Instance): void {
    const lost = this.open.filter(({ target, isBroken }) => target === instance && !isBroken);
    const waiting = [...this.tables.values()].flatMap((table) => [...table.values()].flat());
    for (const transaction of lost) for (const { around, lost: leave } of waiting) if (around === transaction) leave();
    for (const transaction of lost) this.lose(transaction);
  }

  /** What a transaction around says to a step that needs its connection. */
  lossOf(around: Transaction | null): ReturnType<typeof failed> | null {
    return around?.isBroken ? failed(around.link.callee, 'killed') : null;
  }

  /** The run is over: what it still holds is given back, the newest first (rule 16). */
  releaseAll(run: Run): void {
    this.giveBackAll(run.held, false);
  }

  /** The lock of (name, row), in the transaction or until the request ends. */
  *lock(run: Run, step: Extract<Step, { verb: 'lock' }>, holder: string, around: Transaction | null): Steps {
    const lost = this.lossOf(around);
    if (lost) return lost;
    const table = this.tableOf(step.scope === 'instance' ? `${holder}.${step.name} ${run.place.name}.${run.place.ordinal}` : `${holder}.${step.name}`);
    const name = `${holder}.${step.name}.${step.scope}`;
    const budget = this.world.asking.budgetOf(run.place, step.path);
    budget.began();
    for (let stepTries = 0; ; stepTries++) {
      const list = heldBy(run, around);
      if (list.some((holding) => holding.kind === 'lock' && holding.table === table && holding.row === run.row && run.row >= 0)) return good;
      const line = table.get(run.row);
      if (!line || run.row < 0) {
        if (run.row >= 0) table.set(run.row, []);
        list.push({ kind: 'lock', table, row: run.row, name });
        return good;
      }
      const leave = (): void => void line.splice(line.indexOf(inLine), 1);
      const inLine: InLine = {
        run, around,
        granted: () => {
          heldBy(run, around).push({ kind: 'lock', table, row: run.row, name });
          run.undo = null; // it is its own already
          run.grant();
        },
        lost: () => {
          leave();
          run.undo = null;
          run.grant();
        },
      };
      line.push(inLine);
      run.undo = leave;
      const timedOut = failed(holder, `lock ${step.name}`);
      run.wakeAfter(nsOf(step.wait.value), () => {
        leave();
        run.goOn(timedOut);
      });
      const end = yield;
      const lostMeanwhile = this.lossOf(around);
      if (end.how === 'good') return lostMeanwhile ?? good;
      if (lostMeanwhile || !step.retries || stepTries >= step.retries.max.value || !covers(step.retries, end) || !budget.mayRetry(step.retries.budget.value)) return end;
      this.world.asking.takeAnotherRow(run, step.retries, stepTries + 1);
      yield* this.world.asking.backOff(run, step.retries, `${step.path}.retries`, stepTries + 1, stepTries + 1);
      const lostInThePause = this.lossOf(around);
      if (lostInThePause) return lostInThePause;
    }
  }

  /** One unit of the row's stock, or a "no"; undone with the transaction. A request without keys finds it full. */
  take(run: Run, holder: string, name: string, around: Transaction | null): ReturnType<typeof failed> {
    const lost = this.lossOf(around);
    if (lost) return lost;
    const left = this.leftOf(holder, name, run.row);
    if (left < 1) return { how: 'declined', why: `${holder}: no ${name}` };
    this.change(run, holder, name, -1, around);
    return good;
  }

  put(run: Run, holder: string, name: string, count: number, around: Transaction | null): ReturnType<typeof failed> {
    const lost = this.lossOf(around);
    if (!lost) this.change(run, holder, name, count, around);
    return lost ?? good;
  }

  private change(run: Run, holder: string, name: string, change: number, around: Transaction | null): void {
    if (run.row < 0) return;
    const stock = this.stockOf(holder, name);
    stock.set(run.row, this.leftOf(holder, name, run.row) + change);
    around?.held.push({ kind: 'units', stock, row: run.row, change });
  }

  private leftOf(holder: string, name: string, row: number): number {
    return this.stockOf(holder, name).get(row) ?? this.world.serviceOf(holder).stock[name].value;
  }

  private stockOf(holder: string, name: string): Map<number, number> {
    const full = `${holder}.${name}`;
    if (!this.stocks.has(full)) this.stocks.set(full, new Map());
    return this.stocks.get(full)!;
  }

  private tableOf(name: string): LockTable {
    if (!this.tables.has(name)) this.tables.set(name, new Map());
    return this.tables.get(name)!;
  }

  private finish(run: Run, transaction: Transaction, isGood: boolean): void {
    run.held.splice(run.held.findIndex((holding) => holding.kind === 'transaction' && holding.transaction === transaction), 1);
    this.end(transaction, isGood);
  }

  private end(transaction: Transaction, isGood: boolean): void {
    this.open = this.open.filter((other) => other !== transaction);
    this.giveBackAll(transaction.held, isGood);
    if (!transaction.isBroken) this.world.asking.free(transaction.link, transaction.connection, false);
  }

  private giveBackAll(held: Holding[], isGood: boolean): void {
    for (const holding of held.splice(0).reverse()) {
      if (holding.kind === 'transaction') this.end(holding.transaction, isGood);
      else if (holding.kind === 'lock') passOn(holding);
      else if (!isGood) holding.stock.set(holding.row, holding.stock.get(holding.row)! - holding.change);
    }
  }
}

/** In whose list a lock is: the transaction's, or the request's, also where a branch takes it. */
const heldBy = (run: Run, around: Transaction | null): Holding[] => {
  if (around) return around.held;
  let request = run;
  while (request.trunk) request = request.trunk;
  return request.held;
};

/** The lock is free, or at this instant the next one's in line. */
const passOn = ({ table, row }: Extract<Holding, { kind: 'lock' }>): void => {
  if (row < 0) return;
  const next = table.get(row)!.shift();
  if (next) next.granted();
  else table.delete(row);
};
