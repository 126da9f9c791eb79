// node [--cpu-prof] bench/engine/realistic.mjs [--model users-1000 --seconds 200 --dist dist]
// One model of the bench, once, in this process: the figures as one line of JSON. CPU is user time of this process, its helper threads included.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { GCProfiler } from 'node:v8';
import { models } from './models.mjs';

const { values: flags } = parseArgs({
  options: { model: { type: 'string', default: 'users-1000' }, seconds: { type: 'string' }, dist: { type: 'string', default: path.resolve(import.meta.dirname, '../../dist') } },
});
const model = models[flags.model];
if (!model) throw new Error(`Expected one of ${Object.keys(models).join(', ')}, found ${flags.model}.`);
const text = model.text(Number(flags.seconds ?? model.durationS));
const { parse, simulate } = await import(path.join(path.resolve(flags.dist), 'src/index.js'));

/** Heap bytes allocated from one collection to the next, summed, and what the collections took of this thread, s. */
const gcOf = ({ statistics }) => {
  const used = ({ heapStatistics }) => heapStatistics.usedHeapSize;
  const bytes = statistics.slice(1).reduce((sum, { beforeGC }, i) => sum + used(beforeGC) - used(statistics[i].afterGC), 0);
  return { allocatedBytes: bytes, gcS: statistics.reduce((sum, { cost }) => sum + cost, 0) / 1e6 };
};

const idleBytes = process.memoryUsage.rss();
const profiler = new GCProfiler();
profiler.start();
const before = process.cpuUsage();
const study = simulate(parse(text, { file: `${flags.model}.yaml` }));
const cpuS = process.cpuUsage(before).user / 1e6;
const gc = gcOf(profiler.stop());

const [{ requests, events, traffic }] = Object.values(study.runs);
console.log(JSON.stringify({ requests, events, cpuS, ...gc, idleBytes, mostBytes: process.resourceUsage().maxRSS * 1024, meanMs: traffic.users.latencyMs.mean, good: traffic.users.good }));
