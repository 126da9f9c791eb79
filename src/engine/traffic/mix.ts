import { pick, siteOf } from '../kernel/keyed-draws.js';
import type { SourcePlan } from '../plan/plan.js';
import type { Program } from '../plan/program.js';

const mixSite = siteOf('mix');

/** Which of a traffic's requests one is: drawn by weight from the request's own key. */
export class Mix {
  private readonly programs: readonly Program[];
  private readonly weights: readonly number[];
  private readonly totalWeight: number;

  constructor({ programs, weights }: SourcePlan) {
    this.programs = programs;
    this.weights = weights;
    this.totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  }

  program(key0: number, key1: number): Program {
    const { programs, weights } = this;
    if (programs.length === 1) return programs[0];
    let left = pick(1e9, key0, key1, mixSite, 0) * (this.totalWeight / 1e9);
    let i = 0;
    while (i < programs.length - 1 && left >= weights[i]) left -= weights[i++];
    return programs[i];
  }
}
