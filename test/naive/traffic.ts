import { ln } from '../../src/engine/kernel/elementary.js';
import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { Traffic } from '../../src/scenario/model.js';
import type { Due } from './agenda.js';
import type { Instance, Place } from './instance.js';
import type { CallerLink } from './link.js';
import { arrivalAt, userChanges } from './profile.js';
import { Run } from './run.js';
import type { World } from './world.js';
import { drawn, drawnNs, type End, type Key, keyUnder, nsOf, pickByWeight, pickOf } from './words.js';

/** A request as its source saw it. */
export interface Request {
  readonly source: string;
  readonly ordinal: number;
  /** From 0, in the order of being offered. */
  readonly number: number;
  readonly key: Key;
  readonly sentNs: number;
  /** Null: it is still under way when the run ends. */
  end: (End & { readonly atNs: number }) | null;
}

interface User {
  readonly key: Key;
  state: 'away' | 'joining' | 'thinking' | 'asking';
  timer: Due | null;
  turns: number;
}

/** One source of requests: a traffic, or a traffic in one instance of the service that it comes from. */
export class Source implements Place {
  readonly instance = null;
  readonly links = new Map<string, CallerLink>();
  readonly requests: Request[] = [];
  private readonly site: number;
  private readonly startNs: number;
  private readonly stopNs: number;
  private readonly burstRows: number[] = [];

  constructor(
    private readonly world: World,
    readonly traffic: Traffic,
    readonly ordinal: number,
    private readonly process: Instance | null,
  ) {
    this.site = siteOf(`traffic.${traffic.name}`);
    this.startNs = nsOf(traffic.startMs);
    this.stopNs = Math.min(nsOf(world.system.durationMs), nsOf(traffic.stopMs));
  }

  get name(): string {
    return this.traffic.name;
  }

  start(): void {
    const { source } = this.traffic;
    if (source.kind === 'open') this.open(source);
    if (source.kind === 'closed') this.closed(source);
    if (source.kind === 'bursts') this.bursts(source);
    if (source.kind === 'sockets') throw new Error('sockets are not simulated here');
  }

  /** The row of a request with this key, the `nth` of its burst; −1: its own (rule 47). */
  rowOf(key: Key, nth: number): number {
    const { keys } = this.traffic;
    const rowSite = siteOf('row');
    if (!keys) return -1;
    if (keys.kind === 'uniform') return pickOf(keys.count.value, key, rowSite, 0);
    if (keys.kind === 'per-burst') {
      if (nth < keys.count.value) this.burstRows[nth] = this.world.nextFreshRow++;
      return this.burstRows[nth % keys.count.value];
    }
    // The first `hot` rows take their share between them, the others the rest.
    const hot = keys.hot.value;
    const share = hot >= keys.count.value ? 1 : keys.share.value;
    const u = drawn(key, rowSite, 0);
    const part = (v: number, n: number): number => Math.min(n - 1, Math.floor(v * n));
    return u < share ? part(u / share, hot) : hot + part((u - share) / (1 - share), keys.count.value - hot);
  }

  anotherRow(key: Key, occurrence: number): number | undefined {
    const { keys } = this.traffic;
    return keys && keys.kind !== 'per-burst' ? this.rowOf(keyUnder(key, siteOf('another row'), occurrence), 0) : undefined;
  }

  private get isAlive(): boolean {
    return this.process?.serves ?? true;
  }

  /** False: beyond the limit, so dropped. */
  private offer(key: Key, nth: number, ended: () => void): boolean {
    const { agenda, asking, interpreter } = this.world;
    const row = this.rowOf(key, nth);
    if (this.world.inFlight(this.name) >= this.traffic.limit.value) return false;
    const request: Request = { source: this.name, ordinal: this.ordinal, number: this.requests.length, key, sentNs: agenda.now, end: null };
    this.requests.push(request);
    const run = new Run(agenda, this, key, row, null, null, null, (over, end) => {
      over.isOver = true;
      this.world.holdings.releaseAll(over);
      request.end = { ...end, atNs: agenda.now };
      ended();
    });
    const { send = [], steps } = this.traffic;
    const sent = send.length === 1 ? send[0] : send[pickByWeight(send.map(({ weight }) => weight.value), key, siteOf('mix'), 0)];
    run.start(steps ? interpreter.list(run, steps) : asking.ask(run, [...this.links.values()][0], sent.request, siteOf(`traffic.${this.name}.send`), 0, null, null, ''));
    return true;
  }

  /** Poisson: expected arrivals grow by an exponential draw each; even: by one, the first at 0. */
  private open({ rate, arrivals }: Extract<Traffic['source'], { kind: 'open' }>): void {
    const { agenda } = this.world;
    const whenNs = arrivalAt(rate, this.startNs, this.stopNs);
    let expected = 0;
    const next = (number: number): void => {
      const key = keyUnder({ a: this.world.seed, b: this.ordinal }, this.site, number);
      expected += arrivals === 'even' ? Math.min(1, number) : -ln(drawn(key, siteOf('arrival'), 0));
      const atNs = whenNs(expected);
      if (atNs === Infinity) return;
      agenda.at(Math.max(agenda.now, Math.round(atNs)), () => {
        if (this.isAlive) this.offer(key, 0, () => undefined);
        next(number + 1);
      });
    };
    next(0);
  }

  /** All at one instant, again and again, the sizes in turn. */
  private bursts({ sizes, every, rounds }: Extract<Traffic['source'], { kind: 'bursts' }>): void {
    const { agenda, seed } = this.world;
    const schedule = (burst: number): void => {
      const atNs = this.startNs + burst * nsOf(every.value);
      if (burst < sizes.length * rounds.value && atNs < this.stopNs) agenda.at(atNs, () => send(burst));
    };
    const send = (burst: number): void => {
      schedule(burst + 1);
      if (!this.isAlive) return;
      const key = keyUnder({ a: seed, b: this.ordinal }, this.site, burst);
      for (let nth = 0; nth < sizes[burst % sizes.length].value; nth++) this.offer(keyUnder(key, this.site, nth), nth, () => undefined);
    };
    schedule(0);
  }

  /** Users ask, wait for the end, think. Those who come together spread over one think time (rule 45); the highest number goes first. */
  private closed({ users: profile, think }: Extract<Traffic['source'], { kind: 'closed' }>): void {
    const { agenda, seed } = this.world;
    const changes = [...userChanges(profile, this.startNs, this.stopNs)];
    const most = Math.max(0, ...changes.map(({ users }) => users));
    const users = Array.from({ length: most }, (_, n): User => ({ key: keyUnder({ a: seed, b: this.ordinal }, this.site ^ siteOf('user'), n), state: 'away', timer: null, turns: 0 }));
    let wanted = 0;
    const thinkNs = ({ key, turns }: User): number => Math.round(drawnNs(think, `traffic.${this.name}.think`, key, turns));
    const wait = (user: User, state: User['state'], ns: number): void => {
      user.state = state;
      user.timer = agenda.after(ns, () => due(user));
    };
    const leave = (user: User): void => {
      agenda.cancel(user.timer);
      user.state = 'away';
    };
    const endTurn = (user: User): void => (users.indexOf(user) >= wanted ? leave(user) : wait(user, 'thinking', thinkNs(user)));
    const due = (user: User): void => {
      // A change at this very instant comes first.
      if (changes.length > 0 && changes[0].atNs <= agenda.now) return wait(user, user.state, 0);
      if (!this.isAlive) return wait(user, 'thinking', Math.max(100e6, thinkNs(user)));
      user.state = 'asking';
      if (!this.offer(keyUnder(user.key, this.site, user.turns++), 0, () => endTurn(user))) endTurn(user);
    };
    const scheduleChange = (): void => {
      if (changes.length > 0) agenda.at(changes[0].atNs, change);
    };
    const change = (): void => {
      const before = wanted;
      wanted = changes.shift()!.users;
      for (const user of users.slice(wanted, before)) if (user.state !== 'asking') leave(user);
      // One who is still asking has not left yet, and stays.
      users.slice(before, wanted).forEach((user, i) => {
        if (user.state === 'away') wait(user, 'joining', Math.round((i / (wanted - before)) * nsOf(think.value)));
      });
      scheduleChange();
    };
    scheduleChange();
  }
}
