import type { EventQueue } from '../kernel/event-queue.js';
import type { Effect } from '../parts/effects.js';
import type { Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import type { Fleet } from './fleet.js';
import { containersOf, podOf } from './pod.js';

/** A new instance that nobody has had a good probe of so long after its boot has failed, ns. */
const answersWithinNs = 60e9;

/** A version that hangs: who sends it something waits in vain. */
const hung: Effect = { blackhole: true };

interface Newcomer {
  readonly instance: Instance;
  readonly isHung: boolean;
  readonly group: Group;
  /** Links with a health check that have not had a good probe of it; with the bad ones in a row. */
  readonly unheard: Map<SharedLink, number>;
  deadlineNs: number;
  hasAnswered: boolean;
}
interface Group {
  readonly members: Newcomer[];
  /** 0: all have answered; else how many have not, as one has failed. */
  readonly verdict: (silent: number) => void;
}

/**
 * New instances of deployments, from their launch until all of a group have answered or one of it has failed. One has answered with the first good probe on
 * every link with a health check; where there is none, by serving. It has failed with `unhealthyAfter` bad probes in a row on one of them, when it dies, or
 * 60 s after its boot without an answer; one that hangs and that nobody probes, at its boot.
 */
export class Newcomers {
  private readonly waiting = new Map<Instance, Newcomer>();
  private readonly hanging = new Set<Instance>();
  private readonly lateKind: number;

  constructor(private readonly queue: EventQueue, private readonly fleet: Fleet, links: readonly SharedLink[]) {
    this.lateKind = queue.register((place) => this.late(fleet.instances[place]));
    fleet.listen({
      started: (instance) => this.started(instance),
      died: (instance) => this.failed(this.waiting.get(podOf(instance))),
      gone: (instance) => this.gone(instance),
    });
    for (const link of links) if (link.plan.health) link.probeListeners.push((target, isGood) => this.probed(link, target, isGood));
  }

  /** Watches some that have just been launched; the last `failing` of them come up but never answer. */
  watch(launched: readonly Instance[], failing: number, verdict: (silent: number) => void): void {
    const group: Group = { members: [], verdict };
    launched.forEach((instance, i) => {
      const isHung = i >= launched.length - failing;
      const newcomer: Newcomer = { instance, isHung, group, unheard: new Map(), deadlineNs: Infinity, hasAnswered: false };
      group.members.push(newcomer);
      this.waiting.set(instance, newcomer);
      if (!isHung) return;
      this.hanging.add(instance);
      for (const { effects } of containersOf(instance)) effects.begin(hung);
    });
  }

  private started(instance: Instance): void {
    const newcomer = this.waiting.get(instance);
    if (!newcomer) return;
    for (const container of containersOf(instance)) for (const link of this.fleet.registry.probing(container)) newcomer.unheard.set(link, 0);
    if (newcomer.unheard.size === 0) return newcomer.isHung ? this.failed(newcomer) : this.answered(newcomer);
    newcomer.deadlineNs = this.queue.now + answersWithinNs;
    this.queue.at(newcomer.deadlineNs, this.lateKind, instance.place);
  }

  private probed(link: SharedLink, target: number, isGood: boolean): void {
    if (this.waiting.size === 0) return;
    const probed = this.fleet.instances.find(({ service, ordinal }) => service.index === link.plan.callee && ordinal === target)!;
    const newcomer = this.waiting.get(podOf(probed));
    const badInARow = newcomer?.unheard.get(link);
    if (!newcomer || badInARow === undefined) return;
    if (!isGood) {
      newcomer.unheard.set(link, badInARow + 1);
      if (badInARow + 1 >= link.plan.health!.unhealthyAfter) this.failed(newcomer);
      return;
    }
    newcomer.unheard.delete(link);
    if (newcomer.unheard.size === 0) this.answered(newcomer);
  }

  private late(instance: Instance): void {
    const newcomer = this.waiting.get(instance);
    if (newcomer && newcomer.deadlineNs <= this.queue.now) this.failed(newcomer);
  }

  private answered(newcomer: Newcomer): void {
    const { members, verdict } = newcomer.group;
    newcomer.hasAnswered = true;
    this.waiting.delete(newcomer.instance);
    if (members.every(({ hasAnswered }) => hasAnswered)) verdict(0);
  }

  private failed(newcomer: Newcomer | undefined): void {
    if (!newcomer) return;
    const { members, verdict } = newcomer.group;
    for (const { instance } of members) this.waiting.delete(instance);
    verdict(members.filter(({ hasAnswered }) => !hasAnswered).length);
  }

  /** Who comes into its place next does not hang. */
  private gone(instance: Instance): void {
    if (this.hanging.delete(instance)) for (const { effects } of containersOf(instance)) effects.end(hung);
  }
}
