import type { Host } from '../parts/host.js';
import type { Instance } from '../parts/instance.js';

/** What the control of a run asks of the flow of calls, and what the flow tells it. */
export interface FlowDoor {
  /** The process dies now: everything inside ends `failed: killed` (rules 15 and 16). How many requests were lost. */
  kill(instance: Instance): { running: number; queued: number };
  /** A freeze is over: goes on with what stood still. */
  thawed(instance: Instance): void;
  /** A process can be reached again after a fault: who wants something of it goes on. */
  openedAgain(instance: Instance): void;
  /** Memory has grown: tells of one that is over its limit, or a host over its own. */
  checkMemory(instance: Instance): void;
  onOutOfMemory: (instance: Instance) => void;
  onHostOutOfMemory: (host: Host) => void;
  /** Nothing is inside an instance or on its way to it any more. */
  onEmpty: (instance: Instance) => void;
}
