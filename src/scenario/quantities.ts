import type { ScalarNode } from './document/tree.js';
import type { Unit } from './model.js';

export type QuantityKind = 'duration' | 'rate' | 'bytes' | 'bytesPerSecond' | 'money' | 'factor' | 'share' | 'count' | 'cores' | 'weight';

/** One type of number: how it is written, and its base unit. */
export interface Quantity {
  readonly kind: QuantityKind;
  readonly unit: Unit;
  /** With its article: `a duration`. */
  readonly name: string;
  readonly example: string;
  /** What to write after a number that came without a unit. */
  readonly units?: string;
  /** For types written as text; source of the JSON schema as well. */
  readonly pattern?: RegExp;
  readonly toBase?: (match: RegExpExecArray) => number;
}

const number = String.raw`\d+(?:\.\d+)?`;
const msPer: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, us: 0.001 };
const bytesPer: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
const size = String.raw`(${number})(B|KiB|MiB|GiB|TiB)`;

export const quantities: Readonly<Record<QuantityKind, Quantity>> = {
  duration: {
    kind: 'duration', unit: 'ms', name: 'a duration', example: '250ms', units: 'us, ms, s, m, h',
    pattern: new RegExp(`^(?=\\d)(?:(${number})h)?(?:(${number})m(?!s))?(?:(${number})s)?(?:(${number})ms)?(?:(${number})us)?$`),
    toBase: ([, h, m, s, ms, us]) => Number(h ?? 0) * msPer['h'] + Number(m ?? 0) * msPer['m'] + Number(s ?? 0) * msPer['s'] + Number(ms ?? 0) + Number(us ?? 0) / 1_000,
  },
  rate: {
    kind: 'rate', unit: '/s', name: 'a rate', example: '250/s', units: '/s, /m, /h',
    pattern: new RegExp(`^(${number})/(${number})?(us|ms|s|m|h)$`),
    toBase: ([, count, spans, unit]) => (Number(count) * 1_000) / (Number(spans ?? 1) * msPer[unit]),
  },
  bytes: { kind: 'bytes', unit: 'B', name: 'an amount of memory', example: '8MiB', units: 'B, KiB, MiB, GiB', pattern: new RegExp(`^${size}$`), toBase: ([, count, unit]) => Number(count) * bytesPer[unit] },
  bytesPerSecond: { kind: 'bytesPerSecond', unit: 'B/s', name: 'an amount of memory per second', example: '1MiB/s', units: 'KiB/s, MiB/s', pattern: new RegExp(`^${size}/s$`), toBase: ([, count, unit]) => Number(count) * bytesPer[unit] },
  money: { kind: 'money', unit: 'money/h', name: 'a price', example: '0.085 USD/h', units: ' USD/h', pattern: new RegExp(`^(${number}) ([A-Z]{3})/h$`), toBase: ([, amount]) => Number(amount) },
  factor: { kind: 'factor', unit: 'factor', name: 'a factor', example: '2x', units: 'x', pattern: new RegExp(`^(${number})x$`), toBase: ([, times]) => Number(times) },
  share: { kind: 'share', unit: 'share', name: 'a share', example: '60%', units: '%', pattern: new RegExp(`^(${number})%$`), toBase: ([, percent]) => Number(percent) / 100 },
  count: { kind: 'count', unit: 'count', name: 'a whole number', example: '40' },
  cores: { kind: 'cores', unit: 'cores', name: 'a number of cores', example: '0.5' },
  weight: { kind: 'weight', unit: 'weight', name: 'a weight', example: '3' },
};

export interface Parsed {
  /** In the base unit. */
  readonly value: number;
  readonly kind: QuantityKind | 'unlimited';
  readonly currency?: string;
}
export interface NotParsed {
  readonly hint?: string;
}

/** A number of a base unit as the language writes it, in ten digits or, where those are another number, in all that it has: the opposite of `parseQuantity`. */
export const writeQuantity = (value: number, unit: Unit, currency = ''): string => {
  if (value === Infinity) return 'unlimited';
  const digits = (number: number): string => {
    const places = number === 0 ? 0 : Math.max(0, Math.min(100, 9 - Math.floor(Math.log10(Math.abs(number)))));
    const short = number.toFixed(places).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
    const whole = String(number);
    return Number(short) === number || whole.includes('e') ? short : whole;
  };
  switch (unit) {
    case 'share':
      return `${digits(value * 100)}%`;
    case 'factor':
      return `${digits(value)}x`;
    case 'money/h':
      return `${digits(value)} ${currency}/h`;
    case 'count':
    case 'cores':
    case 'weight':
      return digits(value);
    default:
      return `${digits(value)}${unit}`;
  }
};

/** Expected words for one or several types: `a share such as 60% or a whole number such as 40`. */
export const expectedQuantity = (kinds: readonly QuantityKind[], unlimited: boolean): string =>
  [...kinds.map((kind) => `${quantities[kind].name} such as ${quantities[kind].example}`), ...(unlimited ? ['`unlimited`'] : [])].join(' or ');

/** Reads a scalar as one of `kinds`, in base units; a hint instead when it is something else. */
export const parseQuantity = (node: ScalarNode, kinds: readonly QuantityKind[], unlimited: boolean): Parsed | NotParsed => {
  if (unlimited && node.value === 'unlimited') return { value: Infinity, kind: 'unlimited' };
  for (const kind of kinds) {
    const { pattern, toBase } = quantities[kind];
    if (!pattern) {
      if (typeof node.value === 'number' && Number.isFinite(node.value)) return { value: node.value, kind };
      continue;
    }
    const match = typeof node.value === 'string' ? pattern.exec(node.value) : null;
    if (match) {
      const value = toBase!(match);
      if (Number.isFinite(value)) return { value, kind, ...(kind === 'money' && { currency: match[2] }) };
    }
  }
  const hint = hintFor(node, kinds[0], unlimited);
  return hint === undefined ? {} : { hint };
};

/** Which type a text is written as; undefined when it is none. */
export const kindOf = (text: string): Quantity | undefined => Object.values(quantities).find(({ pattern }) => pattern?.test(text));

const hintFor = (node: ScalarNode, wanted: QuantityKind, unlimited: boolean): string | undefined => {
  const { name, example, units, unit } = quantities[wanted];
  const text = node.text.trim();
  if (node.value === null) return `write ${name} after the colon, for example ${example}`;
  if (text === 'unlimited') return unlimited ? undefined : 'this number has to have an end: `unlimited` is not possible here';
  if (/^-\s*[\d.]/.test(text)) return `${name} cannot be negative`;
  if (typeof node.value === 'number') return units ? `write the unit after the number: ${withUnits(text, units)}` : undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return units ? `write the unit after the number: ${withUnits(text, units)}` : `leave out the quotes: ${text}`;
  const other = kindOf(text);
  if (other) return `${text} is ${other.name}; ${name} is written ${example}${units ? ` (units: ${units.trim()})` : ', a bare number'}`;
  const spaced = text.replace(/\s+/g, '');
  if (wanted !== 'money' && spaced !== text && quantities[wanted].pattern?.test(spaced)) return `leave out the space: ${spaced}`;
  const repaired = repairUnit(spaced, unit);
  if (repaired) return `did you mean ${repaired}?`;
  return units ? `units: ${units.trim()}` : undefined;
};

const withUnits = (text: string, units: string): string => {
  const all = units.split(', ').map((unit) => `${text}${unit}`);
  return all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
};

/** Spellings that people bring along from other tools. */
const spellings: Readonly<Partial<Record<Unit, readonly (readonly [RegExp, string])[]>>> = {
  ms: [[/^([\d.]+)(?:µs|μs|usec|micros?)$/i, 'us'], [/^([\d.]+)(?:msecs?|millis|milliseconds?)$/i, 'ms'], [/^([\d.]+)(?:secs?|seconds?)$/i, 's'], [/^([\d.]+)(?:mins?|minutes?|M)$/i, 'm'], [/^([\d.]+)(?:hrs?|hours?|H)$/i, 'h']],
  '/s': [[/^([\d.]+)(?:rps|req\/s|reqs\/s|qps|\/sec|\/second|persecond|requests\/s)$/i, '/s'], [/^([\d.]+)(?:rpm|\/min|\/minute)$/i, '/m']],
  B: [[/^([\d.]+)(?:k|kb|ki)$/i, 'KiB'], [/^([\d.]+)(?:m|mb|mi)$/i, 'MiB'], [/^([\d.]+)(?:g|gb|gi)$/i, 'GiB'], [/^([\d.]+)(?:bytes?|b)$/i, 'B']],
  factor: [[/^x([\d.]+)$/i, 'x'], [/^([\d.]+)(?:X|×|times)$/i, 'x']],
};

const repairUnit = (text: string, unit: Unit): string | undefined => {
  for (const [pattern, written] of spellings[unit] ?? []) {
    const match = pattern.exec(text);
    if (match) return `${match[1]}${written}`;
  }
  return undefined;
};
