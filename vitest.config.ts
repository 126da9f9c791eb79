import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One process a test file, two at a time: what a small machine has.
    pool: 'forks',
    maxWorkers: 2,
    // A result that an earlier run kept would hide what a test is about; those about the cache name a folder.
    env: { FAULTREEL_RESULTS_CACHE: 'off' },
    reporters: ['default', 'json'],
    // The command line may name another.
    outputFile: { json: 'coverage/tests.json' },
    coverage: {
      provider: 'v8',
      reportsDirectory: 'coverage/engine',
      include: ['src/engine/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95 },
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/end-to-end/**', 'test/oracles/long/**'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'end-to-end',
          include: ['test/end-to-end/**/*.test.ts'],
          globalSetup: ['test/end-to-end/build.ts'],
          // Each film starts a browser and an encoder: one after the other.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // `npm run test:oracles`: the long statistical cases, and then what all of them come to together.
      {
        extends: true,
        test: {
          name: 'oracles',
          include: ['test/oracles/long/*.long.test.ts'],
          globalSetup: ['test/oracles/support/bundle.ts'],
          // The engine as one file is loaded as it is.
          server: { deps: { external: [/coverage\/oracles\/engine/] } },
          testTimeout: 600_000,
        },
      },
      { extends: true, test: { name: 'oracles-together', include: ['test/oracles/long/together.test.ts'], sequence: { groupOrder: 1 } } },
    ],
  },
});
