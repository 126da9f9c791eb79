import type { ExitCode } from '../errors.js';
import type { Host } from '../host.js';

/** What a command gets besides its arguments. */
export interface Context {
  readonly host: Host;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** A command that said all there is to say, and ends with another code than 0. */
export class Verdict extends Error {
  constructor(readonly exitCode: ExitCode) {
    super();
  }
}
