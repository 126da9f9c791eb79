import { casesOf, type OracleCase } from '../catalogue.js';
import type { Figure, Measured } from '../support/family.js';
import type { Stretch } from '../support/batches.js';
import { sizes } from './sizes.js';

/** Milliseconds as the language writes them. */
export const ms = (seconds: number): string => `${Number((seconds * 1000).toPrecision(12))}ms`;

/** A step that takes an exponential (or gamma, or constant) time of this mean, without CPU. */
export const wait = (seconds: number, cv = 1): string => `{ wait: { assumed: ${ms(seconds)}, cv: ${cv} } }`;

export const openLoad = (perS: number, { to = 'svc', send = 'job', arrivals = 'poisson' } = {}): string =>
  `traffic: { load: { to: ${to}, send: ${send}, open: { rate: ${perS}/s, arrivals: ${arrivals} } } }`;

/** One service `svc` of so many slots, whose requests wait in one line; `more`: other keys of it, with a comma. */
export const station = (slots: number, step: string, more = ''): string => `services: { svc: { slots: ${slots}, ${more} handlers: { job: [${step}] } } }`;

type Made = Omit<Measured, 'id' | 'tolerance' | 'requests' | 'runs' | 'figures'> & { readonly figures: Readonly<Record<string, Figure['read']>> };

/** The cases of a family as they are measured: which figures, and how each is read. Expected figures that are not read, and the other way round, are left out. */
export const measuredCases = (family: string, make: (given: OracleCase['given'], id: string) => Made): Measured[] =>
  casesOf(family).map(({ id, tolerance, given, expected }) => {
    const { figures, ...made } = make(given, id);
    const known = Object.entries(figures).filter(([name]) => expected[name] !== undefined);
    return sized({ id, tolerance, ...made, figures: known.map(([name, read]) => ({ name, expected: expected[name], read })) });
  });

/** With as many requests as its size says. */
export const sized = (measured: Omit<Measured, 'requests' | 'runs'>): Measured => {
  const { millions, runs = 1, wide = [] } = sizes[measured.id];
  return { ...measured, requests: millions * 1e6, runs, figures: measured.figures.map((figure) => ({ ...figure, wide: wide.includes(figure.name) })) };
};

/** Sojourns of the traffic `load`, s. */
export const sojourns = {
  W: (on: Stretch) => on.traffic().latencyMs!.mean / 1000,
  T_p50: (on: Stretch) => on.traffic().latencyMs!.p50 / 1000,
  T_p95: (on: Stretch) => on.traffic().latencyMs!.p95 / 1000,
  T_p99: (on: Stretch) => on.traffic().latencyMs!.p99 / 1000,
};

/** Mean number in the slots, in the line, and both, of one instance of a service. */
export const inSlots = (on: Stretch, service = 'svc', i = 0): number => on.mean(on.run.ticks.services[service].instances[i].slots.mean);
export const inLine = (on: Stretch, service = 'svc', i = 0): number => on.mean(on.run.ticks.services[service].instances[i].queue.mean);
export const inside = (on: Stretch, service = 'svc', i = 0): number => inSlots(on, service, i) + inLine(on, service, i);

/** Share of those that came to `load` that ended so. */
export const refusedShare = (on: Stretch): number => sum(Object.values(on.traffic().refused)) / on.traffic().offered;
export const goodShare = (on: Stretch): number => on.traffic().good / on.traffic().offered;
export const goodPerS = (on: Stretch): number => on.traffic().good / on.seconds;
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
