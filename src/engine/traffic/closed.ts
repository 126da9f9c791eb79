import { exitCodes, FaultreelError } from '../../errors.js';
import type { Traffic } from '../../scenario/model.js';
import type { Lane } from '../kernel/event-queue.js';
import { block, encipher, siteOf } from '../kernel/keyed-draws.js';
import { samplerOf, type Sampler } from '../kernel/sampler.js';
import { toNs } from '../plan/plan.js';
import { type RowOf, rowsOf } from './keys.js';
import { Mix } from './mix.js';
import { type Source, type SourceContext, stopOf } from './source.js';
import { mostUsers, userChanges, type UserChange } from './user-profile.js';

const userSite = siteOf('user');
/** Turns of one user at one instant, at most (rule 46). */
const mostTurnsAtOnce = 1_000;
/** How long a user whose process is down waits at least before it looks again. */
const lookAgainNs = 100e6;
/** Argument of the event at which the number of users changes. */
const changeOfUsers = -1;

const away = 0;
/** On its way: joins at its timer. */
const joining = 1;
const thinking = 2;
const asking = 3;

/**
 * Users who send, wait for the end, whatever it is, think, and send again: throughput N / (response time + think time), so they ask less when answers are slow.
 * Those who join together spread over one mean think time (rule 45), so that the start is no burst; user numbers are places, and the highest goes first.
 *
 * A user's key is that of (seed, instance, traffic, user), its requests' keys come from that and their number: what happens to one user shifts nobody else's draws.
 */
export class ClosedSource implements Source {
  /** Users that have joined and not left. */
  present = 0;
  private readonly kind: number;
  /** For who thinks as long as all do. */
  private readonly lane: Lane<number>;
  private readonly mix: Mix;
  private readonly rowOf: RowOf;
  private readonly think: Sampler;
  private readonly meanThinkNs: number;
  private readonly changes: Iterator<UserChange, void>;
  private change: UserChange | null = null;
  /** How many there should be; those with a number from here on leave. */
  private wanted = 0;

  private readonly state: Uint8Array;
  private readonly timers: Int32Array;
  private readonly key0: Int32Array;
  private readonly key1: Int32Array;
  /** Requests that the user has asked. */
  private readonly turns: Int32Array;
  /** When it last asked, and how often at that instant. */
  private readonly askedNs: Float64Array;
  private readonly turnsAtOnce: Int32Array;

  constructor(private readonly context: SourceContext, { users, think }: Extract<Traffic['source'], { kind: 'closed' }>) {
    const { plan, queue } = context;
    this.mix = new Mix(plan);
    this.rowOf = rowsOf(plan.model.keys, () => context.freshRow());
    this.think = samplerOf(think, `traffic.${plan.name}.think`, 1e6);
    this.meanThinkNs = toNs(think.value);
    const most = mostUsers(users);
    this.state = new Uint8Array(most);
    this.timers = new Int32Array(most).fill(-1);
    this.key0 = new Int32Array(most);
    this.key1 = new Int32Array(most);
    this.turns = new Int32Array(most);
    this.askedNs = new Float64Array(most).fill(-1);
    this.turnsAtOnce = new Int32Array(most);
    this.makeKeys();
    this.kind = queue.register((user) => (user === changeOfUsers ? this.changeUsers() : this.due(user)));
    this.lane = queue.lane(Math.round(this.think.always), this.kind);
    this.changes = userChanges(users, toNs(plan.model.startMs), stopOf(context));
    this.scheduleChange();
  }

  /** The request of this user has ended. */
  ended(user: number): void {
    if (user >= 0) this.endTurn(user);
  }

  socketBroken(): void {}

  private makeKeys(): void {
    const { seed, ordinal, plan } = this.context;
    for (let user = 0; user < this.key0.length; user++) {
      encipher(seed, ordinal, plan.site ^ userSite, user);
      this.key0[user] = block[0];
      this.key1[user] = block[1];
    }
  }

  private scheduleChange(): void {
    const { done, value } = this.changes.next();
    this.change = done || !value ? null : value;
    if (this.change) this.context.queue.at(this.change.atNs, this.kind, changeOfUsers);
  }

  private changeUsers(): void {
    const before = this.wanted;
    this.wanted = this.change!.users;
    for (let user = this.wanted; user < before; user++) if (this.state[user] !== asking) this.leave(user);
    const more = this.wanted - before;
    // One who is still asking has not left yet, and stays.
    for (let i = 0; i < more; i++) if (this.state[before + i] === away) this.wait(before + i, joining, Math.round((i / more) * this.meanThinkNs));
    this.scheduleChange();
  }

  private wait(user: number, state: typeof joining | typeof thinking, delayNs: number): void {
    const { queue } = this.context;
    this.state[user] = state;
    this.timers[user] = queue.in(delayNs, this.lane, user);
  }

  private leave(user: number): void {
    if (this.timers[user] >= 0) this.context.queue.cancel(this.timers[user]);
    this.timers[user] = -1;
    if (this.state[user] !== joining) this.present--;
    this.state[user] = away;
  }

  private due(user: number): void {
    const { context } = this;
    // A change at this very instant comes first, so that a stair ends before its end.
    if (this.change && this.change.atNs <= context.queue.now) return this.wait(user, this.state[user] as typeof joining | typeof thinking, 0);
    this.timers[user] = -1;
    if (this.state[user] === joining) this.present++;
    if (context.isAlive()) this.ask(user);
    else this.wait(user, thinking, Math.max(lookAgainNs, this.thinkNs(user)));
  }

  private ask(user: number): void {
    const { context } = this;
    this.countTurn(user);
    this.state[user] = asking;
    encipher(this.key0[user], this.key1[user], context.plan.site, this.turns[user]++);
    const key0 = block[0];
    const key1 = block[1];
    // Dropped: nobody will tell of its end.
    if (!context.offer(this.mix.program(key0, key1), key0, key1, this.rowOf(key0, key1, 0), user, -1)) this.endTurn(user);
  }

  private countTurn(user: number): void {
    const { queue, plan } = this.context;
    if (this.askedNs[user] !== queue.now) this.turnsAtOnce[user] = 0;
    this.askedNs[user] = queue.now;
    if (++this.turnsAtOnce[user] <= mostTurnsAtOnce) return;
    throw new FaultreelError(exitCodes.invalidScenario, {
      message: `traffic.${plan.name}: a user asks again in no time, 1,000 times at one instant; give a think time or a link latency`,
      at: { path: `traffic.${plan.name}` },
    });
  }

  private endTurn(user: number): void {
    if (user >= this.wanted) this.leave(user);
    else this.wait(user, thinking, this.thinkNs(user));
  }

  private thinkNs(user: number): number {
    return Math.round(this.think.draw(this.key0[user], this.key1[user], this.turns[user]));
  }
}
