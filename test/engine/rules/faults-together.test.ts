import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

/**
 * Systems and faults drawn at random: pods, hosts, autoscalers, deployments, every recovery, everything at once. Each run is checked by the engine's own
 * laws (conservation, Little, utilisation); here what must hold of life and death besides.
 */
const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
const state = { off: 0, booting: 1, up: 2, down: 3, draining: 4 };
const absent = 0;

/** A simple generator is enough to choose from lists (Numerical Recipes, ranqd1). */
const chooser = (seed: number): { of: <T>(list: readonly T[]) => T; maybe: (share: number, text: string) => string; upTo: (n: number) => number } => {
  let x = seed;
  const next = (): number => (x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let i = 0; i < 5; i++) next();
  return { of: (list) => list[Math.floor(next() * list.length)], maybe: (share, text) => (next() < share ? text : ''), upTo: (n) => Math.floor(next() * n) };
};
type Chooser = ReturnType<typeof chooser>;

const link = ({ of, maybe }: Chooser): string => {
  const health = maybe(0.6, `health: { path: ${of(['shared', 'dedicated'])}, every: ${of(['500ms', '1s'])}, timeout: 200ms, unhealthyAfter: ${of([1, 2])}, healthyAfter: 2 }, failOpen: ${of([0, 1])},`);
  const pool = maybe(0.5, `pool: { max: ${of([1, 5])}, wait: 100ms, reuse: ${of(['3', 'unlimited'])}, handshake: { time: 3ms, callerCpu: 1ms, calleeCpu: 1ms } },`);
  const outlier = maybe(0.3, 'outlier: { errors: 3, every: 1s, eject: 2s, maxEjected: 60% },');
  return `{ ${health} ${pool} ${outlier} ${maybe(0.5, `timeout: ${of(['50ms', '500ms'])},`)} ${maybe(0.3, 'retries: { max: 2, backoff: 10ms },')} ${maybe(0.2, 'cancel: true,')} latency: ${of(['0s', '2ms'])}, policy: ${of(['round-robin', 'two-choices', 'least-outstanding', 'random'])}, slowStart: ${of(['0s', '1s'])} }`;
};

const fault = ({ of, maybe, upTo }: Chooser, targets: readonly string[], i: number): string => {
  const when = `at: ${upTo(9000)}ms, ${maybe(0.8, `for: ${1 + upTo(4000)}ms,`)}`;
  const deploy = `deploy: { how: ${of(['rolling', 'blue-green'])}, boot: ${of(['100ms', '1s'])}, batch: ${of([1, 2])}, failing: ${of([0, 0, 1, 2])} }`;
  const verb = of(['crash: true', 'crash: true', 'slow: 3x', 'steal: 50%', 'steal: 100%', 'freeze: true', 'errors: 20%', 'leak: 30MiB/s', 'hog: 60MiB', 'latency: 20ms', 'loss: 10%', 'blackhole: true', 'cut: true', deploy]);
  const target = verb === deploy ? of(['app', 'app', 'db']) : of(/latency|loss|blackhole|cut/.test(verb) ? [...targets, '[app, db]', '[jobs, lb]'] : targets);
  return `f${i}: { ${when} target: ${target}, ${verb} }`;
};

const system = (seed: number): string => {
  const choose = chooser(seed);
  const { of, maybe, upTo } = choose;
  const place = of(['machine: box', 'machine: box', 'host: vm']);
  const isPod = place === 'machine: box' && of([true, false]);
  const recovery = (): string => `recovery: { by: ${of(['restart', 'reboot', 'replace', 'none'])}, after: ${of(['0s', '50ms', '1s', '3s'])}, backoff: ${of(['none', 'kubernetes'])} }`;
  const scale = maybe(0.6, `autoscale: { min: 1, max: 4, metric: ${of(['cpu', 'slots'])}, rule: ${of(['hpa', 'ec2'])}, target: ${of(['20%', '60%'])}, every: 500ms, window: 700ms, boot: ${of(['100ms', '1s'])}, inWindow: 1s, drain: ${of(['10ms', '2s'])}${isPod ? ', with: [proxy]' : ''} }`);
  const targets = ['app', 'app.1', 'app.2', 'db', 'lb', ...(isPod ? ['proxy', 'proxy.1'] : [])];
  return scenario(`
    duration: 12s
    tick: ${of(['100ms', '1s', '60ms'])}
    seed: ${seed}
    machines: { box: { cpus: 1, memory: 1GiB, price: 1 USD/h } }
    hosts: { vm: { cpus: 2, memory: 400MiB } }
    services:
      lb: { to: { ${isPod ? 'proxy' : 'app'}: ${link(choose)} } }
      app:
        ${place}
        instances: 2
        cpuRequest: 0.5
        slots: ${of([2, 5])}
        slotsHeld: ${of(['request', 'cpu'])}
        queue: { limit: 10, patience: ${of(['unlimited', '100ms'])} }
        memory: { base: 50MiB, limit: 150MiB, perRequest: 1MiB, leakPerRequest: 10KiB, leakPerSecond: ${of(['0B', '1MiB'])} }
        ${recovery()}
        ${scale}
        handlers: { job: [{ cpu: 4ms }, { call: db.read }, { wait: 5ms }] }
        to: { db: ${link(choose)} }
      ${isPod ? `proxy: { beside: app, cpus: 0.5, ${recovery()}, handlers: { job: [{ cpu: 1ms }, { call: app.job }] }, to: { app: ${link(choose)} } }` : ''}
      db: { ${of(['machine: box', 'host: vm'])}, slots: 8, memory: { base: 100MiB, limit: 300MiB }, ${recovery()}, handlers: { read: [{ cpu: 1ms }] } }
    faults:
      ${Array.from({ length: 2 + upTo(8) }, (_, i) => fault(choose, targets, i)).join('\n      ')}
    traffic:
      jobs: { to: { lb: ${link(choose)} }, send: job, open: { rate: ${of(['50/s', '150/s'])} } }
  `);
};

/** What is wrong with the lives of instances, in words; nothing when all is well. */
const contradictions = (run: SimulatedRun): string[] => {
  const found: string[] = [];
  for (const [name, { instances }] of Object.entries(run.ticks.services)) {
    const beliefs = (number: number): number[][] => Object.entries(run.ticks.links).filter(([link]) => link.endsWith(`.${name}`)).map(([, { targets }]) => cells(run, targets[number].belief));
    instances.forEach((instance, number) => {
      const states = cells(run, instance.state);
      const memory = cells(run, instance.memoryBytes.end);
      states.forEach((now, tick) => {
        const at = `${name}.${number + 1}, tick ${tick}, state ${now}`;
        const isRunning = now === state.up || now === state.draining;
        for (const belief of beliefs(number)) if ((belief[tick] !== absent) !== (now === state.up || now === state.down)) found.push(`${at}: believed ${belief[tick]}`);
        if ((name === 'app' || name === 'db') && isRunning !== memory[tick] > 0) found.push(`${at}: ${memory[tick]} B held`);
      });
      const { billedMs } = run.services[name].instances[number];
      if ((states.at(-1) !== state.off) !== (billedMs.at(-1)?.[1] === 12_000)) found.push(`${name}.${number + 1}: billed ${JSON.stringify(billedMs)}, in the end in state ${states.at(-1)}`);
    });
  }
  return found;
};

describe('whatever faults, recoveries, deployments and autoscalers do at once', () => {
  it.each(seeds)('the laws hold; who is registered is there and not leaving; who lives holds memory; who is there is billed (%i)', (seed) => {
    const run = simulated(system(seed));
    expect(contradictions(run)).toEqual([]);
    expect(run.eventLog.filter(({ kind }) => kind === 'fault').length).toBeGreaterThanOrEqual(2);
  });
});
