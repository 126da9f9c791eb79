import { describe, expect, test } from 'vitest';
import { changed, complaints, everything, smallest, spike } from './reading.js';

/** [what is wrong, text, replaced, replacement, what the message says] */
type Case = readonly [name: string, text: string, from: string, to: string, message: string | RegExp];

const shape: readonly Case[] = [
  ['no language version', spike, 'faultreel: 1\n', '', 'the first line of a scenario says the version of the language: `faultreel: 1`'],
  ['no duration', spike, 'duration: 15m\n', '', 'expected `duration`, found none'],
  ['a service without anything', smallest, '{ handlers: { get: [{ cpu: 5ms }] } }', '~', 'write `{}` for one with nothing but defaults'],
  ['a step with two verbs', smallest, '{ cpu: 5ms }', '{ cpu: 5ms, wait: 3ms }', 'expected one verb in the step `services.api.handlers.get.0`, found `cpu` and `wait`'],
  ['a step with an unknown verb', smallest, '{ cpu: 5ms }', '{ cup: 5ms }', 'did you mean `cpu`?'],
  ['a name in camel case', smallest, '{ api:', '{ myApi:', 'names are small letters, digits and hyphens, beginning with a letter: `my-api`'],
  ['the name of an object of JavaScript', smallest, 'get:', 'constructor:', '`constructor` cannot be a key or a name here'],
  ['a prototype', smallest, 'duration', '__proto__: {a: 1}\nduration', '`__proto__` cannot be a key or a name here'],
  ['a word out of a few', spike, 'policy: least-outstanding', 'policy: least-outstandin', 'did you mean `least-outstanding`?'],
  ['a switch that is no boolean', everything, 'cancel: true', 'cancel: yes', 'write true'],
  ['two ways of knowing', spike, '{ assumed: 250/s,', '{ assumed: 250/s, measured: 240/s,', 'expected one of `measured`, `spec`, `chosen`, `assumed`'],
  ['a number in a map that does not say how it is known', smallest, 'cpu: 5ms', 'cpu: { value: 5ms }', 'a map that does not say how the number is known'],
  ['a source beside a guess', spike, 'why: "the team\'s figure for an ordinary evening"', 'from: dashboard', 'a number that was seen somewhere is `measured`'],
  ['a value outside its range', spike, '[200/s, 300/s]', '[300/s, 400/s]', 'inside its range [300/s, 400/s]'],
  ['a range the wrong way round', spike, '[200/s, 300/s]', '[300/s, 200/s]', 'write [200/s, 300/s]'],
  ['a range with one end', spike, '[200/s, 300/s]', '[200/s]', 'the lowest and the highest value'],
  ['a spread where nothing is drawn', spike, 'boot: { assumed: 3m,', 'boot: { assumed: 3m, cv: 1,', 'is one number, nothing is drawn around it'],
  ['quantiles that fall', everything, '95%: 5ms', '95%: 1ms', 'expected quantiles that do not fall'],
  ['a fraction of an instance', spike, 'instances: 2', 'instances: 2.5', 'expected a whole number'],
  ['a number that is none', spike, 'slots: 40', 'slots: .nan', 'expected a whole number'],
  ['a number without end', spike, 'slots: 40', 'slots: 1e999', 'expected a whole number'],
  ['a billion instances', spike, 'instances: 2', 'instances: 1000000000', 'expected a whole number of at most 1,000 for `services.order-api.instances`'],
  ['a share above one', everything, 'loss: 5%', 'loss: 105%', 'expected a share of at most 100%'],
  ['a condition without a sign', spike, 'good: ">= 99.9%"', 'good: 99.9%', '">= 99.9%"'],
  ['a condition without a unit', spike, '"<= 800ms"', '"<= 800"', 'write the unit after the number: 800us, 800ms'],
  ['a condition of another kind', spike, '"<= 800ms"', '"<= 800/s"', '800/s is a rate'],
  ['a condition in two currencies', everything, 'cpu: "1 .. 2"', 'cost: "2 USD/h .. 1 EUR/h"', 'expected one currency in the condition `objectives.sum.cost`, found USD and EUR'],
  ['an unknown event', spike, '[saturated order-api', '[saturates order-api', 'did you mean `saturated`?'],
  ['a time that is a named value', spike, 'before: [1m, 4m]', 'before: [$boot, 4m]', 'this number belongs to the plot'],
  ['a YAML tag', smallest, '1m', '!!binary 1m', 'found a YAML tag'],
  ['a YAML directive', `%YAML 1.1\n---\n${smallest}`, 'duration', 'duration', 'expected no YAML directive'],
  ['a merge key', smallest, 'duration', '<<: {seed: 2}\nduration', 'the merge key `<<`'],
  ['a second document', smallest, 'duration: 1m', 'duration: 1m\n---\nfaultreel: 1', 'found a second document'],
  ['an alias without an anchor', smallest, '1m', '*nowhere', 'expected an anchor `&nowhere`'],
  ['a quote left open', smallest, 'duration: 1m', 'title: "Order\nduration: 1m', /^test\.yaml:2:8: expected a closing quote/],
  ['steps without hyphens', smallest, '[{ cpu: 5ms }]', '{ cpu: 5ms }', 'begin each entry with a hyphen'],
  ['a step without a colon', smallest, '[{ cpu: 5ms }]', '[cpu 5ms]', 'write a colon and a space after the verb: `cpu: 5ms`'],
  ['a title with a colon', smallest, 'duration: 1m', 'title: Order API: an event\nduration: 1m', 'put a text that contains `: ` in quotes'],
  ['a bracket left open', smallest, 'get: [{ cpu: 5ms }]', 'get: [{ cpu: 5ms }', 'expected a closing'],
];

const meaning: readonly Case[] = [
  ['a value that is not there', spike, '$order-cpu', '$order-cpp', 'did you mean `$order-cpu`?'],
  ['a value of another kind', spike, 'timeout: 5s', 'timeout: $order-memory', 'found `$order-memory`, which is `8MiB` (line 21)'],
  ['one wrong value that is used three times', spike, 'assumed: 250/s, range: [200/s, 300/s]', 'assumed: 250', /^(?!.*which is 250[\s\S]*which is 250)[\s\S]*which is 250/],
  ['a machine that is not there', spike, 'c6i.large', 'c6i.lage', 'did you mean `c6i.large`?'],
  ['a host that is not there', everything, 'host: box', 'host: bax', 'did you mean `box`?'],
  ['two places', everything, 'host: bare', 'host: bare\n    machine: c6i.large', 'found `machine` and `host`'],
  ['a request that is not there', spike, 'orders-db.insert', 'orders-db.insrt', 'did you mean `insert`?'],
  ['a request that is sent and not handled', smallest, 'send: get', 'send: put', 'expected a request that `api` handles'],
  ['a service that handles nothing', smallest, '{ handlers: { get: [{ cpu: 5ms }] } }', '{}', '`api`, which has no handlers and nobody to forward to'],
  ['a traffic that sends to two', smallest, 'to: api', 'to: {api: {}, db: {}}', 'a user who calls several services is a journey'],
  ['a traffic that does not arrive', smallest, ', open: { rate: 50/s }', '', 'expected a kind of arrival in `traffic.users`'],
  ['a traffic that arrives in two ways', smallest, 'open: { rate: 50/s }', 'open: { rate: 50/s }, closed: { users: 3, think: 1s }', 'expected only one kind of arrival'],
  ['a journey that does not name the request', everything, '- call: edge.buy', '- call: edge', 'a journey has no request of its own'],
  ['a message that nobody takes', everything, 'consumes: mails', 'slotsHeld: cpu', 'whose messages nobody takes'],
  ['a stock that is not there', everything, 'take: seat,', 'take: seet,', 'did you mean `seat`?'],
  ['a push to those without sockets', everything, 'push: live', 'push: cron', 'expected a traffic with `sockets`'],
  ['more than 3,600 ticks', spike, 'duration: 15m', 'duration: 2h', 'make the tick longer (`tick: 2s`)'],
  ['a run that is no multiple of its ticks', spike, 'tick: 1s', 'tick: 7s', 'expected a whole number of ticks'],
  ['a phase after the end', spike, 'after: [11m, 15m]', 'after: [11m, 16m]', 'let the run last longer: `duration: 16m`'],
  ['a fault after the end', everything, 'release: { at: 20m', 'release: { at: 40m', 'to begin before the run ends (30m)'],
  ['a fault that lasts no time', everything, 'cut: { at: 5m, for: 10s', 'cut: { at: 5m, for: 0s', 'expected a duration above'],
  ['a traffic that stops before it starts', everything, 'stop: 29m', 'stop: 5s', 'to stop after it starts (10s), found 5s'],
  ['stairs that do not fit', everything, 'each: 3m', 'each: 10m', 'expected the stairs of `climbing` to end with the run'],
  ['a ramp that goes back in time', spike, '[4m10s, $event-rate]', '[3m, $event-rate]', 'in order, found 3m after 4m'],
  ['a fault on a link that is not there', everything, '[shop, prices]', '[shop, provider]', 'services that `shop` calls'],
  ['a fault on an instance that is not there', everything, 'target: shop.2', 'target: shop.20', 'from 1 to 8'],
  ['a deployment of what only stands beside', everything, 'target: shop, deploy', 'target: mesh, deploy', 'which stands beside `shop`'],
  ['a fault that happens to no link', everything, 'target: [shop, stock], cut: true', 'target: [shop, stock], freeze: true', 'write `target: stock`'],
  ['a fault without a verb', everything, 'target: shop.2, crash: true', 'target: shop.2', 'expected a verb in `faults.crash`'],
  ['a check of nothing', spike, 'of: orders, good: ">= 99.9%"', 'of: ordres, good: ">= 99.9%"', 'did you mean `orders`?'],
  ['a check without a metric', spike, 'good: ">= 99.9%", ', '', 'expected a metric and its condition'],
  ['a metric that the subject does not have', spike, 'of: alb.order-api\n    ejections: ">= 2"', 'of: order-api\n    ejections: ">= 2"', 'for example `of: alb.order-api`'],
  ['a phase that is not there', spike, 'in: event', 'in: evnt', 'did you mean `event`?'],
  ['a break in a phase that is not judged', spike, 'in: event, breaks: [event]', 'in: event, breaks: [after]', 'expected a phase that `objectives.latency` is judged in (event)'],
  ['a factor that is compared with nothing', everything, 'vs: { in: calm }, ', '', 'expected `vs` beside the factor'],
  ['each stair where there are none', spike, 'in: event,', 'in: each,', 'expected a traffic with `stairs`'],
  ['a claim about a variant that is not there', spike, 'variant: as-it-is', 'variant: as-it-iz', 'did you mean `as-it-is`?'],
  ['a stop at an event of nobody', spike, 'at: oom order-api', 'at: oom order-apy', 'expected a service after `oom`'],
  ['a stop after the end', everything, 'at: 4m30s', 'at: 45m', 'within the run (30m)'],
  ['an autoscaler whose max is below its min', spike, 'min: 2, max: 6', 'min: 6, max: 2', 'expected `max` to be at least `min` (6)'],
  ['more instances than the autoscaler allows', spike, 'instances: 2', 'instances: 9', 'between `min` and `max` of its autoscaler (2 to 6)'],
  ['a share for the length of a queue', everything, 'metric: queue, target: 10', 'metric: queue, target: 10%', 'expected a length such as 10'],
  ['a base above the limit', spike, 'base: $idle-memory', 'base: 4GiB', 'it would be killed as soon as it starts'],
  ['a sidecar with instances of its own', everything, 'beside: shop', 'beside: shop\n    instances: 2', 'there is one in every pod of `shop`'],
  ['a service and a traffic of one name', smallest, 'users:', 'api:', 'rename one of the two'],
  ['two currencies', everything, '0.31 USD/h', '0.31 EUR/h', 'expected one currency in the file'],
  ['a limit in another currency', everything, 'cpu: "1 .. 2"', 'cost: "<= 5 KRW/h"', 'expected the currency of the prices (USD) for `objectives.sum.cost`, found "<= 5 KRW/h"'],
];

describe('a mistake of shape is told with its fix', () => {
  test.each(shape)('%s', (_name, text, from, to, message) => {
    expect(complaints(changed(text, from, to))).toMatch(typeof message === 'string' ? asPattern(message) : message);
  });
});

describe('a mistake that only the whole file shows is told with its fix', () => {
  test.each(meaning)('%s', (_name, text, from, to, message) => {
    expect(complaints(changed(text, from, to))).toMatch(typeof message === 'string' ? asPattern(message) : message);
  });
});

const asPattern = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

test('all mistakes of a file are told at once, in the order of the text, shape and meaning together', () => {
  let text = changed(spike, 'slots: 40', 'slotz: 40');
  text = changed(text, '- cpu: $order-cpu', '- cpu: $order-cpp');
  text = changed(text, 'after: [11m, 15m]', 'after: [15m, 11m]');
  text = changed(text, 'of: orders, p95', 'of: ordres, p95');
  expect(complaints(text).match(/^test\.yaml:\d+:\d+/gm)).toEqual(['test.yaml:40:5', 'test.yaml:49:16', 'test.yaml:73:10', 'test.yaml:78:18']);
});

test('one wrong name is told once, without its echoes in links, calls and variants', () => {
  const text = changed(spike, '      order-api:\n        policy', '      order-apy:\n        policy');
  expect(complaints(text).match(/^test\.yaml.*/gm)).toEqual([
    'test.yaml:33:7: expected the name of a service in `services.alb.to.order-apy`, found `order-apy`, which is not in the file',
    'test.yaml:91:9: expected a traffic, service, host, link or lock for `claims.cascade.of`, found `alb.order-api`, which is not in the file',
  ]);
});

test('what is wrong inside the override of a variant is told beside what is wrong in the file', () => {
  const text = changed(changed(spike, 'slots: 40', 'slots: many'), 'order-api.failOpen: 0', 'order-api.failOpen: 1s');
  expect(complaints(text).match(/^test\.yaml:\d+/gm)).toEqual(['test.yaml:40', 'test.yaml:84']);
});

test('a call that happens only sometimes may come back to its caller', () => {
  const circle = `faultreel: 1
duration: 1m
services:
  a: { handlers: { x: [{ call: b.y, chance: 10% }] } }
  b: { handlers: { y: [{ call: a.x }] } }
traffic: { u: { to: a, send: x, open: { rate: 1/s } } }
`;
  expect(complaints(circle)).toBe('');
  expect(complaints(changed(circle, ', chance: 10%', ''))).toContain('found a circle: a.x → b.y → a.x');
});

test('a sentence with a comma in braces is one sentence', () => {
  expect(complaints(changed(spike, 'why: "the database is not traced"', 'why: not traced, not even once'))).toBe('');
});

describe('a hostile file ends in a message', () => {
  const laughs = ['a: &a [1,1,1,1,1,1,1,1,1,1]', ...['b', 'c', 'd', 'e', 'f'].map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcde'[index]}`).join(',')}]`)].join('\n');
  test.each([
    ['brackets a hundred thousand deep', '['.repeat(100_000), 'inside each other'],
    ['hyphens ten thousand deep', '- '.repeat(10_000), 'inside each other'],
    ['braces ten thousand deep', 'a: {b: '.repeat(10_000), 'inside each other'],
    ['aliases that multiply', laughs, 'aliases'],
    ['an alias of itself', 'faultreel: 1\na: &a {b: *a}\n', 'would never end'],
    ['a million characters', `# ${'x'.repeat(1_000_000)}`, 'characters'],
    ['a hundred thousand values', `faultreel: 1\nlimits: [${'1,'.repeat(100_001)}]`, 'keys and values'],
    ['no map', 'hello', 'expected a scenario'],
    ['a character 0', '\u0000', 'expected a scenario'],
  ])('%s', (_name, text, message) => {
    expect(complaints(text)).toContain(message);
  });
});
