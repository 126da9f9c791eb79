import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files first: nearly every mutant dies in one of them, and then the rest is not run. As vitest measured them in its last run; unmeasured ones first. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

/** What a mutant of the rules is run against: the quick tests of the engine. Long ones (systems that are drawn, figures of theory) would cost minutes a survivor. */
export default defineConfig({
  test: {
    include: ['test/engine/{rules,parts,kernel,record,theory}/*.test.ts', 'test/oracles/rules/*.test.ts'],
    exclude: [
      'test/engine/rules/{thousand-scenarios,any-scenario,hard-knocks,nothing-left-behind,common-random-numbers,numbers}.test.ts',
      'test/engine/theory/{cpu-ceiling,closed-users,one-of-three}.test.ts',
      'test/engine/parts/{cpu-against-reference,balancing-theory}.test.ts',
      'test/oracles/rules/door-and-clock.test.ts',
    ],
    sequence: { sequencer: ShortestFirst },
    env: { FAULTREEL_RESULTS_CACHE: 'off' },
    testTimeout: 60_000,
  },
});
