import { describe, expect, it } from 'vitest';
import { askedOf, readingOf } from '../../src/analysis/index.js';
import { figureIn, idOf, outcomesAsked, unitOfMetric } from '../../src/analysis/figures.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { FigureName } from '../../src/study/types.js';
import { readingAs } from '../support/fake-model.js';
import { scenario } from '../support/simulated.js';

const file = parseScenario(scenario(`
  duration: 20s
  machines: { small: { cpus: 1, memory: 1GiB, price: 3.6 USD/h } }
  services:
    api: { machine: small, slots: 2, queue: { limit: 4 }, handlers: { ask: [{ cpu: { assumed: 20ms, cv: 0 } }] } }
    aside: { handlers: { other: [{ wait: 5ms }] } }
  traffic: { users: { to: api, send: ask, open: { arrivals: even, rate: [[0s, 10/s], [10s, 10/s], [10s, 100/s], [20s, 100/s]] } } }
  phases: { calm: [0s, 10s], rush: [10s, 20s] }
  objectives: { quick: { of: users, p90: "<= 30ms", in: calm } }
  claims:
    busier: { of: api, cpu: "> 1x", in: rush, vs: { in: calm }, variant: other }
    story: { order: [saturated api, crashed api] }
  variants: { today: {}, other: { services.api.slots: 4 } }
`), { file: 'test.yaml' });
const [today, other] = file.variants;
const asks = (system: typeof today): string[] => askedOf(system, file.variants).map(idOf);

describe('what a run is asked for', () => {
  it('is what the checks need in every phase, and each figure once', () => {
    expect(asks(today)).toEqual(expect.arrayContaining(['users p90 good ', 'users p90 good calm', 'users p90 good rush']));
    expect(asks(other)).toEqual(expect.arrayContaining(['api cpu good calm', 'api cpu good rush']));
    expect(new Set(asks(today)).size).toBe(asks(today).length);
  });

  it('is what every traffic comes to in every phase and over the run, and what every machine costs', () => {
    const outcomes = outcomesAsked(today).map(idOf);
    for (const phase of ['', 'calm', 'rush']) for (const metric of ['good', 'refused', 'failed', 'rate', 'p50', 'p95', 'p99']) expect(outcomes).toContain(`users ${metric} good ${phase}`);
    expect(outcomes.filter((id) => id.includes('cost'))).toEqual(['api cost good ']);
    expect(asks(today)).toEqual(expect.arrayContaining(outcomes));
  });

  it('is in base units', () => {
    expect([unitOfMetric('p95'), unitOfMetric('rate'), unitOfMetric('good'), unitOfMetric('cost')]).toEqual(['ms', '/s', 'share', 'money/h']);
  });
});

describe('a reading', () => {
  const reading = readingOf(simulate(today), today, askedOf(today, file.variants));

  it('has the figures of its run', () => {
    expect(reading.figures['users p90 good calm']).toEqual({ value: expect.closeTo(20, 0) as number, blind: false });
    // 100/s offered against the 50/s that one core of 20 ms carries.
    expect(reading.figures['users rate good rush'].value).toBeCloseTo(50, -1);
    expect(reading.figures['api cost good '].value).toBeCloseTo(3.6, 6);
  });

  it('has the times of the events of an order, null for what never happened, and what broke first', () => {
    expect(reading.orders['story']).toEqual([expect.any(Number), null]);
    expect(reading.firstToBreak).toEqual({ objective: null, service: null, what: null });
  });

  it('is plain data that a thread can be sent', () => {
    expect(structuredClone(reading)).toEqual(reading);
  });
});

describe('a figure by its name', () => {
  const name: FigureName = { variant: 'today', of: 'users', metric: 'p95', over: 'good', phase: 'rush', vs: null, unit: 'ms' };
  const asked = (['calm', 'rush'] as const).map((phase) => ({ of: 'users', metric: 'p95', over: 'good', phase }) as const);
  const readings = (values: Readonly<Record<string, number | null | { value: number; blind: boolean }>>): ReadonlyMap<string, ReturnType<typeof readingAs>> =>
    new Map(['today', 'other'].map((variant) => [variant, readingAs(variant, asked, ({ phase }) => values[`${variant} ${phase}`] ?? null)]));

  it('is a quotient where it compares', () => {
    const all = readings({ 'today rush': 30, 'today calm': 10, 'other rush': 60 });
    expect(figureIn(all, name)).toEqual({ value: 30, blind: false });
    expect(figureIn(all, { ...name, vs: { variant: 'today', phase: 'calm' } })).toEqual({ value: 3, blind: false });
    expect(figureIn(all, { ...name, vs: { variant: 'other', phase: 'rush' } })).toEqual({ value: 0.5, blind: false });
  });

  it('is unknown where either side is, never endless, and blind where either is', () => {
    expect(figureIn(readings({ 'today rush': 30 }), { ...name, vs: { variant: 'other', phase: 'rush' } }).value).toBeNull();
    expect(figureIn(readings({ 'other rush': 30 }), { ...name, vs: { variant: 'other', phase: 'rush' } }).value).toBeNull();
    expect(figureIn(readings({ 'today rush': 30, 'other rush': 0 }), { ...name, vs: { variant: 'other', phase: 'rush' } }).value).toBeNull();
    expect(figureIn(readings({ 'today rush': 30, 'other rush': { value: 10, blind: true } }), { ...name, vs: { variant: 'other', phase: 'rush' } })).toEqual({ value: 3, blind: true });
    expect(figureIn(readings({}), { ...name, variant: 'third' })).toEqual({ value: null, blind: false });
  });
});
