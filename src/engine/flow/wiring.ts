import { flag } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Who is at the other end. */
export class Wiring {
  constructor(private readonly flow: Flow) {}

  linkOf(call: number, op: Op): CallerLink {
    return this.flow.linksOf[this.flow.calls.place[call]][op.link];
  }

  callerLinkOf(child: number): CallerLink {
    return this.flow.linksOf[this.flow.calls.caller[child]][this.flow.calls.link[child]];
  }

  sharedOf(call: number): SharedLink {
    const { calls, parts } = this.flow;
    return (calls.flags[call] & flag.probe) !== 0 ? parts.sharedLinks[calls.link[call]] : this.callerLinkOf(call).shared;
  }

  instanceOf(shared: SharedLink, target: number): Instance {
    return this.flow.instances[this.flow.parts.firstPlace[shared.plan.callee] + target];
  }
}
