import { testedGuesses } from '../analysis/index.js';
import { exitCodes, FaultreelError } from '../errors.js';
import { grouped } from '../scenario/grouped.js';
import { bounds as usual } from '../scenario/limits.js';
import type { Scenario } from '../scenario/model.js';
import type { SimulateResult } from './job.js';

/** Work of reading one character of a scenario again with other values, in events: a tenth of a second for a hundred thousand. */
const eventsPerCharacter = 3;

/** What everything that is run beside the shown runs may take together: known by what the shown runs took, and counted as it is done. */
export class TrialBound {
  private readonly most: number;
  private spent = 0;

  constructor(private readonly scenario: Scenario) {
    this.most = scenario.variants[0].bounds?.trials ?? usual.trials;
  }

  /** Of one run with values replaced: the scenario is read for it. */
  readingOf(runs: number): number {
    return runs * this.scenario.text.length * eventsPerCharacter;
  }

  /** @throws FaultreelError (invalid scenario) when so many runs, of so much work in all, are more than may be done beside what has been done */
  require(work: number, runs: number, what: string, variant: string): void {
    if (this.spent + work <= this.most) return;
    const guess = testedGuesses(this.scenario.variants.find((own) => own.variant === variant)!).at(0);
    throw new FaultreelError(exitCodes.invalidScenario, {
      message: `${variant}: expected what is run beside the shown runs to take at most ${grouped(this.most)} events, found ${grouped(this.spent + work)} with ${grouped(runs)} runs for ${what}`,
      hint: `fewer ranges, --sensitivity off, fewer seeds, or fewer points of a sweep; if it is meant, allow more: --set bounds.trials=${Math.ceil((2 * (this.spent + work)) / 1e9) * 1e9}`,
      where: this.scenario.placeOf(guess?.path ?? 'duration', variant),
    });
  }

  /** So much has been done. */
  add(results: readonly SimulateResult[], read: number): void {
    this.spent += this.readingOf(read) + results.reduce((sum, { work }) => sum + work, 0);
  }
}
