import type { Problem } from '../../errors.js';
import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import { type Mark, placeOf } from './tree.js';

/** Collects everything that is wrong with a file, each thing once, so that one run shows it all; of thousands of mistakes the first ones found, and how many more there are. */
export class Problems {
  readonly #found = new Map<string, { readonly problem: Problem; readonly at: Mark }>();
  #more = 0;

  add(at: Mark, said: string, hint?: string): void {
    const where = placeOf(at);
    const message = shortened(said);
    const key = `${where.file}:${where.line}:${where.column}:${message}`;
    this.#keep(key, { at, problem: { message, where, ...(hint !== undefined && { hint: shortened(hint) }) } });
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  /** Takes over what another collection has and this one does not, each message introduced by `prefix`. */
  adopt(others: Problems, prefix: string, wanted: (at: Mark) => boolean = () => true): void {
    for (const [key, { problem, at }] of others.#found) {
      if (wanted(at)) this.#keep(key, { at, problem: { ...problem, message: `${prefix}${problem.message}` } });
    }
    this.#more += others.#more;
  }

  #keep(key: string, found: { readonly problem: Problem; readonly at: Mark }): void {
    if (this.#found.has(key)) return;
    if (this.#found.size < limits.problems) this.#found.set(key, found);
    else this.#more++;
  }

  /** In the order of the text. */
  sorted(): readonly Problem[] {
    const problems = [...this.#found.values()].map(({ problem }) => problem);
    problems.sort((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0) || (a.where?.column ?? 0) - (b.where?.column ?? 0));
    return this.#more === 0 ? problems : [...problems, { message: `and ${grouped(this.#more)} more like these`, hint: 'mend these first, then validate again' }];
  }
}

/** A message that repeats what a file says repeats no more of it than a reader needs. */
const shortened = (text: string): string => (text.length <= 700 ? text : `${text.slice(0, 450)} … ${text.slice(-200)}`);
