import type { Instance } from '../parts/instance.js';

export interface Launch {
  /** From the order to serving, ns. */
  readonly bootNs: number;
  readonly cause: 'scale-out' | 'deploy';
  /** Without traffic until `letIn`. */
  readonly keptBack?: boolean;
}
export type Departure = 'scale-in' | 'deploy' | 'rolled back';

/** Who wants to know of life and death. */
export interface FleetListener {
  /** A process has started: of an instance that is new, or of one that was down. */
  started?(instance: Instance, isNew: boolean): void;
  died?(instance: Instance): void;
  /** The place is free again. */
  gone?(instance: Instance): void;
}
