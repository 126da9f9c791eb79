// npm run bench:threads [-- --rounds 3 --threads 2 --scenario scenarios/order-api-spike.yaml --seeds 0 --dist dist]
// Sensitivity of a scenario, or so many seeds of it, in one thread and in all, in turns, so that a busy machine is busy for both; the ratios are taken within a round.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { load, root } from './program.mjs';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: String(os.availableParallelism()) },
    scenario: { type: 'string', default: path.join(root, 'scenarios/order-api-spike.yaml') },
    seeds: { type: 'string', default: '0' },
    dist: { type: 'string' },
  },
});
const [rounds, most, seeds] = [Number(flags.rounds), Number(flags.threads), Number(flags.seeds)];
const asked = seeds > 0 ? { seeds } : { sensitivity: 'ends' };
const leastBusy = 0.85;

const program = await load(flags.dist && path.resolve(flags.dist));
const file = path.basename(flags.scenario);
const text = readFileSync(flags.scenario, 'utf8');
const none = () => undefined;

/** Wall and CPU seconds of a study (the CPU of all threads), and a hash of its bytes. */
const study = async (threads) => {
  const scenario = program.parse(text, { file });
  const [startedMs, startedCpu] = [performance.now(), process.cpuUsage()];
  const made = await program.makeStudy(scenario, { ...asked, threads }, { host: program.host, signal: new AbortController().signal, progress: { stage: none, step: none, detail: none, notice: none } });
  const { user, system } = process.cpuUsage(startedCpu);
  return { wallS: (performance.now() - startedMs) / 1000, cpuS: (user + system) / 1e6, sha256: createHash('sha256').update(program.writeStudy(made)).digest('hex') };
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const load1 = () => os.loadavg()[0].toFixed(1);

console.log(`${file}, ${os.availableParallelism()} cores, load before ${load1()}`);
console.log(['round', 'threads', 'wall s', 'CPU s', 'busy', 'speed-up', 'load'].map((word) => word.padStart(10)).join(''));
const [speedUps, busy, hashes] = [[], [], new Set()];
for (let round = 1; round <= rounds; round++) {
  const order = round % 2 === 1 ? [1, most] : [most, 1];
  const results = new Map();
  for (const threads of order) {
    const { wallS, cpuS, sha256 } = await study(threads);
    hashes.add(sha256);
    results.set(threads, wallS);
    if (threads === most) busy.push(cpuS / (wallS * threads));
    console.log([round, threads, wallS.toFixed(1), cpuS.toFixed(1), (cpuS / (wallS * threads)).toFixed(2), '', load1()].map((word) => String(word).padStart(10)).join(''));
  }
  speedUps.push(results.get(1) / results.get(most));
}
console.log(`  busy     ${median(busy).toFixed(2)} of ${most} threads, goal ${leastBusy}: ${median(busy) >= leastBusy ? 'good' : 'BELOW (a machine that does other work as well gives them less)'}`);
console.log(`  speed-up ${median(speedUps).toFixed(2)} (${speedUps.map((value) => value.toFixed(2)).join(', ')})`);
console.log(`  bytes    ${hashes.size === 1 ? 'the same' : 'DIFFERENT'}`);
if (hashes.size !== 1) process.exitCode = 1;
