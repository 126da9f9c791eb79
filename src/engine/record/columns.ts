import type { Column, LevelColumns, OutcomeColumns } from '../../study/types.js';
import type { Level } from './level.js';

/** A column while it is written: one number a tick, NaN = no sample. */
export class ColumnWriter {
  private readonly values: Float64Array;
  constructor(ticks: number) {
    this.values = new Float64Array(ticks);
  }
  set(tick: number, value: number | null): void {
    this.values[tick] = value ?? NaN;
  }
  /** A constant column as one number. */
  column(): Column {
    const numbers = Array.from(this.values, (value) => (Number.isNaN(value) ? null : shortened(value)));
    const [first = 0] = numbers;
    return first !== null && numbers.every((value) => value === first) ? first : numbers;
  }
}

/** What a tick column keeps of a number: counts exactly, so that they add up; everything else to four significant digits. */
export const shortened = (value: number): number => (Number.isInteger(value) && Math.abs(value) < 1e7 ? value : toFourDigits(value));

/** Powers of ten that are exact in a double. */
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * What `Number(value.toPrecision(4))` gives, without writing and reading digits, which takes ten times as long: a run has millions of cells. Four digits divided or
 * multiplied by an exact power of ten are the double nearest to what is meant. Where what follows them is nearly a tie, or they are nearly one more or less, the
 * words decide.
 */
const toFourDigits = (value: number): number => {
  const size = Math.abs(value);
  if (!(size >= 1e-9 && size < 1e15)) return Number(value.toPrecision(4));
  let exponent = 0;
  while (size * powersOfTen[exponent] < 1000) exponent++;
  while (size >= 10_000 * powersOfTen[-exponent]) exponent--;
  const scaled = exponent >= 0 ? size * powersOfTen[exponent] : size / powersOfTen[-exponent];
  const digits = Math.round(scaled);
  if (digits <= 1000 || digits >= 10_000 || Math.abs(scaled - Math.floor(scaled) - 0.5) < 1e-6) return Number(value.toPrecision(4));
  const found = exponent >= 0 ? digits / powersOfTen[exponent] : digits * powersOfTen[-exponent];
  return value < 0 ? -found : found;
};

/** Mean, maximum and end value of a level, tick by tick. */
export class LevelWriter {
  private readonly mean: ColumnWriter;
  private readonly max: ColumnWriter;
  private readonly end: ColumnWriter;
  constructor(ticks: number) {
    this.mean = new ColumnWriter(ticks);
    this.max = new ColumnWriter(ticks);
    this.end = new ColumnWriter(ticks);
  }
  write(tick: number, mean: number, max: number, end: number): void {
    this.mean.set(tick, mean);
    this.max.set(tick, max);
    this.end.set(tick, end);
  }
  /** Writes the tick that ends now and begins the level's next one. */
  take(tick: number, level: Level, nowNs: number): void {
    this.write(tick, level.tickMean(nowNs), level.tickMax, level.value);
    level.nextTick(nowNs);
  }
  columns(): LevelColumns {
    return { mean: this.mean.column(), max: this.max.column(), end: this.end.column() };
  }
}

/** Counts by outcome, tick by tick. */
export class OutcomeWriter {
  private readonly writers: readonly ColumnWriter[];
  constructor(ticks: number) {
    this.writers = [0, 1, 2, 3].map(() => new ColumnWriter(ticks));
  }
  write(tick: number, outcome: number, count: number): void {
    this.writers[outcome].set(tick, count);
  }
  columns(): OutcomeColumns {
    const [good, declined, refused, failed] = this.writers as [ColumnWriter, ColumnWriter, ColumnWriter, ColumnWriter];
    return { good: good.column(), declined: declined.column(), refused: refused.column(), failed: failed.column() };
  }
}
