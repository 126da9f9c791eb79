import { askedOf, askings, judgeables, testedGuesses, sweepOf, testing, trialFigures, type Point, type Reading, type Readings, type SweepPlan, type Testing, type Trials } from '../analysis/index.js';
import { FaultreelError } from '../errors.js';
import { parseScenario } from '../scenario/index.js';
import type { Scenario, System } from '../scenario/model.js';
import { writeQuantity } from '../scenario/quantities.js';
import type { Override, SimulatedRun } from '../study/types.js';
import type { Host } from '../host.js';
import type { Executor } from './executor.js';
import type { SimulateJob, SimulateResult } from './job.js';
import type { Progress } from './progress.js';
import { TrialBound } from './trial-bound.js';

/** Which runs are made beside those that are shown. */
export interface TrialPlan {
  /** The first is that of the shown runs. */
  readonly seeds: readonly number[];
  /** Variants whose verdicts are tested against the ranges of their guesses. */
  readonly tested: readonly string[];
  readonly sweeps: readonly SweepPlan[];
  /** The variant that is swept. */
  readonly swept: string;
  /** What `--set` replaced. */
  readonly set: readonly Override[];
}

/** What the trials are made with. */
export interface TrialMeans {
  readonly executor: Executor;
  readonly progress: Progress;
  readonly host: Pick<Host, 'now'>;
}

/** What trials may take, and what a run of each variant as it is written took. */
interface Cost {
  readonly bound: TrialBound;
  readonly workOf: ReadonlyMap<string, number>;
}

/** Trials whose work is counted together: a bound is told so late at most. */
const trialsAtOnce = 64;
/** Below this nobody waits: no progress is told. */
const tellAfterMs = 3_000;

/** Does jobs as one part of the work. */
const doAll = (title: string, jobs: readonly (() => SimulateJob)[], { executor, progress, host }: TrialMeans): Promise<readonly SimulateResult[]> => {
  progress.stage(title);
  const startedAt = host.now();
  return executor.runJobs(jobs, {
    onProgress: (shares) => {
      if (host.now() - startedAt > tellAfterMs) progress.step(shares.reduce((sum, share) => sum + share, 0), jobs.length, 'runs');
    },
    onNotice: (notice) => progress.notice(notice),
  });
};

/** The shown runs of all variants, and everything that is run beside them. */
export const runAndTry = async (scenario: Scenario, plan: TrialPlan, means: TrialMeans): Promise<{ readonly runs: readonly SimulatedRun[]; readonly trials: Trials }> => {
  for (const variant of plan.tested) checkEnds(scenario, variant, plan);
  const { runs, bySeed, cost } = await runSeeds(scenario, plan, means);
  const tests = new Map<string, Testing>();
  for (const variant of plan.tested) tests.set(variant, await testVariant(variant, scenario, runs, bySeed[0], plan, means, cost));
  const sweeps = [];
  for (const sweep of plan.sweeps) {
    const points = sweep.values.map((value): Point => [{ path: sweep.input.path, value }]);
    const own = judgeables(scenario, runs).find(({ system }) => system.variant === plan.swept)!;
    const readings = await readPoints(`sweep ${sweep.input.path}`, points, [plan.swept, ...comparedIn(own.system)], scenario, bySeed[0], plan, means, cost);
    sweeps.push(sweepOf(plan.swept, sweep, trialFigures(own), readings));
  }
  return { runs, trials: { bySeed, testing: tests, sweeps } };
};

/**
 * What cannot be tried is told before anything is simulated. Returns how many runs both ends of every range take.
 * @throws FaultreelError (invalid scenario) for an end of a range that the scenario cannot have
 */
export const checkEnds = (scenario: Scenario, variant: string, plan: Pick<TrialPlan, 'set' | 'sweeps'>): number => {
  const system = scenario.variants.find((own) => own.variant === variant)!;
  const ends = testedGuesses(system).flatMap(({ path, value, range }) => range.flatMap((end) => (end === value ? [] : [{ path, value: end }])));
  const needed = [variant, ...comparedIn(system)];
  const bound = new TrialBound(scenario);
  // Each is read here, and again when its turn comes.
  bound.require(bound.readingOf(2 * ends.length * needed.length), ends.length * needed.length, 'both ends of every range', variant);
  for (const name of needed) for (const end of ends) for (const point of pointFor(scenario, name, variant, [end])) systemAt(scenario, name, [point], plan);
  return ends.length * needed.length;
};

const runSeeds = async (scenario: Scenario, { seeds }: TrialPlan, means: TrialMeans): Promise<{ readonly runs: readonly SimulatedRun[]; readonly bySeed: readonly ReadonlyMap<string, Reading>[]; readonly cost: Cost }> => {
  const { variants } = scenario;
  const jobs = seeds.flatMap((seed, nth) => variants.map((system): SimulateJob => ({ kind: 'simulate', system, seed, asked: askedOf(system, variants), wantsRun: nth === 0 })));
  const title = `simulate ${variants.map(({ variant }) => variant).join(', ')}`;
  const first = await doAll(title, jobs.slice(0, variants.length).map((job) => () => job), means);
  const bound = new TrialBound(scenario);
  const others = jobs.slice(variants.length);
  bound.require(first.reduce((sum, { work }) => sum + work, 0) * (seeds.length - 1), others.length, 'other seeds', variants[0].variant);
  const results = [...first, ...(others.length > 0 ? await doAll(`${title} under ${seeds.length} seeds`, others.map((job) => () => job), means) : [])];
  bound.add(results.slice(variants.length), 0);
  const bySeed = seeds.map((_, nth) => new Map(variants.map(({ variant }, i) => [variant, results[nth * variants.length + i].reading])));
  return { runs: results.flatMap(({ run }) => run ?? []), bySeed, cost: { bound, workOf: new Map(variants.map(({ variant }, i) => [variant, first[i].work])) } };
};

const testVariant = async (variant: string, scenario: Scenario, runs: readonly SimulatedRun[], written: Readings, plan: TrialPlan, means: TrialMeans, cost: Cost): Promise<Testing> => {
  const own = judgeables(scenario, runs).find(({ system }) => system.variant === variant)!;
  const steps = testing(own.system, askings(own), trialFigures(own), written);
  const needed = [variant, ...comparedIn(own.system)];
  let next = steps.next();
  for (let round = 0; !next.done; round++) {
    const title = round === 0 ? `sensitivity of ${variant}: both ends of every range` : `sensitivity of ${variant}: worst corners, and where verdicts turn, step ${round}`;
    next = steps.next(await readPoints(title, next.value, needed, scenario, written, plan, means, cost));
  }
  return next.value;
};

/** Variants that objectives compare with: they are moved along. */
export const comparedIn = ({ variant, objectives }: System): string[] => [...new Set(objectives.flatMap(({ vs }) => (vs?.variant !== undefined && vs.variant !== variant ? [vs.variant] : [])))];

/** What the needed variants come to at every point, the first being the one that is moved; the others as written. */
const readPoints = async (title: string, points: readonly Point[], needed: readonly string[], scenario: Scenario, written: Readings, plan: TrialPlan, means: TrialMeans, { bound, workOf }: Cost): Promise<readonly Readings[]> => {
  const asked = new Map(scenario.variants.map((system) => [system.variant, askedOf(system, scenario.variants)]));
  const oneWork = needed.reduce((sum, variant) => sum + workOf.get(variant)!, bound.readingOf(needed.length));
  bound.require(points.length * oneWork, points.length * needed.length, title, needed[0]);
  const possible = points.map((point) => point.length < 2 || isPossible(scenario, needed[0], point, plan));
  const jobs = points.flatMap((point, i) => (possible[i] ? needed.map((variant) => (): SimulateJob => ({ kind: 'simulate', system: systemAt(scenario, variant, pointFor(scenario, variant, needed[0], point), plan), seed: plan.seeds[0], asked: asked.get(variant)!, wantsRun: false })) : []));
  const results: SimulateResult[] = [];
  for (let from = 0; from < jobs.length; from += trialsAtOnce) {
    const own = jobs.slice(from, from + trialsAtOnce);
    bound.require(0, jobs.length, title, needed[0]);
    const done = await doAll(from === 0 ? title : `${title}, from ${from + 1} of ${jobs.length} on`, own, means);
    bound.add(done, done.length);
    results.push(...done);
  }
  return possible.map((isRun) => new Map([...written, ...needed.map((variant) => [variant, isRun ? results.shift()!.reading : nothingKnown(written.get(variant)!)] as const)]));
};

/** Values that are each possible may not be so together, as a least and a most number of instances. */
const isPossible = (scenario: Scenario, variant: string, point: Point, plan: TrialPlan): boolean => {
  try {
    systemAt(scenario, variant, point, plan);
    return true;
  } catch (error) {
    if (error instanceof FaultreelError) return false;
    throw error;
  }
};

const nothingKnown = (written: Reading): Reading => ({ ...written, figures: {} });

/** What is moved along in a variant that another one is compared with: not what it leaves out, and not what it has another value for, which is what sets it apart. */
const pointFor = ({ variants }: Scenario, variant: string, tested: string, point: Point): Point => {
  const [own, other] = [variant, tested].map((name) => new Map(variants.find((system) => system.variant === name)!.inputs.map((input) => [input.path, input.value])));
  return point.filter(({ path }) => Object.is(own.get(path), other.get(path)));
};

/** A variant with other values, as `--set` would give it. */
export const systemAt = ({ text, file, variants }: Scenario, variant: string, point: Point, { set, sweeps }: Pick<TrialPlan, 'set' | 'sweeps'>): System => {
  const { inputs } = variants.find((system) => system.variant === variant)!;
  // What is swept may be a key that the file leaves out: then the plan knows how it is written.
  const known = [...inputs, ...sweeps.map(({ input }) => input)];
  const moved = point.map(({ path, value }) => {
    const { unit, currency } = known.find((input) => input.path === path)!;
    return { path, value: writeQuantity(value, unit, currency), flag: 'a value to be tried' };
  });
  try {
    return parseScenario(text, { file, set, variant, moved }).variants[0];
  } catch (error) {
    if (!(error instanceof FaultreelError)) throw error;
    const said = moved.map(({ path, value }) => `${path}=${value}`).join(', ');
    throw new FaultreelError(error.exitCode, error.problems.map((problem) => ({ ...problem, message: `${said} cannot be tried: ${problem.message}`, hint: problem.hint ?? 'Correct the range of that value in the scenario' })), { cause: error });
  }
};
