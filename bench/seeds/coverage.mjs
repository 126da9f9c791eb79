// npm run bench:seeds [-- --times 500 --seeds 10 --threads 2 --dist dist]
// How often the 95 % interval that --seeds prints holds the truth, where the truth is known. The seeds are fixed, so the table is the same each time.
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { models, scenarioOf, truthsOf } from './models.mjs';
import { load } from './program.mjs';

const { values: flags } = parseArgs({
  options: { times: { type: 'string', default: '500' }, seeds: { type: 'string', default: '10' }, threads: { type: 'string', default: String(os.availableParallelism()) }, dist: { type: 'string' } },
});
const [times, seeds, threads] = [flags.times, flags.seeds, flags.threads].map(Number);
const wanted = [0.93, 0.97];

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
const medianOf = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const percent = (share, places = 1) => `${(share * 100).toFixed(places)}%`;

/** 95 % interval of a share of n (Wilson). */
const wilson = (share, n) => {
  const z = 1.959964;
  const middle = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return [middle - half, middle + half];
};

const runAll = async ({ parse, openExecutor, host }, model, asked) => {
  const [system] = parse(scenarioOf(model), { file: 'model.yaml' }).variants;
  const executor = openExecutor({ host, signal: new AbortController().signal, threads });
  const jobs = Array.from({ length: times * seeds }, (_, i) => () => ({ kind: 'simulate', system, seed: i + 1, asked, wantsRun: false }));
  try {
    return await executor.runJobs(jobs, { onProgress: (shares) => tell(model, shares.reduce((sum, share) => sum + share, 0), jobs.length), onNotice: (notice) => console.error(notice) });
  } finally {
    await executor.close();
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
};

const tell = ({ name }, done, all) => {
  if (process.stderr.isTTY && Number.isInteger(done)) process.stderr.write(`\r\x1b[K${name}: ${done} of ${all} runs`);
};

/** One line of the table, and whether the coverage is what it says. */
const lineOf = (program, results, model, { figure, truth, ...asked }) => {
  const values = results.map(({ reading }) => reading.figures[program.idOf(asked)].value);
  const held = Array.from({ length: times }, (_, i) => program.seedFigureOf(values.slice(i * seeds, (i + 1) * seeds))).filter(({ low, high }) => low <= truth && truth <= high);
  const coverage = held.length / times;
  const isGood = coverage >= wanted[0] && coverage <= wanted[1];
  const columns = [percent(coverage), wilson(coverage, times).map((end) => percent(end)).join('..'), truth.toPrecision(5), percent(mean(values) / truth - 1, 2), ((medianOf(values) - truth) / deviation(values)).toFixed(3), isGood ? 'good' : 'OUTSIDE'];
  console.log(`${model.name.padEnd(13)}${figure.padEnd(14)}${columns.map((word) => word.padStart(15)).join('')}`);
  return isGood;
};

const program = await load(flags.dist && path.resolve(flags.dist));
console.log(`${times} times ${seeds} seeds, ${threads} threads; wanted: ${wanted.map((share) => percent(share, 0)).join(' to ')}`);
console.log(`${'model'.padEnd(13)}${'figure'.padEnd(14)}${['coverage', 'its own 95%', 'truth', 'mean bias', 'median bias/sd', ''].map((word) => word.padStart(15)).join('')}`);
let areGood = true;
const startedAt = performance.now();
for (const model of models) {
  const truths = truthsOf(model).map((one) => ({ ...one, over: 'good', phase: 'judged' }));
  const results = await runAll(program, model, truths);
  for (const truth of truths) areGood = lineOf(program, results, model, truth) && areGood;
}
const { user, system } = process.cpuUsage();
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s, of which the threads computed ${Math.round((user + system) / 1e6)} s together; load now ${os.loadavg()[0].toFixed(1)}`);
if (!areGood) process.exitCode = 1;
