import type { Lang, Unit } from '../../src/scenario/model.js';

/**
 * How numbers are written, in the film, the report and the terminal alike. Pure: number in, text out.
 * Number and unit are joined by a no-break space; tabular figures do the rest. A missing value is the word "unknown", never 0.
 */

export const unknown: Readonly<Record<Lang, string>> = { en: 'unknown', ko: '알 수 없음' };
export const unlimited: Readonly<Record<Lang, string>> = { en: 'unlimited', ko: '무제한' };

/** No-break space: keeps a number and its unit on one line. */
export const nbsp = '\u00A0';

/** Whole counts, never abbreviated: `82,235`. */
export const count = (value: number): string => {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, ',');
  return (value < 0 && digits !== '0' ? minus : '') + digits;
};

/** Counts with a sign, for changes: `+82`, `−3`, `0`. */
export const signedCount = (value: number): string => (Math.round(value) > 0 ? `+${count(value)}` : count(value));

/** Rates: `2.5/s`, `444/s`, `2.4k/s`, `12k/s`. */
export const perSecond = (value: number): string => `${short(value)}/s`;

/** Rates where there is room: `2.5/s`, `444/s`, `1,000/s`. */
export const perSecondInFull = (value: number): string => (value >= 999.5 ? `${count(value)}/s` : perSecond(value));

/** Shares of 0..1 with one decimal, rounded down so that `100%` only says that nothing is missing; what is there but too small is `<0.1%`. */
export const share = (value: number): string => {
  const tenths = Math.floor(value * 1000 + 1e-9);
  if (value > 0 && tenths === 0) return '<0.1%';
  return tenths === 1000 ? '100%' : `${(tenths / 10).toFixed(1)}%`;
};

/** Shares of 0..1 in whole percent, for labels that have no room. */
export const percent = (value: number): string => `${Math.round(value * 100)}%`;

/** Difference of two shares in points: `−12.4 points`. */
export const points = (value: number, lang: Lang): string => {
  const text = Math.abs(value * 100).toFixed(1);
  const sign = text === '0.0' ? '' : value < 0 ? minus : '+';
  return lang === 'ko' ? `${sign}${text}%p` : `${sign}${text}${nbsp}points`;
};

/** Latency: `9.6 ms`, `473 ms`, `1.24 s`, `12.4 s`. */
export const latency = (ms: number): string => {
  if (ms >= 99_950) return `${count(ms / 1000)}${nbsp}s`;
  if (ms >= 9_995) return `${(ms / 1000).toFixed(1)}${nbsp}s`;
  if (ms >= 999.5) return `${(ms / 1000).toFixed(2)}${nbsp}s`;
  if (ms >= 9.95) return `${Math.round(ms)}${nbsp}ms`;
  return `${trimmed(ms, ms >= 0.995 || ms === 0 ? 1 : 3)}${nbsp}ms`;
};

/** Memory with three digits: `512 MiB`, `1.44 GiB`. */
export const bytes = (value: number): string => {
  const step = byteSteps.findLast(([size]) => Math.abs(value) >= size * 0.9995) ?? byteSteps[0];
  return `${threeDigits(value / step[0])}${nbsp}${step[1]}`;
};

/** A moment of simulated time: `08:04`, `1:08:04` beyond an hour; whole seconds, rounded down. */
export const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000 + 1e-9);
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
};

/** A length of time as people say it: `3 min`, `1 min 30 s`, `11 s`, `2.5 s`, `51 ms`; in Korean `1분 30초`. */
export const span = (ms: number, lang: Lang): string => {
  if (!Number.isFinite(ms)) return unlimited[lang];
  if (ms < 1000) return `${trimmed(ms, 3)}${nbsp}ms`;
  const words = spanWords[lang];
  const parts: string[] = [];
  let rest = Math.round(ms);
  for (const [size, word] of [[3_600_000, words.hour], [60_000, words.minute]] as const) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)}${word}`);
    rest %= size;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${trimmed(rest / 1000, 3)}${words.second}`);
  return parts.join(nbsp);
};

/** Simulated seconds in a second of film: `8×`, `0.25×`, `76×`. */
export const speedText = (speed: number): string => `${roundedSpeed(speed)}×`;

/** What passes in a second of film, as exact as `speedText` and short: `0.25 s`, `2 s`, `142 s`, `11 min`. */
export const speedSpan = (speed: number, lang: Lang): string => {
  const rounded = roundedSpeed(speed);
  if (rounded < 600) return `${rounded}${spanWords[lang].second}`;
  return rounded < 6_000 ? `${Math.round(rounded / 60)}${spanWords[lang].minute}` : `${trimmed(rounded / 3_600, 1)}${spanWords[lang].hour}`;
};

const roundedSpeed = (speed: number): number => Number(speed.toFixed(speed < 1 ? 2 : speed < 10 ? 1 : 0));

/** An amount of money with its currency: `0.089 USD`, `12.40 USD`. */
export const money = (amount: number, currency: string): string => {
  const size = Math.abs(amount);
  const digits = size === 0 || size >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size)));
  return `${size >= 1000 ? count(amount) : amount.toFixed(digits)}${nbsp}${currency}`;
};

/** Cores in use or allowed: `1.86`, `2`. */
export const cores = (value: number): string => trimmed(value, 2);

/**
 * A value as a scenario gives it, exact rather than short, in the base unit of its type: `250/s`, `9 ms`, `8 MiB`, `60%`, `2×`.
 * `null` is the language's `unlimited`.
 */
export const inputValue = (value: number | null, unit: Unit, lang: Lang, currency?: string): string => {
  if (value === null || !Number.isFinite(value)) return unlimited[lang];
  switch (unit) {
    case 'ms':
      return value === 0 ? `0${spanWords[lang].second}` : span(value, lang);
    case '/s':
      return `${separated(value)}/s`;
    case 'B':
      return value === 0 ? `0${nbsp}B` : exactBytes(value);
    case 'B/s':
      return `${value === 0 ? `0${nbsp}B` : exactBytes(value)}/s`;
    case 'share':
      return `${trimmed(value * 100, 4)}%`;
    case 'factor':
      return `${trimmed(value, 4)}×`;
    case 'money/h':
      return `${trimmed(value, 6)}${nbsp}${currency ?? ''}/h`;
    case 'count':
    case 'cores':
    case 'weight':
      return separated(value);
  }
};

/** A value of an input that was found, not written: as a scenario gives it, in so many significant digits. */
export const nearInput = (value: number, unit: Unit, lang: Lang, currency?: string, digits = 3): string => {
  const near = (number: number): string => separated(Number(number.toPrecision(digits)));
  switch (unit) {
    case 'ms':
      if (value >= 60_000) return inputValue(Math.round(value / 1000) * 1000, unit, lang);
      return value >= 1000 ? `${near(value / 1000)}${nbsp}s` : `${near(value)}${nbsp}ms`;
    case 'B':
    case 'B/s': {
      const [size, name] = byteSteps.findLast(([step]) => value >= step) ?? byteSteps[0];
      return `${near(value / size)}${nbsp}${name}${unit === 'B' ? '' : '/s'}`;
    }
    case '/s':
      return `${near(value)}/s`;
    default:
      return inputValue(Number(value.toPrecision(digits)), unit, lang, currency);
  }
};

/**
 * What an axis of such values is divided by so that its ticks are round in the unit that people read: mebibytes, seconds, minutes, percent.
 * @param most the largest value on it, in the base unit
 */
export const axisUnit = (unit: Unit, most: number): number => {
  if (unit === 'B' || unit === 'B/s') return (byteSteps.findLast(([size]) => most >= size) ?? byteSteps[0])[0];
  if (unit === 'ms') return most >= 600_000 ? 60_000 : most >= 1000 ? 1000 : 1;
  return unit === 'share' ? 0.01 : 1;
};

/** A result in the unit of an objective: shares are floored, times are latencies. `null` = no sample. */
export const resultValue = (value: number | null, unit: Unit, lang: Lang): string => {
  if (value === null) return unknown[lang];
  switch (unit) {
    case 'share':
      return share(value);
    case 'ms':
      return latency(value);
    case '/s':
      return perSecondInFull(value);
    case 'B':
      return bytes(value);
    case 'B/s':
      return `${bytes(value)}/s`;
    case 'factor':
      return `${trimmed(value, 2)}×`;
    case 'cores':
      return cores(value);
    case 'money/h':
      return `${trimmed(value, value >= 1 ? 2 : 4)}/h`;
    default:
      return amount(value);
  }
};

/** A condition as the file writes it, with the signs of print: `>= 99.9%` → `≥ 99.9%`. */
export const condition = (text: string): string =>
  text
    .replaceAll('>=', '≥')
    .replaceAll('<=', '≤')
    .replace(/(\d)(us|ms|s|m|h|KiB|MiB|GiB|TiB|B)\b/g, `$1${nbsp}$2`)
    .replace(/ /g, nbsp);

const minus = '\u2212';
const two = (value: number): string => String(value).padStart(2, '0');

const byteSteps: readonly (readonly [number, string])[] = [[1, 'B'], [2 ** 10, 'KiB'], [2 ** 20, 'MiB'], [2 ** 30, 'GiB'], [2 ** 40, 'TiB']];
const spanWords = {
  en: { hour: `${nbsp}h`, minute: `${nbsp}min`, second: `${nbsp}s` },
  ko: { hour: '시간', minute: '분', second: '초' },
} as const;

const threeDigits = (value: number): string => {
  const size = Math.abs(value);
  return size >= 99.95 ? count(value) : size >= 9.995 ? trimmed(value, 1) : trimmed(value, 2);
};

/** A mean number of things: `4,186`, `12.5`, `2.54`; what is too small for that is still not nothing. */
const amount = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 99.95) return count(value);
  return trimmed(value, size >= 9.995 ? 1 : size >= 0.005 ? 2 : 4);
};

/** Bytes in the largest unit that says the value exactly, with at most four decimals. */
const exactBytes = (value: number): string => {
  const step = byteSteps.findLast(([size]) => value >= size) ?? byteSteps[0];
  return `${trimmed(value / step[0], 4)}${nbsp}${step[1]}`;
};

const short = (value: number): string => {
  if (value >= 9_950) return `${count(value / 1000)}k`;
  if (value >= 999.5) return `${(value / 1000).toFixed(1)}k`;
  return value >= 9.95 ? count(value) : trimmed(value, 1);
};

/** At most so many decimals, without trailing zeros. */
const trimmed = (value: number, decimals: number): string => {
  const text = String(Number(Math.abs(value).toFixed(decimals)));
  return value < 0 && text !== '0' ? minus + text : text;
};

const separated = (value: number): string => {
  const [whole, rest] = trimmed(value, 4).split('.') as [string, string?];
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (rest ? `.${rest}` : '');
};
