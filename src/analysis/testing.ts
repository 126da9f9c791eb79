import type { Condition, System } from '../scenario/model.js';
import type { FigureName, PathValue, Sensitivity, TestedVerdict } from '../study/types.js';
import { holds } from './condition.js';
import { figureIn, knownIn, type Reading } from './figures.js';
import { restsOn, testedGuesses } from './rests-on.js';
import type { Asking } from './verdicts.js';

/** Values to run a variant with, everything else as written. */
export type Point = readonly PathValue[];
/** What all variants came to at a point. */
export type Readings = ReadonlyMap<string, Reading>;

/** What moving the guesses of one variant showed. */
export interface Testing {
  readonly sensitivity: Omit<Sensitivity, 'guesses'>;
  /** By asking. */
  readonly tested: readonly TestedVerdict[];
}

interface Guess {
  readonly path: string;
  readonly written: number;
  readonly low: number;
  readonly high: number;
  /** Only whole numbers make sense of it. */
  readonly isWhole: boolean;
}
type End = 'low' | 'high';
interface GuessEnd {
  readonly guess: Guess;
  readonly end: End;
}

/** A bracket in which a verdict turns: not yet at `from`, but at `to`, both as shares of the way from what is written to an end or a corner. */
interface Bracket {
  readonly asking: number;
  /** One guess and its end, or all those of a corner. */
  readonly way: readonly GuessEnd[];
  from: number;
  to: number;
}

/** Each round cuts a bracket in three. */
const rounds = 3;

/**
 * Tests the verdicts of a variant against its ranged guesses: every one at both ends, then all at their joint worst corner, then where a verdict turns. Pure: it yields
 * the points that it needs and is given their readings, all under the same seed, so the result is the same however they are run. A bracket is cut in three, which keeps two
 * runs of each going at once, three times: to 1/27 of the way, far less than a range leaves open.
 */
export function* testing(system: System, askings: readonly Asking[], names: readonly FigureName[], written: Readings): Generator<readonly Point[], Testing, readonly Readings[]> {
  const guesses = testedGuesses(system).map(guessOf);
  const known = new Map<string, Readings>([[keyOf([]), written]]);
  let runs = 0;
  const run = function* (points: readonly Point[]): Generator<readonly Point[], void, readonly Readings[]> {
    const fresh = [...new Map(points.map((point) => [keyOf(point), point])).entries()].filter(([key]) => !known.has(key));
    if (fresh.length === 0) return;
    const readings = yield fresh.map(([, point]) => point);
    fresh.forEach(([key], i) => known.set(key, readings[i]));
    runs += fresh.length;
  };
  const at = (point: Point): Readings => known.get(keyOf(point))!;
  const ends = guesses.flatMap((guess) => (['low', 'high'] as const).map((end) => ({ guess, end, point: [{ path: guess.path, value: guess[end] }] })));
  for (const { guess, end, point } of ends) if (guess[end] === guess.written) known.set(keyOf(point), written);
  yield* run(ends.map(({ point }) => point));

  const looks = askings.map((asking) => {
    const reaching = new Set(restsOn(system, asking.name.of));
    return lookAt(asking, guesses.filter(({ path }) => reaching.has(path)), system, at);
  });
  yield* run(looks.flatMap(({ flips, corner }) => (flips.length === 0 && corner.length > 0 ? [pointOn(corner, 1)] : [])));

  const brackets = askings.flatMap((asking, index) => bracketsOf(asking, index, looks[index], at));
  for (let round = 0; round < rounds; round++) {
    const cuts = brackets.map((bracket) => thirdsOf(bracket));
    yield* run(cuts.flatMap((points) => points.map(({ point }) => point)));
    brackets.forEach((bracket, i) => narrow(bracket, cuts[i], askings[bracket.asking], at));
  }

  const figuresAt = (point: Point): (number | null)[] => names.map((name) => knownIn(at(point), name));
  const between = [...known.keys()].flatMap((key) => {
    const point = pointOf(key);
    return point.length === 1 && !ends.some((end) => keyOf(end.point) === key) ? [{ ...point[0], figures: figuresAt(point) }] : [];
  });
  return {
    sensitivity: {
      runs,
      figures: names,
      written: figuresAt([]),
      ends: ends.map(({ guess, end, point }) => ({ path: guess.path, value: guess[end], end, figures: figuresAt(point), firstToBreak: at(point).get(system.variant)!.firstToBreak })),
      between,
    },
    tested: askings.map((asking, index) => conclude(asking, looks[index], brackets.filter((bracket) => bracket.asking === index), at)),
  };
}

const keyOf = (point: Point): string => JSON.stringify(point.map(({ path, value }) => [path, value]));
const pointOf = (key: string): Point => (JSON.parse(key) as [string, number][]).map(([path, value]) => ({ path, value }));

const guessOf = ({ path, value, unit, range: [low, high] }: ReturnType<typeof testedGuesses>[number]): Guess => ({ path, written: value, low, high, isWhole: unit === 'count' && [value, low, high].every(Number.isInteger) });

interface Look {
  readonly moves: TestedVerdict['moves'];
  /** Ends that turn it alone. */
  readonly flips: readonly GuessEnd[];
  /** Of every guess that reaches it, the end that speaks most against it. */
  readonly corner: readonly GuessEnd[];
  readonly unknownAt: readonly string[];
}

/** What both ends of every guess that reaches it do to one objective. */
const lookAt = ({ objective, name }: Asking, guesses: readonly Guess[], system: System, at: (point: Point) => Readings): Look => {
  const condition = objective.condition!;
  const written = figureIn(at([]), name);
  const met = holds(condition, written.value);
  const moves: Mutable<TestedVerdict['moves'][number]>[] = [];
  const [flips, corner, unknownAt]: [GuessEnd[], GuessEnd[], string[]] = [[], [], []];
  if (met === null || written.blind) return { moves, flips, corner, unknownAt };
  for (const guess of guesses) {
    const figures = { low: atEnd(guess, 'low', name, at), high: atEnd(guess, 'high', name, at) };
    const values = [written.value, figures.low, figures.high].filter((value) => value !== null);
    const swing = Math.max(...values) - Math.min(...values);
    const ends = (['low', 'high'] as const).filter((end) => guess[end] !== guess.written);
    if (ends.some((end) => figures[end] === null)) unknownAt.push(guess.path);
    const worst = swing === 0 ? strain(guess, met, name, system, at) : against(condition, met, written.value!, figures);
    if (worst) corner.push({ guess, end: worst });
    if (swing === 0) continue;
    moves.push({ path: guess.path, ...figures, swing });
    flips.push(...ends.flatMap((end) => (figures[end] !== null && holds(condition, figures[end]) !== met ? [{ guess, end }] : [])));
  }
  return { moves: moves.toSorted((a, b) => b.swing - a.swing), flips, corner, unknownAt };
};

/**
 * The end of a guess that moves the judged figure at neither end, as a share that stays at 100 % does: the one that makes requests of the same traffic slower than they are as
 * written, or faster against a broken verdict. What slows them alone is what loses them together. Null where neither end does.
 */
const strain = (guess: Guess, met: boolean, { variant, of, phase }: FigureName, { traffic }: System, at: (point: Point) => Readings): End | null => {
  const sources = traffic.map(({ name }) => name);
  for (const source of sources.includes(of) ? [of] : sources) {
    for (const metric of ['p99', 'p95', 'p50'] as const) {
      const name: FigureName = { variant, of: source, metric, over: 'good', phase, vs: null, unit: 'ms' };
      const [written, low, high] = [knownIn(at([]), name), atEnd(guess, 'low', name, at), atEnd(guess, 'high', name, at)];
      if (written === null || low === null || high === null || (low === written && high === written)) continue;
      const [worst, end] = low > high === met ? [low, 'low' as const] : [high, 'high' as const];
      return worst !== written && worst > written === met ? end : null;
    }
  }
  return null;
};
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A figure at an end; unknown as well where its load was not made. */
const atEnd = (guess: Guess, end: End, name: FigureName, at: (point: Point) => Readings): number | null => knownIn(at(guess[end] === guess.written ? [] : [{ path: guess.path, value: guess[end] }]), name);

/** How far inside a condition a figure is, negative outside. */
const margin = ({ low, high }: Condition, value: number): number => Math.min(value - low, high - value);

/** The end that speaks most against a verdict; null when both speak for it. */
const against = (condition: Condition, met: boolean, written: number, figures: Readonly<Record<End, number | null>>): End | null => {
  const sign = met ? 1 : -1;
  const rank = (value: number | null): number => (value === null ? Infinity : sign * margin(condition, value));
  const end: End = rank(figures.low) <= rank(figures.high) ? 'low' : 'high';
  return rank(figures[end]) < rank(written) ? end : null;
};

const bracketsOf = (asking: Asking, index: number, { flips, corner }: Look, at: (point: Point) => Readings): Bracket[] => {
  if (flips.length > 0) return flips.map((one) => ({ asking: index, way: [one], from: 0, to: 1 }));
  return corner.length > 0 && turns(asking, pointOn(corner, 1), at) ? [{ asking: index, way: corner, from: 0, to: 1 }] : [];
};

/** Whether a verdict is another one at a point than as written. What is unknown there turns nothing. */
const turns = ({ objective, name }: Asking, point: Point, at: (point: Point) => Readings): boolean => {
  const value = knownIn(at(point), name);
  return value !== null && holds(objective.condition!, value) !== holds(objective.condition!, figureIn(at([]), name).value);
};

interface Cut {
  readonly share: number;
  readonly point: Point;
}

/** The two points that cut a bracket in three; fewer where whole numbers lie too close. */
const thirdsOf = ({ way, from, to }: Bracket): Cut[] => {
  const cuts = [from + (to - from) / 3, from + (2 * (to - from)) / 3].map((share) => ({ share, point: pointOn(way, share) }));
  const [start, end] = [keyOf(pointOn(way, from)), keyOf(pointOn(way, to))];
  return cuts.filter(({ point }) => keyOf(point) !== start && keyOf(point) !== end);
};

/** Keeps the part of a bracket, the nearest to what is written, in which the verdict turns. */
const narrow = (bracket: Bracket, cuts: readonly Cut[], asking: Asking, at: (point: Point) => Readings): void => {
  for (const { share, point } of cuts) {
    if (turns(asking, point, at)) {
      bracket.to = share;
      return;
    }
    bracket.from = share;
  }
};

const pointOn = (way: readonly GuessEnd[], share: number): Point => way.map(({ guess, end }) => valueOn(guess, end, share));

/** A value on the way from what is written to an end, rounded to a decimal step that is fine enough to tell the cuts apart, so that a flip can be told and tried again. */
const valueOn = ({ path, written, isWhole, ...ends }: Guess, end: End, share: number): PathValue => {
  const length = ends[end] - written;
  if (share === 0 || share === 1 || length === 0) return { path, value: share === 0 ? written : ends[end] };
  const step = isWhole ? 1 : 10 ** Math.floor(Math.log10(Math.abs(length) / 3 ** rounds));
  return { path, value: Number((Math.round((written + length * share) / step) * step).toPrecision(12)) };
};

const conclude = (asking: Asking, { moves, flips, corner, unknownAt }: Look, brackets: readonly Bracket[], at: (point: Point) => Readings): TestedVerdict => {
  const nearestFirst = brackets.toSorted((a, b) => a.to - b.to);
  const point = flips.length === 0 && corner.length > 0 ? pointOn(corner, 1) : null;
  const actual = point && knownIn(at(point), asking.name);
  return {
    met: holds(asking.objective.condition!, figureIn(at([]), asking.name).value),
    moves,
    flips: flips.length > 0 ? nearestFirst.map(({ way: [{ guess, end }], from, to }) => ({ ...valueOn(guess, end, to), holdsAt: valueOn(guess, end, from).value, end })) : [],
    corner: point && { values: point, actual, met: holds(asking.objective.condition!, actual) },
    together: flips.length > 0 || brackets.length === 0 ? [] : pointOn(brackets[0].way, brackets[0].to),
    unknownAt,
  };
};
