import { at } from '../study/columns.js';
import type { Comparison, Ends, EventDifference, ObjectiveDifference, Side, TrafficDifference } from '../study/comparison.js';
import { beganAtMs, byBeginning, splitSubject } from '../study/events.js';
import type { Column, Run, TrafficTotals, Verdict } from '../study/types.js';
import { changesOf } from './changes.js';

/** Compares two to four runs whose ticks are equally long. A pure function of the studies. */
export const compareSides = (sides: readonly Side[]): Comparison => {
  const runs = sides.map(({ study, variant }) => study.runs[variant]);
  return {
    schema: 'faultreel-comparison/1',
    relation: sides.every(({ study }) => study === sides[0].study) ? 'variants' : 'scenarios',
    sides: sides.map(({ letter, name, study: { scenario }, variant }, i) => ({
      letter,
      name,
      scenario: scenario.name,
      title: scenario.title,
      variant,
      sha256: scenario.sha256,
      seed: scenario.seed,
      durationMs: runs[i].durationMs,
      firstToBreak: runs[i].firstToBreak,
    })),
    tickMs: sides[0].study.scenario.tickMs,
    durationMs: Math.max(...runs.map(({ durationMs }) => durationMs)),
    arrivals: arrivalsOf(sides, runs),
    changes: changesOf(sides),
    objectives: objectivesOf(sides),
    traffic: trafficOf(runs),
    events: eventsOf(runs),
  };
};

/** Same seed and script are not enough to say "same arrivals": every tick that all sides have must have been offered the same. */
const arrivalsOf = (sides: readonly Side[], runs: readonly Run[]): Comparison['arrivals'] => {
  if (new Set(sides.map(({ study }) => study.scenario.seed)).size > 1) return 'different';
  const scripts = runs.map(({ system }) => JSON.stringify(system.traffic.map(({ name, kind, from, limit, scripted }) => ({ name, kind, from, limit, scripted }))));
  if (new Set(scripts).size > 1) return 'different';
  const count = Math.min(...runs.map(({ ticks }) => ticks.count));
  const isSame = Object.keys(runs[0].ticks.traffic).every((name) => runs.every(({ ticks }) => isEqual(ticks.traffic[name].offered, runs[0].ticks.traffic[name].offered, count)));
  return isSame ? 'same' : 'script';
};

const isEqual = (one: Column, other: Column, count: number): boolean => {
  for (let tick = 0; tick < count; tick++) if (at(one, tick) !== at(other, tick)) return false;
  return true;
};

const objectivesOf = (sides: readonly Side[]): readonly ObjectiveDifference[] => {
  const bySide = sides.map(({ study, variant }) => study.verdicts.filter((verdict) => verdict.variant === variant));
  return bySide[0].flatMap((first): readonly ObjectiveDifference[] => {
    const all = bySide.map((verdicts) => verdicts.find((verdict) => isSame(verdict, first)));
    if (!all.every((verdict): verdict is Verdict => verdict !== undefined)) return [];
    const picture = sides[0].study.runs[sides[0].variant].system.objectives.find(({ name }) => name === first.objective);
    const op = picture?.op ?? '=';
    return [
      {
        objective: first.objective,
        phase: first.phase,
        of: first.of,
        metric: first.metric,
        unit: first.unit,
        targets: all.map(({ target }) => target),
        better: op === '>=' || op === '>' ? 'more' : op === '<=' || op === '<' ? 'less' : 'neither',
        op,
        values: all.map(({ actual }) => actual),
        met: all.map(({ met, blind }) => (blind ? null : met)),
        basis: first.basis,
        isFactor: all.some(({ vs }) => vs !== null),
      },
    ];
  });
};

const isSame = (one: Verdict, other: Verdict): boolean => one.objective === other.objective && one.phase === other.phase && one.of === other.of && one.metric === other.metric && one.unit === other.unit;

/** The whole run and every phase that all sides have; of all traffic together, and of each where there are several. */
const trafficOf = (runs: readonly Run[]): readonly TrafficDifference[] => {
  const phases = [null, ...Object.keys(runs[0].phases).filter((phase) => runs.every((run) => run.phases[phase] !== undefined))];
  const names = [...new Set(runs.flatMap(({ traffic }) => Object.keys(traffic)))];
  const rows = [null, ...(names.length > 1 ? names : [])];
  return phases.flatMap((phase) =>
    rows.map((traffic) => ({
      phase,
      traffic,
      sides: runs.map((run) => {
        const totals = phase === null ? run.traffic : run.phases[phase].traffic;
        const picked = traffic === null ? Object.values(totals) : totals[traffic] ? [totals[traffic]] : [];
        return picked.length === 0 ? null : endsOf(picked);
      }),
    })),
  );
};

const endsOf = (totals: readonly TrafficTotals[]): Ends => {
  const sum = (pick: (one: TrafficTotals) => number): number => totals.reduce((all, one) => all + pick(one), 0);
  const reasons = (byReason: Readonly<Record<string, number>>): number => Object.values(byReason).reduce((all, one) => all + one, 0);
  const [good, refused, failed] = [sum((one) => one.good), sum((one) => reasons(one.refused)), sum((one) => reasons(one.failed))];
  const ended = good + refused + failed;
  return { offered: sum((one) => one.offered), good, declined: sum((one) => reasons(one.declined)), refused, failed, inFlight: sum((one) => one.inFlight), goodShare: ended > 0 ? good / ended : null };
};

const eventsOf = (runs: readonly Run[]): readonly EventDifference[] => {
  const found = new Map<string, { kind: string; subject: string; counts: number[]; firstMs: (number | null)[] }>();
  runs.forEach((run, side) => {
    for (const event of byBeginning(run.eventLog)) {
      const { kind, subject } = event;
      const { service } = splitSubject(subject);
      const key = `${kind} ${service}`;
      let row = found.get(key);
      if (!row) found.set(key, (row = { kind, subject: service, counts: runs.map(() => 0), firstMs: runs.map(() => null) }));
      row.counts[side]++;
      row.firstMs[side] ??= beganAtMs(event);
    }
  });
  const earliest = ({ firstMs }: EventDifference): number => Math.min(...firstMs.map((ms) => ms ?? Infinity));
  return [...found.values()].filter(({ counts }) => counts.includes(0)).toSorted((a, b) => earliest(a) - earliest(b));
};
