// node test/mutants/run.mjs [part]… mutates the rules of the engine part by part (parts.json), each against the quick tests that are about it, and prints the
// score of each file and what survived. Reports: coverage/mutants/<part>.json, in the schema of mutation-testing-elements.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const parts = JSON.parse(readFileSync(path.join(import.meta.dirname, 'parts.json'), 'utf8'));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);

const stryker = path.join(root, 'node_modules/.bin/stryker');
if (!existsSync(stryker)) throw new Error('StrykerJS is not among the packages of the project: npm install --no-save @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1');

/** Killed and timed out of those that count. */
const scoreOf = (mutants) => {
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status));
  const found = counted.filter(({ status }) => ['Killed', 'Timeout'].includes(status));
  return `${found.length} of ${counted.length} (${((100 * found.length) / counted.length).toFixed(0)} %)`;
};

for (const [name, { mutate, tests }] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const incremental = `coverage/mutants/${name}-incremental.json`;
  const { status } = spawnSync(
    stryker,
    ['run', 'test/mutants/stryker.config.json', '--mutate', mutate.join(','), '--testFiles', tests.join(','), '--incrementalFile', incremental],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) process.exit(status ?? 1);
  const report = path.join(root, `coverage/mutants/${name}.json`);
  renameSync(path.join(root, 'coverage/mutants/mutants.json'), report);
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`${name}: ${scoreOf(Object.values(files).flatMap(({ mutants }) => mutants))}`);
  for (const [file, { mutants }] of Object.entries(files)) {
    console.log(`  ${file}: ${scoreOf(mutants)}`);
    for (const { status: end, location, mutatorName, replacement } of mutants) {
      if (end === 'Survived' || end === 'NoCoverage') console.log(`    ${location.start.line}:${location.start.column} ${mutatorName} → ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`);
    }
  }
}
