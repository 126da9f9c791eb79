import type { Host } from '../host.js';

/** What a command gets besides its arguments. */
export interface Context {
  readonly host: Host;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}
