import { type Node, type Path, type ScalarNode, describeNode, dotted } from '../document/tree.js';
import { forbiddenKeys } from '../document/yaml.js';
import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import type { Text } from '../model.js';
import { suggest } from '../nearest.js';
import { parseQuantity, quantities } from '../quantities.js';
import type { Reading, Type } from './type.js';

export const namePattern = /^[a-z][a-z0-9-]*$/;

/** Reports a name that is not one; returns whether it is. */
export const checkName = (name: string, node: Node, reading: Reading, what: string, reserved: readonly string[] = []): boolean => {
  const at = node.key ?? node.at;
  if (name.length > limits.nameLength) {
    reading.problems.add(at, `expected at most ${limits.nameLength} characters in the name of ${what}, found ${grouped(name.length)}`, 'a short name is read in charts and paths; a `title` may be long');
    return false;
  }
  if (!namePattern.test(name) || forbiddenKeys.has(name)) {
    const repaired = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '');
    reading.problems.add(at, `expected a name for ${what}, found \`${name}\``, `names are small letters, digits and hyphens, beginning with a letter${namePattern.test(repaired) ? `: \`${repaired}\`` : ''}`);
    return false;
  }
  if (reserved.includes(name)) reading.problems.add(at, `\`${name}\` cannot be the name of ${what}: the word has a meaning of its own there`, 'choose another name');
  return true;
};

/** The name of something that is defined elsewhere in the file; whether it exists is checked against the whole file later. */
export const reference = (what: string, pattern: RegExp = namePattern): Type<string> => ({
  expected: what,
  read(node, at, reading) {
    if (node.kind === 'scalar' && typeof node.value === 'string' && pattern.test(node.value)) return node.value;
    reading.unexpected(node, at, what);
    return '';
  },
  blank: () => '',
  schema: () => ({ type: 'string', pattern: pattern.source }),
});

/** One of a few words. */
export const oneOf = <const W extends string>(...words: readonly W[]): Type<W> => {
  const expected = words.map((word) => `\`${word}\``).join(words.length === 2 ? ' or ' : ', ');
  return {
    expected: words.length > 2 ? `one of ${expected}` : expected,
    read(node, at, reading) {
      const found = node.kind === 'scalar' ? words.find((word) => word === node.value) : undefined;
      if (found !== undefined) return found;
      const near = node.kind === 'scalar' ? suggest(node.text, words) : undefined;
      reading.unexpected(node, at, this.expected, near?.startsWith('did') ? near : undefined);
      return words[0];
    },
    blank: () => words[0],
    schema: () => ({ enum: words }),
  };
};

export const flag: Type<boolean> = {
  expected: '`true` or `false`',
  read(node, at, reading) {
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    reading.unexpected(node, at, this.expected, node.kind === 'scalar' && /^(yes|no|on|off)$/i.test(node.text) ? `write ${/^(yes|on)$/i.test(node.text)}` : undefined);
    return false;
  },
  blank: () => false,
  schema: () => ({ type: 'boolean' }),
};

/** A switch that can only be on: what is not wanted is left out. */
export const onlyTrue: Type<true> = {
  expected: '`true`',
  read(node, at, reading) {
    if (node.kind !== 'scalar' || node.value !== true) reading.unexpected(node, at, this.expected, 'leave the key out when it shall not happen');
    return true;
  },
  blank: () => true,
  schema: () => ({ const: true }),
};

/** A number of the tool itself (a seed): no quantity of the system. */
export const wholeNumber = (min: number, max: number): Type<number> => ({
  expected: `a whole number from ${min} to ${grouped(max)}`,
  read(node, at, reading) {
    if (node.kind === 'scalar' && typeof node.value === 'number' && Number.isInteger(node.value) && node.value >= min && node.value <= max) return node.value;
    reading.unexpected(node, at, this.expected);
    return Number.NaN;
  },
  blank: () => Number.NaN,
  schema: () => ({ type: 'integer', minimum: min, maximum: max }),
});

export const versionNumber: Type<number> = {
  expected: 'the language version 1',
  read(node, _at, reading) {
    if (node.kind === 'scalar' && node.value === 1) return 1;
    reading.problems.add(node.at, `expected language version 1, found ${describeNode(node)}`, 'this tool reads version 1: write `faultreel: 1`, or use the release of faultreel that the file was made for');
    return Number.NaN;
  },
  blank: () => Number.NaN,
  schema: () => ({ const: 1 }),
};

/** A number of the plot or of the presentation, in the base unit; it is written out, not a `$name`: no sensitivity run moves it. */
export const plain = (kind: 'duration' | 'factor' | 'share', { min = 0, max = Infinity }: { min?: number; max?: number } = {}): Type<number> => {
  const { name, example, pattern } = quantities[kind];
  return {
    expected: `${name} such as ${kind === 'duration' ? '4m30s' : example}`,
    read(node, at, reading) {
      const parsed = node.kind === 'scalar' ? parseQuantity(node, [kind], false) : {};
      if ('value' in parsed) {
        if (parsed.value >= min && parsed.value <= max) return parsed.value;
        reading.problems.add(node.at, `expected ${name} ${parsed.value < min ? 'above' : 'up to'} ${sayBase(kind, parsed.value < min ? min : max)} for \`${dotted(at)}\`, found ${describeNode(node)}`);
        return Number.NaN;
      }
      const isValue = node.kind === 'map' || (node.kind === 'scalar' && node.text.startsWith('$'));
      reading.unexpected(node, at, this.expected, isValue ? 'this number belongs to the plot, not to the system: write it out here' : parsed.hint);
      return Number.NaN;
    },
    blank: () => Number.NaN,
    schema: () => ({ type: 'string', pattern: pattern!.source }),
  };
};

/** A base-unit number as somebody would write it. */
export const sayBase = (kind: string, base: number): string => {
  if (kind === 'duration') return base % 86_400_000 === 0 && base > 0 ? `${base / 86_400_000} days` : base >= 1_000 ? `${base / 1_000}s` : `${base}ms`;
  if (kind === 'rate') return `${grouped(base)}/s`;
  if (kind === 'bytes' || kind === 'bytesPerSecond') return base >= 2 ** 30 ? `${base / 2 ** 30}GiB` : `${base}B`;
  if (kind === 'share') return `${base * 100}%`;
  if (kind === 'factor') return `${base}x`;
  return grouped(base);
};

/** A text, the same in both languages or one for each. */
export const text: Type<Text> = {
  expected: 'a text, or {en: …, ko: …}',
  read(node, at, reading) {
    if (node.kind === 'scalar') return readString(node, at, reading, this.expected, (said) => ({ en: said, ko: said }), { en: '', ko: '' });
    if (node.kind === 'list') {
      reading.unexpected(node, at, this.expected);
      return { en: '', ko: '' };
    }
    const said: Partial<Record<'en' | 'ko', string>> = {};
    for (const [language, inner] of node.entries) {
      if (language !== 'en' && language !== 'ko') reading.problems.add(inner.key ?? inner.at, `expected the languages \`en\` and \`ko\` in \`${dotted(at)}\`, found \`${language}\``, suggest(language, ['en', 'ko']));
      else if (inner.kind !== 'scalar') reading.unexpected(inner, [...at, language], 'a text');
      else said[language] = readString(inner, [...at, language], reading, 'a text', (words) => words, '');
    }
    if (node.entries.size === 0) reading.unexpected(node, at, this.expected);
    const any = said.en ?? said.ko ?? '';
    return { en: said.en ?? any, ko: said.ko ?? any };
  },
  blank: () => ({ en: '', ko: '' }),
  inside: (segment) => (segment === 'en' || segment === 'ko' ? { type: line, mayBeAdded: true, mayBeEntered: true } : undefined),
  names: ['en', 'ko'],
  schema: (definitions) => {
    definitions.set('text', {
      description: 'A text, the same in both languages or one for each.',
      anyOf: [{ type: ['string', 'number'] }, { type: 'object', properties: { en: { type: ['string', 'number'] }, ko: { type: ['string', 'number'] } }, additionalProperties: false, minProperties: 1 }],
    });
    return { $ref: '#/$defs/text' };
  },
};

/** One plain string: a source, a reason. */
export const line: Type<string> = {
  expected: 'a text',
  read(node, at, reading) {
    if (node.kind === 'scalar') return readString(node, at, reading, this.expected, (said) => said, '');
    reading.unexpected(node, at, this.expected, 'put a text that contains `: ` or begins with a bracket in quotes');
    return '';
  },
  blank: () => '',
  schema: () => ({ type: ['string', 'number'] }),
};

/** Numbers count as text, so that `title: 503` needs no quotes. */
const readString = <T>(node: ScalarNode, at: Path, reading: Reading, expected: string, make: (said: string) => T, blank: T): T => {
  if ((typeof node.value !== 'string' && typeof node.value !== 'number') || node.text.trim() === '') reading.unexpected(node, at, expected, typeof node.value === 'boolean' ? 'put the word in quotes' : undefined);
  else if (node.text.length > limits.characters) reading.problems.add(node.at, `expected at most ${grouped(limits.characters)} characters for \`${dotted(at)}\`, found ${grouped(node.text.length)}`);
  else return make(typeof node.value === 'string' ? node.value : node.text);
  return blank;
};
