import type { Problem } from '../../errors.js';
import { type Mark, placeOf } from './tree.js';

/** Collects everything that is wrong with a file, each thing once, so that one run shows it all. */
export class Problems {
  readonly #found = new Map<string, { readonly problem: Problem; readonly at: Mark }>();

  add(at: Mark, message: string, hint?: string): void {
    const where = placeOf(at);
    const key = `${where.file}:${where.line}:${where.column}:${message}`;
    if (!this.#found.has(key)) this.#found.set(key, { at, problem: { message, where, ...(hint !== undefined && { hint }) } });
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  /** Takes over what another collection has and this one does not, each message introduced by `prefix`. */
  adopt(others: Problems, prefix: string, wanted: (at: Mark) => boolean = () => true): void {
    for (const [key, { problem, at }] of others.#found) {
      if (!this.#found.has(key) && wanted(at)) this.#found.set(key, { at, problem: { ...problem, message: `${prefix}${problem.message}` } });
    }
  }

  /** In the order of the text. */
  sorted(): readonly Problem[] {
    const problems = [...this.#found.values()].map(({ problem }) => problem);
    return problems.sort((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0) || (a.where?.column ?? 0) - (b.where?.column ?? 0));
  }
}
