// npm run bench [-- --rounds 5 --scale 1 --only queue,users,sharing,recording,threads --python /usr/bin/python3 --dist dist]
// The engine through the library as anybody calls it, against what it is to cost: one table, made in one run.
// Each measurement is a process of its own and counts its own user CPU time, so that a busy machine falsifies little; they take turns, the order turns round with
// each round, and ratios are taken within a round. simjs and SimPy are measured where they are installed (npm i simjs; apt install python3-simpy).
// Processor time per request is compared, never wall time, but for the threads, which are about nothing else.
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../seeds/program.mjs';
import { linesOf } from './lines.mjs';
import { makeSubjects, measureThreads } from './subjects.mjs';
import { print } from './table.mjs';

const groups = ['queue', 'users', 'sharing', 'recording', 'threads'];
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: groups.join(',') },
    python: { type: 'string', default: '/usr/bin/python3' },
    dist: { type: 'string', default: path.join(root, 'dist') },
  },
});
const rounds = Number(flags.rounds);
const only = flags.only.split(',');
const unknown = only.filter((group) => !groups.includes(group));
if (unknown.length > 0) throw new Error(`Expected some of ${groups.join(', ')}, found ${unknown.join(', ')}.`);
if (!existsSync(path.join(flags.dist, 'src/index.js'))) {
  console.error(`Expected the program in ${flags.dist}, found nothing: npm run build first.`);
  process.exit(1);
}

const tell = (words) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${words}`);
};

const subjects = makeSubjects({ dist: flags.dist, python: flags.python, scale: Number(flags.scale) }).filter(({ group }) => only.includes(group));
const measured = [];
for (let round = 1; round <= rounds; round++) {
  const results = {};
  for (const { name, run } of round % 2 === 1 ? subjects : subjects.toReversed()) {
    tell(`round ${round} of ${rounds}: ${name}`);
    results[name] = run();
  }
  measured.push(results);
}
tell('threads');
const threads = only.includes('threads') ? measureThreads({ dist: flags.dist, rounds: Math.min(rounds, 3) }) : null;
tell('');
print(`${os.cpus()[0].model}, ${os.availableParallelism()} cores, load ${os.loadavg()[0].toFixed(1)}; Node ${process.versions.node}; ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}`, linesOf(measured, threads));
