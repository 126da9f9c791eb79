/** Scenario texts, changed at random: bytes, lines, parts of the YAML tree, words of the language. The same seed gives the same texts. */
import { parseDocument, isMap, isScalar, isSeq } from 'yaml';

/** Mulberry32. */
export const randomOf = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const nasty = [
  '0', '-1', '1', '0.5', '1e9', '1e309', '.nan', '.inf', '-0', '0x10', '""', '~', 'null', 'true', '[]', '{}', '[[]]', '$x', '$', '*a', '&a 1', '<<', '!t 1', '1ms', '0s', '1us', '1000h', '7d', '1/s', '1000000/s', '0/s', '1/5m',
  '0%', '100%', '101%', '1x', '0x', '8MiB', '0B', '1 USD/h', 'unlimited', '>= 1%', '<= 2x', '1 .. 2', '= 1 ± 1%', '__proto__', 'constructor', 'toString', '"\\u200b"', '"\\ud800"', '"<script>"', "'=1+1'", '"\\x1b[31m"', 'each', 'run', 'any', 'saturated api',
  '{ assumed: 1ms, range: [0s, 2ms] }', '{ measured: 1 }', '[[0s, 1/s], [1s, 2/s]]', '{ stairs: [1/s, 2/s], each: 1s }', '[{ cpu: 1ms }]', '[{ parallel: [[{ wait: 1ms }], []] }]', '[{ fail: x }]', '[{ call: a.b, times: 3, chance: 50%, orElse: [{ wait: 1ms }] }]',
];

/** Returns a function that makes one text of others. `words`: keys of the language. */
export const mutator = (random, words) => {
  const below = (most) => Math.floor(random() * most);
  const oneOf = (list) => list[below(list.length)];
  const bytes = (text) => {
    const at = below(text.length + 1);
    const cut = random() < 0.5 ? below(12) : 0;
    return text.slice(0, at) + oneOf(['', oneOf(nasty), String.fromCharCode(below(128)), oneOf(['{', '}', '[', ']', ': ', '- ', '\n', '"', "'", '#', '\t', '\u2028', '\ufeff'])]) + text.slice(at + cut);
  };
  const lines = (text) => {
    const all = text.split('\n');
    const from = below(all.length);
    const part = all.slice(from, from + 1 + below(6));
    const act = below(5);
    if (act === 0) all.splice(from, part.length);
    else if (act === 1) all.splice(below(all.length), 0, ...part);
    else if (act === 2) all[from] = ' '.repeat(below(5)) + all[from];
    else if (act === 3) all[from] = all[from].replace(/^ {1,2}/, '');
    else all[from] = all[from].replace(/: .*$/, `: ${oneOf(nasty)}`);
    return all.join('\n');
  };
  const dictionary = (text) => {
    const places = [...text.matchAll(/[\w$.%/-]+/g)];
    if (places.length === 0) return text;
    const place = oneOf(places);
    return text.slice(0, place.index) + oneOf(random() < 0.5 ? words : nasty) + text.slice(place.index + place[0].length);
  };
  /** Another number with the same unit: most of these stay scenarios, and are simulated. */
  const number = (text) => {
    const places = [...text.matchAll(/(?<=[\s,[:])\d+(?:\.\d+)?(?=(?:us|ms|s|m|h|%|x|\/s|MiB|GiB|[\s,\]}]))/g)];
    if (places.length === 0) return text;
    const place = oneOf(places);
    return text.slice(0, place.index) + oneOf(['0', '1', '2', '3', '7', '10', '64', '99', '100', '500', '1000', '0.5', '0.001']) + text.slice(place.index + place[0].length);
  };
  const tree = (text) => {
    const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'silent' });
    if (document.errors.length > 0) return dictionary(text);
    const nodes = [];
    const visit = (node) => {
      if (isMap(node) || isSeq(node)) {
        nodes.push(node);
        for (const item of node.items) visit(isMap(node) ? item.value : item);
      }
    };
    visit(document.contents);
    if (nodes.length === 0) return text;
    const target = oneOf(nodes);
    const source = oneOf(nodes);
    const item = target.items[below(target.items.length)];
    const fresh = parseDocument(oneOf(nasty), { logLevel: 'silent' }).contents;
    const act = below(4);
    if (act === 0 && item) target.items.splice(target.items.indexOf(item), 1);
    else if (act === 1 && isMap(target)) target.add({ key: oneOf(words), value: fresh }, true);
    else if (act === 2 && isMap(target) && item) item.value = random() < 0.5 ? source.clone() : fresh;
    else if (isSeq(target)) target.items.splice(below(target.items.length + 1), 0, random() < 0.5 && source !== target ? source.clone() : fresh);
    else if (item && isScalar(item.key)) item.key.value = oneOf(words);
    try {
      return document.toString({ lineWidth: 0 });
    } catch {
      return text;
    }
  };
  return (text) => {
    let changed = text;
    for (let times = random() < 0.6 ? 1 : 1 + below(4); times > 0; times--) changed = oneOf([bytes, lines, dictionary, dictionary, number, number, number, number, tree, tree, tree])(changed);
    return changed.slice(0, 200_000);
  };
};

/** Every key that the JSON schema of the language knows, and words that it knows as values. */
export const wordsOf = (schema) => {
  const words = new Set(['api', 'get', 'users']);
  JSON.stringify(schema, (key, value) => {
    if (value && typeof value === 'object' && value.properties) for (const name of Object.keys(value.properties)) words.add(name);
    if (Array.isArray(value?.enum)) for (const word of value.enum) words.add(String(word));
    return value;
  });
  return [...words];
};
