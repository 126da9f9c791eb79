import { outcome, stage, type Call } from '../kernel/calls.js';
import type { CallerLink } from '../parts/link.js';
import { opCode, type Op } from '../plan/program.js';
import type { Flow } from './flow.js';

type Pool = NonNullable<CallerLink['pool']>;

/** Connections out of a pool: who has one, who waits for one in line, and who is next (rules 19 to 22). */
export class Connections {
  constructor(private readonly flow: Flow) {}

  /** Takes a connection, or waits for one in order (rule 21). */
  connect(call: Call, op: Op, link: CallerLink, pool: Pool): boolean {
    const { queue } = this.flow;
    const { plan } = link.shared;
    if (pool.hasRoom) return this.useConnection(call, op, link, pool);
    if (pool.waiting.value >= plan.pool!.pending) return this.flow.attempts.endOnTheSpot(link, outcome.refused, plan.reasons.poolFull);
    link.waiters.push(call);
    pool.waiting.add(1, queue.now);
    call.waitingNs = queue.now;
    this.flow.waits.waitAtMost(call, plan.pool!.waitNs, stage.pooled);
    return true;
  }

  /** There is room for one more connection in use. */
  private useConnection(call: Call, op: Op, link: CallerLink, pool: Pool): boolean {
    const target = this.flow.attempts.choose(call, op, link);
    if (target < 0) {
      this.passOn(link);
      return this.flow.attempts.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    }
    const taken = pool.take(target);
    const connection = taken >= 0 ? taken : pool.lastTaken;
    const { handshake } = link.shared.plan.pool!;
    // Who is refused at once, or gets no sign of life, has opened nothing.
    const isNew = taken < 0 && link.shared.instances[target].serves;
    if (isNew) link.shared.opened();
    const isGreeting = isNew && handshake !== null;
    if (op.code === opCode.begin && !isGreeting) this.flow.attempts.open(call, op, link, target, connection);
    else if (!isGreeting) this.flow.attempts.dispatch(call, op, link, target, connection);
    else this.flow.handshakes.greet(this.flow.attempts.child(call, op, link, target, connection), link);
    return true;
  }

  /** The next in line may have a connection: it has been told so, and comes at this instant. */
  passOn(link: CallerLink): void {
    const { pool } = link;
    if (!pool?.hasRoom) return;
    const { queue } = this.flow;
    const call = link.waiters.shift();
    if (call === null) return;
    pool.waiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - call.waitingNs);
    pool.promised++;
    this.flow.waits.grant(call);
  }

  /** The connection that the call waited for is there. */
  granted(call: Call): void {
    const op = call.op;
    const link = call.place.links[op.link];
    link.pool!.promised--;
    if (!this.useConnection(call, op, link, link.pool!)) this.flow.attempts.settle(call, this.flow.attempts.end, this.flow.attempts.reason);
    else if (call.stage === stage.running) this.flow.run(call);
  }

  poolWaited(call: Call): void {
    const link = call.place.links[call.op.link];
    this.leaveLine(call, link);
    this.flow.attempts.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.poolWait);
    this.flow.attempts.settle(call, this.flow.attempts.end, this.flow.attempts.reason);
  }

  leavePool(call: Call, wasGranted: boolean): void {
    const link = call.place.links[call.op.link];
    if (!wasGranted) return this.leaveLine(call, link);
    link.pool!.promised--;
    this.passOn(link);
  }

  private leaveLine(call: Call, link: CallerLink): void {
    const { queue } = this.flow;
    link.waiters.remove(call);
    link.pool!.waiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - call.waitingNs);
  }

  /** The connection goes to who has waited longest, at this instant (rule 21). */
  freeConnection(link: CallerLink, connection: number, isBroken: boolean): void {
    if (connection < 0) return;
    if (isBroken) link.pool!.close(connection);
    else link.pool!.give(connection);
    this.passOn(link);
  }
}
