import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { studyOf } from '../../../src/analysis/index.js';
import { flag, stage } from '../../../src/engine/kernel/calls.js';
import { Simulation } from '../../../src/engine/simulation.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { settle } from '../../../src/study/settle.js';
import type { SimulatedRun, TrafficTotals } from '../../../src/study/types.js';
import { anyScenario, durationS, goingQuiet } from '../../support/any-scenario.js';
import { cells, simulated, total } from '../../support/simulated.js';

type Ends = Readonly<Record<string, number>>;
const ended = ({ good, declined, refused, failed }: { readonly good: number; readonly declined: number | Ends; readonly refused: Ends; readonly failed: Ends }): number =>
  good + (typeof declined === 'number' ? declined : total(Object.values(declined))) + total(Object.values(refused)) + total(Object.values(failed));

const expectConserved = (totals: TrafficTotals): void => {
  expect(totals.inFlight).toBeGreaterThanOrEqual(0);
  expect(totals.offered).toBe(ended(totals) + totals.inFlight);
  expect(totals.latencyMs?.count ?? 0).toBe(totals.good);
  expect(totals.badLatencyMs?.count ?? 0).toBe(total(Object.values(totals.refused)) + total(Object.values(totals.failed)));
  expect(total(totals.latencyBuckets.good.counts)).toBe(totals.good);
  expect(total(totals.latencyBuckets.bad.counts)).toBe(totals.badLatencyMs?.count ?? 0);
  expect(totals.validLatencyMs?.count ?? 0).toBe((totals.latencyMs?.count ?? 0) + (totals.badLatencyMs?.count ?? 0));
};

/** Paths of everything that JSON cannot say. */
const notFinite = (value: unknown, path: string): string[] => {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null) return value === undefined ? [`${path} is undefined`] : [];
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}.${key}`));
};

const expectColumnsToSum = (run: SimulatedRun): void => {
  for (const [name, columns] of Object.entries(run.ticks.traffic)) {
    const totals = run.traffic[name];
    expect(total(cells(run, columns.offered))).toBe(totals.offered);
    expect(total(cells(run, columns.dropped))).toBe(totals.dropped);
    expect(total(cells(run, columns.good))).toBe(totals.good);
    expect(total(cells(run, columns.declined))).toBe(total(Object.values(totals.declined)));
    expect(total(cells(run, columns.refused))).toBe(total(Object.values(totals.refused)));
    expect(total(cells(run, columns.failed))).toBe(total(Object.values(totals.failed)));
    expect(cells(run, columns.inFlight).at(-1)).toBe(totals.inFlight);
  }
  for (const [name, { targets, callers, retries, opened }] of Object.entries(run.ticks.links)) {
    const totals = run.links[name];
    expect(total(callers.flatMap(({ sent }) => cells(run, sent)))).toBe(totals.sent);
    expect(total(callers.flatMap(({ good, declined, refused, failed }) => [good, declined, refused, failed].flatMap((column) => cells(run, column))))).toBe(ended(totals));
    expect(total(targets.flatMap(({ good }) => cells(run, good)))).toBe(totals.good);
    expect(total(targets.flatMap(({ sent }) => cells(run, sent)))).toBeLessThanOrEqual(totals.sent);
    expect(total(cells(run, retries))).toBe(totals.retries);
    expect(total(cells(run, opened))).toBe(totals.pool?.opened ?? 0);
  }
  for (const [name, { instances }] of Object.entries(run.ticks.services)) {
    instances.forEach((columns, i) => {
      const totals = run.services[name].instances[i];
      for (const what of ['arrived', 'good', 'declined', 'refused', 'failed'] as const) expect(total(cells(run, columns[what]))).toBe(totals[what]);
      expect(totals.arrived - totals.good - totals.declined - totals.refused - totals.failed).toBeGreaterThanOrEqual(0);
      for (const what of ['slots', 'queue', 'cpuCores', 'memoryBytes', 'connections'] as const) expect(totals[what].max).toBeGreaterThanOrEqual(totals[what].mean * (1 - 1e-5));
    });
  }
};

const expectWithinLimits = (run: SimulatedRun): void => {
  for (const { name, slots, cpus, memoryLimitBytes } of run.system.services) {
    for (const instance of run.services[name].instances) {
      expect(instance.slots.max).toBeLessThanOrEqual(slots ?? Infinity);
      expect(instance.cpuCores.mean).toBeLessThanOrEqual((cpus ?? Infinity) * (1 + 1e-5));
      // Over its limit an instance is dead at that instant: on average it never is.
      expect(instance.memoryBytes.mean).toBeLessThanOrEqual(memoryLimitBytes ?? Infinity);
      expect(instance.billedS).toBeLessThanOrEqual(durationS);
    }
  }
};

/** The same file, run to its end, with everything that is inside to be asked. */
const finished = (text: string): Simulation => {
  const system = parseScenario(text, { file: 'test.yaml' }).variants[0];
  const simulation = new Simulation(system, system.seed);
  Array.from(simulation.run());
  return simulation;
};

/** What is left once nobody has asked for long: probes, and messages that nobody can take. */
const leftOver = ({ calls, instances, links, locks, sockets }: Simulation): string[] => {
  const left: string[] = [];
  calls.all.forEach((call, number) => {
    const isProbe = (call.flags & flag.probe) !== 0;
    const isMessage = call.stage === stage.queued && (call.flags & flag.message) !== 0;
    if (call.stage !== stage.over && !isProbe && !isMessage) left.push(`call ${number} at place ${call.place.number} in stage ${call.stage}`);
    if (isMessage && instances.some(({ service, serves, slots, slotLimit }) => service.model.consumes === 'mail' && serves && slots.value < slotLimit)) left.push(`message ${number} beside an idle worker`);
  });
  for (const { name, slots, standing, connections, life } of instances) {
    if (connections.value > 0) left.push(`${name} has connections`);
    if (standing.length > 0) left.push(`${name}: ${standing.length} stand still`);
    if (life !== 2 && slots.value > 0) left.push(`${name} is not up and has slots taken`);
  }
  for (const { plan, held, waiting } of locks) if (held.value + waiting.value > 0) left.push(`lock ${plan.name} is held`);
  for (const { pool } of links.flatMap(({ callers }) => callers)) if (pool && pool.inUse.value + pool.waiting.value + pool.promised > 0) left.push('a connection is in use');
  if (sockets.openCount > 0) left.push(`${sockets.openCount} sockets`);
  return left;
};

describe('whatever the scenario', () => {
  it('the laws hold, figures add up, nothing is NaN, and twice is the same', () => {
    fc.assert(
      fc.property(anyScenario, (file) => {
        const text = JSON.stringify(file);
        const run = simulated(text);
        for (const totals of [run, ...Object.values(run.phases)].flatMap(({ traffic: of }) => Object.values(of))) expectConserved(totals);
        for (const name of Object.keys(run.traffic)) {
          expect(run.phases.early.traffic[name].offered + run.phases.late.traffic[name].offered).toBe(run.traffic[name].offered);
          expect(run.phases.all.traffic[name]).toEqual(run.traffic[name]);
        }
        for (const { sent, ...rest } of Object.values(run.links)) expect(sent).toBe(ended(rest) + rest.inFlight);
        expect(run.requests).toBe(total(Object.values(run.traffic).map(({ offered }) => offered)));
        expectColumnsToSum(run);
        expectWithinLimits(run);
        expect(notFinite(run, 'run')).toEqual([]);
        // Judged, and as the schema says: settling throws otherwise.
        settle(studyOf(parseScenario(text, { file: 'test.yaml' }), [run], { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [1], set: [] }));
        const times = run.eventLog.map(({ tMs }) => tMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(JSON.stringify(simulated(text))).toBe(JSON.stringify(run));
      }),
      { numRuns: 60, seed: 20_260_801 },
    );
  }, 120_000);
  it('nothing is left over once nobody asks any more', () => {
    fc.assert(
      fc.property(anyScenario, (file) => {
        expect(leftOver(finished(JSON.stringify(goingQuiet(file))))).toEqual([]);
      }),
      { numRuns: 25, seed: 20_260_802 },
    );
  }, 120_000);
});
