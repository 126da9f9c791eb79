import type { Link } from '../../src/scenario/model.js';
import type { Instance } from './instance.js';
import type { Run } from './run.js';
import { without } from './words.js';

/** A connection to one instance, for one request at a time. */
export interface Connection {
  readonly target: Instance;
  uses: number;
  /** Its process has died since: it closes when its request ends. */
  isStale: boolean;
}

/** Who stands in line for a connection, and what it does with its turn. */
export interface InLine {
  readonly run: Run;
  readonly take: () => void;
}

/** The connections of one caller instance over one link (rules 19 to 22). */
export class Pool {
  line: InLine[] = [];
  /** Places that somebody from the line will take at this instant. */
  promised = 0;
  private idle: Connection[] = [];
  private used: Connection[] = [];

  constructor(readonly plan: NonNullable<Link['pool']>) {}

  get hasRoom(): boolean {
    return this.used.length + this.promised < this.plan.max.value;
  }

  /** The one to this target that was used last, or a new one, for which the longest idle one of another target closes when all are open. */
  take(target: Instance): { readonly connection: Connection; readonly isNew: boolean } {
    const idle = this.idle.findLast((one) => one.target === target);
    if (!idle && this.idle.length + this.used.length >= this.plan.max.value) this.idle.shift();
    const connection = idle ?? { target, uses: 0, isStale: false };
    without(this.idle, connection);
    this.used.push(connection);
    return { connection, isNew: !idle };
  }

  /** Its request has ended. One that broke, is worn out, or leads nowhere closes. */
  free(connection: Connection, isBroken: boolean): void {
    without(this.used, connection);
    if (!isBroken && ++connection.uses < this.plan.reuse.value && !connection.isStale) this.idle.push(connection);
  }

  /** The process of the target is gone. */
  drop(target: Instance): void {
    this.idle = this.idle.filter((one) => one.target !== target);
    for (const one of this.used) if (one.target === target) one.isStale = true;
  }

  reset(): void {
    this.line = [];
    this.promised = 0;
    this.idle = [];
    this.used = [];
  }
}
