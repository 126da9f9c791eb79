import type { Traffic } from '../../scenario/model.js';
import { outcome, type Outcome } from '../kernel/calls.js';
import { block, encipher, siteOf } from '../kernel/keyed-draws.js';
import { samplerOf, type Sampler } from '../kernel/sampler.js';
import type { Program } from '../plan/program.js';
import { toNs } from '../plan/plan.js';
import { type RowOf, rowsOf } from './keys.js';
import { Mix } from './mix.js';
import { type Source, type SourceContext, stopOf } from './source.js';

const socketSite = siteOf('socket');
/** Argument of the event at which all hang up. */
const everybody = -1;

/** One socket, from its connection to its end. Allocated a socket, not a message. */
interface OpenSocket {
  readonly number: number;
  /** Which of the chances to connect it took. */
  readonly connection: number;
  readonly key0: number;
  readonly key1: number;
  /** The room that it is in for life, or −1. */
  readonly row: number;
  /** Requests that it has sent; the opening is number 0, whether there is one or not. */
  sent: number;
  sendTimer: number;
  holdTimer: number;
}

/**
 * Long-lived sockets: chances to connect come evenly at rate `connect`, the first at the traffic's start, and one is taken while fewer than `max` are open.
 * A socket opens, sends every so often whether or not it was answered, is held for a drawn time and hangs up; at the traffic's stop all do. An opening that does
 * not end good closes it. What breaks is replaced only by who comes next.
 *
 * The key of a socket is that of its chance, so how many were open shifts nobody's draws.
 */
export class SocketSource implements Source {
  private readonly connectKind: number;
  private readonly sendKind: number;
  private readonly hangUpKind: number;
  private readonly mix: Mix;
  private readonly rowOf: RowOf;
  private readonly hold: Sampler;
  private readonly every: Sampler;
  private readonly betweenNs: number;
  private readonly max: number;
  private readonly stopNs: number;
  private readonly sockets = new Map<number, OpenSocket>();
  /** Sockets whose opening has not ended, by their connection. */
  private readonly openings = new Map<number, OpenSocket>();
  private connections = 0;

  constructor(private readonly context: SourceContext, { connect, hold, max, every }: Extract<Traffic['source'], { kind: 'sockets' }>) {
    const { plan, queue } = context;
    this.mix = new Mix(plan);
    this.rowOf = rowsOf(plan.model.keys, () => context.freshRow());
    this.hold = samplerOf(hold, `traffic.${plan.name}.hold`, 1e6);
    this.every = samplerOf(every, `traffic.${plan.name}.every`, 1e6);
    this.betweenNs = 1e9 / connect.value;
    this.max = max.value;
    this.stopNs = stopOf(context);
    this.connectKind = queue.register(() => this.connect());
    this.sendKind = queue.register((socket) => this.send(this.sockets.get(socket)!));
    this.hangUpKind = queue.register((socket) => (socket === everybody ? this.stop() : this.held(this.sockets.get(socket)!)));
    this.scheduleConnect();
    queue.at(Math.max(queue.now, this.stopNs), this.hangUpKind, everybody);
  }

  get present(): number {
    return this.sockets.size;
  }

  /** The opening of this connection has ended; other requests of a socket are not waited for. */
  ended(connection: number, end: Outcome): void {
    const socket = this.openings.get(connection);
    if (!socket) return;
    this.openings.delete(connection);
    if (end === outcome.good) this.scheduleSend(socket);
    else this.hangUp(socket);
  }

  socketBroken(number: number): void {
    const socket = this.sockets.get(number);
    if (socket) this.forget(socket);
  }

  private scheduleConnect(): void {
    const { queue, plan } = this.context;
    const atNs = toNs(plan.model.startMs) + Math.round(this.connections * this.betweenNs);
    if (atNs < this.stopNs) queue.at(atNs, this.connectKind, 0);
  }

  private connect(): void {
    const { context } = this;
    const { plan, seed, ordinal, queue } = context;
    const connection = this.connections++;
    this.scheduleConnect();
    if (this.sockets.size >= this.max || !context.isAlive()) return;
    encipher(seed, ordinal, plan.site ^ socketSite, connection);
    const key0 = block[0];
    const key1 = block[1];
    const row = this.rowOf(key0, key1, 0);
    const number = context.sockets.open(plan.index, row);
    const holdTimer = queue.at(queue.now + Math.round(this.hold.draw(key0, key1, 0)), this.hangUpKind, number);
    const socket: OpenSocket = { number, connection, key0, key1, row, sent: 1, sendTimer: -1, holdTimer };
    this.sockets.set(number, socket);
    if (plan.opening === null) this.scheduleSend(socket);
    else this.open(socket, plan.opening);
  }

  private open(socket: OpenSocket, opening: Program): void {
    const { context } = this;
    this.openings.set(socket.connection, socket);
    encipher(socket.key0, socket.key1, context.plan.site, 0);
    // Dropped: nobody will tell of its end.
    if (!context.offer(opening, block[0], block[1], socket.row, socket.connection, socket.number)) this.hangUp(socket);
  }

  private scheduleSend(socket: OpenSocket): void {
    const { queue } = this.context;
    const afterNs = Math.max(1, Math.round(this.every.draw(socket.key0, socket.key1, socket.sent)));
    socket.sendTimer = queue.at(queue.now + afterNs, this.sendKind, socket.number);
  }

  private send(socket: OpenSocket): void {
    const { context, mix } = this;
    encipher(socket.key0, socket.key1, context.plan.site, socket.sent++);
    const key0 = block[0];
    const key1 = block[1];
    this.scheduleSend(socket);
    if (context.isAlive()) context.offer(mix.program(key0, key1), key0, key1, socket.row, -1, socket.number);
  }

  private held(socket: OpenSocket): void {
    socket.holdTimer = -1;
    this.hangUp(socket);
  }

  private hangUp(socket: OpenSocket): void {
    this.forget(socket);
    this.context.sockets.close(socket.number);
  }

  private stop(): void {
    for (const socket of [...this.sockets.values()]) this.hangUp(socket);
  }

  private forget(socket: OpenSocket): void {
    const { queue } = this.context;
    this.sockets.delete(socket.number);
    this.openings.delete(socket.connection);
    if (socket.sendTimer >= 0) queue.cancel(socket.sendTimer);
    if (socket.holdTimer >= 0) queue.cancel(socket.holdTimer);
  }
}
