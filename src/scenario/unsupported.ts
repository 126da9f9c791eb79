/** A part of a valid scenario that this version does not simulate. */
export interface Unsupported {
  /** `services.api.rateLimit` */
  readonly path: string;
  /** What it is, in the words of the language: `a rate limit`. */
  readonly what: string;
}
