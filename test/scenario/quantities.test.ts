import { describe, expect, test } from 'vitest';
import type { ScalarNode } from '../../src/scenario/document/tree.js';
import { type QuantityKind, parseQuantity, quantities } from '../../src/scenario/quantities.js';

const scalar = (value: string | number): ScalarNode => ({ kind: 'scalar', value, text: String(value), quoted: false, at: { source: { file: '', text: '' }, offset: 0, end: 0 } });
const read = (kind: QuantityKind, value: string | number, unlimited = false) => parseQuantity(scalar(value), [kind], unlimited);
const baseOf = (kind: QuantityKind, value: string | number): number | undefined => {
  const parsed = read(kind, value);
  return 'value' in parsed ? parsed.value : undefined;
};
const hintOf = (kind: QuantityKind, value: string | number): string | undefined => {
  const parsed = read(kind, value);
  return 'value' in parsed ? 'accepted' : parsed.hint;
};

describe('quantities in base units', () => {
  test.each<[QuantityKind, string | number, number]>([
    ['duration', '50us', 0.05],
    ['duration', '12ms', 12],
    ['duration', '3s', 3_000],
    ['duration', '4m10s', 250_000],
    ['duration', '2h', 7_200_000],
    ['duration', '1h2m3s4ms5us', 3_723_004.005],
    ['duration', '0.25ms', 0.25],
    ['rate', '250/s', 250],
    ['rate', '12/m', 0.2],
    ['rate', '45.5/s', 45.5],
    ['rate', '1/5m', 1 / 300],
    ['bytes', '8MiB', 8 * 2 ** 20],
    ['bytes', '1.5GiB', 1.5 * 2 ** 30],
    ['bytes', '12KiB', 12_288],
    ['bytes', '0B', 0],
    ['bytesPerSecond', '1MiB/s', 2 ** 20],
    ['money', '0.085 USD/h', 0.085],
    ['factor', '2x', 2],
    ['share', '60%', 0.6],
    ['share', '99.9%', 0.9990000000000001],
    ['count', 40, 40],
    ['cores', 0.5, 0.5],
  ])('%s %s is %d', (kind, written, base) => {
    expect(baseOf(kind, written)).toBeCloseTo(base, 12);
  });

  test('unlimited is infinite where it is said to be possible, and nothing elsewhere', () => {
    expect(read('count', 'unlimited', true)).toEqual({ value: Infinity, kind: 'unlimited' });
    expect(hintOf('count', 'unlimited')).toContain('has to have an end');
  });

  test.each<[QuantityKind, string | number, string]>([
    ['duration', 250, 'write the unit after the number: 250us, 250ms, 250s, 250m or 250h'],
    ['duration', '250', 'write the unit after the number'],
    ['duration', '250 ms', 'leave out the space: 250ms'],
    ['duration', '3 seconds', 'did you mean 3s?'],
    ['duration', '5min', 'did you mean 5m?'],
    ['duration', '8MiB', '8MiB is an amount of memory'],
    ['duration', '-5s', 'a duration cannot be negative'],
    ['duration', '10s4m', 'units: us, ms, s, m, h'],
    ['rate', '100rps', 'did you mean 100/s?'],
    ['rate', '250/sec', 'did you mean 250/s?'],
    ['bytes', '512MB', 'did you mean 512MiB?'],
    ['bytes', '3Gi', 'did you mean 3GiB?'],
    ['factor', 2, 'write the unit after the number: 2x'],
    ['share', 0.6, 'write the unit after the number: 0.6%'],
    ['count', '40', 'leave out the quotes: 40'],
    ['money', 0.085, 'write the unit after the number: 0.085 USD/h'],
  ])('%s %s is answered: %s', (kind, written, hint) => {
    expect(hintOf(kind, written)).toContain(hint);
  });

  test('each type reads its own example and no other type reads it', () => {
    const written = Object.values(quantities).filter(({ pattern }) => pattern);
    for (const { example, kind } of written) expect(written.filter((other) => baseOf(other.kind, example) !== undefined).map((other) => other.kind)).toEqual([kind]);
  });
});
