import { describe, expect, it } from 'vitest';
import { bytes, clock, condition, count, inputValue, latency, money, perSecond, points, resultValue, share, signedCount, span } from '../../renderers/look/numbers.js';

const plain = (text: string): string => text.replaceAll('\u00A0', ' ');

describe('numbers', () => {
  it('never abbreviates counts', () => {
    expect([count(0), count(999), count(82_235), count(1_234_567), count(-42)]).toEqual(['0', '999', '82,235', '1,234,567', '−42']);
    expect([signedCount(82), signedCount(0), signedCount(-3)]).toEqual(['+82', '0', '−3']);
  });

  it('rounds shares down, so that 100 % only means that nothing is missing', () => {
    expect([share(1), share(0.99999), share(0.999), share(0.582), share(0), share(0.0001)]).toEqual(['100%', '99.9%', '99.9%', '58.2%', '0.0%', '<0.1%']);
  });

  it('gives rates three digits at most', () => {
    expect([2.54, 9.97, 444.2, 999.6, 2_440, 9_960, 12_400].map(perSecond)).toEqual(['2.5/s', '10/s', '444/s', '1.0k/s', '2.4k/s', '10k/s', '12k/s']);
  });

  it('writes latency, memory and money in the unit that reads best', () => {
    expect([0.25, 9.6, 473.4, 999.7, 1_240, 12_430, 120_000].map(latency).map(plain)).toEqual(['0.25 ms', '9.6 ms', '473 ms', '1.00 s', '1.24 s', '12.4 s', '120 s']);
    expect([512, 8 * 2 ** 20, 1.4375 * 2 ** 30, 512 * 2 ** 20].map(bytes).map(plain)).toEqual(['512 B', '8 MiB', '1.44 GiB', '512 MiB']);
    expect([0.0893, 12.4, 0, 1_234].map((amount) => plain(money(amount, 'USD')))).toEqual(['0.0893 USD', '12.40 USD', '0.00 USD', '1,234 USD']);
  });

  it('says moments as a clock and lengths in words of the language', () => {
    expect([clock(244_000), clock(3_784_999), clock(999)]).toEqual(['04:04', '1:03:04', '00:00']);
    expect([span(180_000, 'en'), span(90_000, 'en'), span(51, 'en'), span(2_500, 'en')].map(plain)).toEqual(['3 min', '1 min 30 s', '51 ms', '2.5 s']);
    expect(plain(span(90_000, 'ko'))).toBe('1분 30초');
  });

  it('repeats inputs exactly, with unlimited as a word', () => {
    expect([inputValue(250, '/s', 'en'), inputValue(9, 'ms', 'en'), inputValue(1.1 * 2 ** 30, 'B', 'en'), inputValue(0.6, 'share', 'en'), inputValue(2, 'factor', 'en'), inputValue(0.085, 'money/h', 'en', 'USD')].map(plain)).toEqual(
      ['250/s', '9 ms', '1.1 GiB', '60%', '2×', '0.085 USD/h'],
    );
    expect([inputValue(null, 'count', 'en'), inputValue(null, 'count', 'ko'), inputValue(1 / 300, '/s', 'en')]).toEqual(['unlimited', '무제한', '0.0033/s']);
  });

  it('says unknown where there is no sample, never 0', () => {
    expect([resultValue(null, 'ms', 'en'), resultValue(null, 'share', 'ko')]).toEqual(['unknown', '알 수 없음']);
    expect(plain(resultValue(397.2, 'ms', 'en'))).toBe('397 ms');
  });

  it('rounds mean numbers of things by their size, and shows no empty decimals', () => {
    expect([4185.5167, 100, 99.96, 42.449, 12, 9.999, 2.5449, 1.5, 0.0042, 0, -3.14159].map((value) => resultValue(value, 'count', 'en'))).toEqual(['4,186', '100', '100', '42.4', '12', '10', '2.54', '1.5', '0.0042', '0', '−3.14']);
    expect(resultValue(33.3333, 'weight', 'ko')).toBe('33.3');
  });

  it('prints conditions and differences with the signs of print', () => {
    expect([condition('>= 99.9%'), condition('<= 800ms')].map(plain)).toEqual(['≥ 99.9%', '≤ 800 ms']);
    expect([points(-0.124, 'en'), points(0.05, 'ko'), points(0, 'en')].map(plain)).toEqual(['−12.4 points', '+5.0%p', '0.0 points']);
  });
});
