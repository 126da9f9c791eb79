import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../../src/errors.js';
import type { Study } from '../../../src/study/types.js';
import { studied } from '../../support/studied.js';

const run = (text: string): Study['runs'][string] => Object.values(studied(text).runs)[0];

describe('small files that once were too much', () => {
  it('a host whose cores nobody said has cores without end', () => {
    const { hosts, traffic } = run(`
      duration: 20s
      hosts: { h: { memory: 1GiB } }
      services: { w: { host: h, handlers: { go: [{ cpu: { assumed: 50ms, cv: 0 } }] } } }
      traffic: { j: { to: w, send: go, open: { rate: 1/s, arrivals: even } } }
    `);
    expect(traffic['j'].latencyMs?.max).toBe(50);
    expect(hosts['h'].cpuCores.mean).toBeCloseTo(0.05, 3);
  });

  it('a good answer that reaches a frozen caller ends its deadline as well', () => {
    const { traffic } = run(`
      duration: 20s
      services:
        a: { handlers: { go: [{ call: b.go }, { wait: { assumed: 10s, cv: 0 } }] }, to: { b: { deadline: 5s } } }
        b: { handlers: { go: [{ wait: { assumed: 500ms, cv: 0 } }] } }
      traffic: { t: { to: a, send: go, open: { rate: 10/s } } }
      faults: { f: { at: 1s, for: 1s, target: a, freeze: true } }
    `);
    expect(traffic['t'].failed).toEqual({});
    expect(traffic['t'].good).toBeGreaterThan(50);
  });

  it('a worker of one turn may die of the very message that it takes', () => {
    const { services } = run(`
      duration: 12s
      services:
        mail: { kind: queue }
        w: { consumes: mail, slots: 1, slotsHeld: cpu, memory: { base: 50MiB, limit: 55MiB, perRequest: 3MiB }, handlers: { letter: [{ cpu: 50ms }] } }
      traffic: { j: { closed: { users: 12, think: 400ms }, steps: [{ publish: mail.letter }] } }
    `);
    expect(services['w'].instances[0].arrived).toBeGreaterThan(0);
  });

  it('a fleet below its start costs nothing extra', () => {
    const { cost } = run(`
      duration: 40s
      services: { s: { machine: c6i.large, instances: 3, autoscale: { min: 1, max: 3, target: 50%, every: 1s, window: 1s, inWindow: 1s, boot: 1s, drain: 0s }, handlers: { go: [{ cpu: 1ms }] } } }
      traffic: { t: { to: s, send: go, open: { rate: 10/s } } }
    `);
    expect(cost.services['s'].extraS).toBe(0);
    expect(cost.services['s'].billedS).toBeLessThan(120);
  });

  it('memory of a host goes back to what it was, to the byte', () => {
    const { ticks } = run(`
      duration: 20s
      hosts: { h: { cpus: 2, memory: 4GiB } }
      services: { s: { host: h, instances: 3, memory: { leakPerSecond: 0.37KiB, perRequest: 0.1KiB }, handlers: { go: [{ wait: 3ms }] } } }
      traffic: { t: { to: s, send: go, open: { rate: 100/s } } }
      faults: { c: { at: 5.3s, target: s, crash: true }, l: { at: 1.1s, for: 1.7s, target: s, leak: 1.3KiB/s } }
    `);
    expect(ticks.hosts['h'].memoryBytes.end).toContain(0);
  });

  it('an autoscaler may look back much further than it looks often', () => {
    expect(run(`
      duration: 2s
      services: { s: { machine: c6i.large, autoscale: { min: 1, max: 2, target: 50%, every: 100ms, window: 1h, boot: 1s }, handlers: { go: [{ cpu: 1ms }] } } }
      traffic: { t: { to: s, send: go, open: { rate: 10/s } } }
    `).traffic['t'].good).toBeGreaterThan(0);
  });

  it('quantiles that are all 0 leave the mean', () => {
    expect(run(`
      duration: 5s
      services: { s: { handlers: { go: [{ wait: { assumed: 10ms, quantiles: { 50%: 0ms, 99%: 0ms } } }] } } }
      traffic: { t: { to: s, send: go, open: { rate: 10/s } } }
    `).traffic['t'].latencyMs?.max).toBe(10);
  });

  it('calls that multiply end in a clear error, not in a machine without memory', () => {
    const parallel = (to: string): string => `parallel: [${Array.from({ length: 100 }, () => `[{ call: ${to}.go }]`).join(', ')}]`;
    const bomb = (): unknown => run(`
      duration: 10s
      services:
        a: { handlers: { go: [{ ${parallel('b')} }] } }
        b: { handlers: { go: [{ ${parallel('c')} }] } }
        c: { handlers: { go: [{ ${parallel('d')} }] } }
        d: { handlers: { go: [{ ${parallel('e')} }] } }
        e: { handlers: { go: [{ wait: 1s }] } }
      traffic: { t: { to: a, send: go, open: { rate: 1/s, arrivals: even } } }
    `);
    expect(bomb).toThrow(FaultreelError);
    expect(bomb).toThrow(/calls at once/);
  });
});
