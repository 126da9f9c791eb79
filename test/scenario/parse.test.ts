import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/scenario/index.js';
import type { Step } from '../../src/scenario/model.js';
import { changed, everything, inputAt, parse, smallest, spike, systemOf } from './reading.js';

const stepOf = (steps: readonly Step[] | undefined, verb: Step['verb']): Step => {
  const step = steps?.find((one) => one.verb === verb);
  if (!step) throw new Error(`no step ${verb}`);
  return step;
};

describe('the shipped spike', () => {
  const scenario = parse(spike, { file: 'scenarios/order-api-spike.yaml' });
  const system = scenario.variants[0];

  test('is named for its file and has its three variants, the reference first', () => {
    expect(scenario.name).toBe('order-api-spike');
    expect(scenario.text).toBe(spike);
    expect(scenario.variants.map(({ variant }) => variant)).toEqual(['as-it-is', 'dedicated-health-path', 'no-fail-open']);
  });

  test('has durations in ms, rates per second, bytes, shares and cores', () => {
    const api = system.services.find(({ name }) => name === 'order-api')!;
    expect(system.durationMs).toBe(900_000);
    expect(api.memory.limit.value).toBe(3.5 * 2 ** 30);
    expect(api.autoscale?.target).toMatchObject({ value: 0.6, unit: 'share' });
    expect(api.cpus).toMatchObject({ value: 2, unit: 'cores', basis: 'spec', path: 'machines.c6i.large.cpus' });
    const { source } = system.traffic[0];
    if (source.kind !== 'open' || source.rate.kind !== 'ramp') throw new Error('no ramp');
    expect(source.rate.points.map(({ atMs, value }) => [atMs, value.value])).toEqual([[0, 250], [240_000, 250], [250_000, 750], [540_000, 750], [550_000, 250]]);
  });

  test('changes one thing in each variant', () => {
    const health = scenario.variants.map(({ services }) => services[0].links[0].health?.path);
    const failOpen = scenario.variants.map(({ services }) => services[0].links[0].failOpen.value);
    expect(health).toEqual(['shared', 'dedicated', 'shared']);
    expect(failOpen).toEqual([1, 1, 0]);
    expect(scenario.variants[1].overrides).toEqual([{ path: 'services.alb.to.order-api.health.path', value: 'dedicated' }]);
  });

  test('says in two languages what it claims and asks', () => {
    const texts = [system.title, system.about!, ...system.limits, ...system.claims.map(({ says }) => says!), ...system.rehearsal.stops.map(({ ask }) => ask)];
    for (const { en, ko } of texts) {
      expect(ko).toMatch(/[가-힣]/);
      expect(en).not.toMatch(/[가-힣]/);
    }
  });
});

describe('how a value is known', () => {
  const system = systemOf(everything);

  test('a bare value is chosen where we configure, assumed where the world decides', () => {
    expect(inputAt(system, 'services.shop.queue.limit')).toMatchObject({ basis: 'chosen', setting: true, value: 60 });
    expect(inputAt(system, 'services.shop.memory.perRequest')).toMatchObject({ basis: 'assumed', setting: false });
    expect(inputAt(system, 'services.shop.memory.perRequest')).not.toHaveProperty('why');
  });

  test('a bare named value is what the keys are that use it', () => {
    expect(inputAt(system, 'values.bare-setting')).toMatchObject({ basis: 'chosen', setting: true });
    expect(inputAt(system, 'values.bare-world')).toMatchObject({ basis: 'assumed', setting: false });
  });

  test('measured and spec carry their source, chosen and assumed their reason, all of them a range', () => {
    expect(inputAt(system, 'values.seen')).toMatchObject({ basis: 'measured', from: 'trace of 3 March', value: 2 });
    expect(inputAt(system, 'values.stated')).toMatchObject({ basis: 'spec', from: 'data sheet 2026-02', range: [0.1, 0.4] });
    expect(inputAt(system, 'values.decided')).toMatchObject({ basis: 'chosen', why: 'twice the slowest answer', value: 2000 });
    expect(inputAt(system, 'values.guessed')).toMatchObject({ basis: 'assumed', why: 'nobody looked', range: [8, 20] });
  });

  test('the register has every value once, in file order, then the catalogue, then defaults', () => {
    const { inputs } = systemOf(spike);
    const paths = inputs.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.slice(0, 12)).toEqual(['normal-rate', 'event-rate', 'order-cpu', 'order-wait', 'order-memory', 'order-leak', 'idle-memory', 'restart', 'cold', 'insert-wait', 'boot'].map((name) => `values.${name}`).concat('services.alb.to.order-api.health.every'));
    const bases = inputs.map(({ basis }) => basis);
    expect(bases.lastIndexOf('spec')).toBeLessThan(bases.indexOf('default'));
    expect(bases.slice(bases.indexOf('default')).every((basis) => basis === 'default')).toBe(true);
    expect(bases.findIndex((basis) => basis === 'spec')).toBeGreaterThan(paths.indexOf('traffic.orders.to.alb.timeout'));
  });

  test('a default that the world may contradict has a range; one that means "not modelled" is no guess', () => {
    const small = systemOf(changed(smallest, 'open:', 'limit: 5, open:'));
    expect(inputAt(small, 'traffic.users.to.api.latency')).toMatchObject({ basis: 'default', setting: false, value: 0, range: [0, 1] });
    expect(inputAt(small, 'services.api.memory.leakPerSecond')).toMatchObject({ basis: 'default', setting: true, value: 0 });
    expect(small.inputs.filter(({ basis, setting, range }) => basis === 'default' && !setting && !range)).toEqual([]);
  });
});

describe('how draws spread', () => {
  const { services, traffic } = systemOf(everything);
  const buy = services.find(({ name }) => name === 'shop')!.handlers['buy'];

  test('cpu and wait steps are exponential when nothing is said, everything else constant', () => {
    const { handlers } = services.find(({ name }) => name === 'provider')!;
    expect(stepOf(handlers['send'], 'wait')).toMatchObject({ time: { spread: { kind: 'gamma', cv: 1 } } });
    expect(traffic.find(({ name }) => name === 'people')!.source).toMatchObject({ think: { spread: { kind: 'gamma', cv: 0 } } });
    expect(services[0].links[0]).toMatchObject({ latency: { spread: { kind: 'gamma', cv: 0.3 } }, pool: { handshake: { time: { spread: { cv: 0 } } } } });
  });

  test('a named value may be lognormal or follow quantiles', () => {
    expect(stepOf(buy, 'cpu')).toMatchObject({ demand: { path: 'values.guessed', spread: { kind: 'lognormal', cv: 1.5 } } });
    expect(stepOf(buy, 'wait')).toMatchObject({ time: { path: 'values.seen', spread: { kind: 'quantiles', points: [[0.5, 1.5], [0.95, 5], [0.99, 9]] } } });
  });
});

describe('what the file leaves open', () => {
  const system = systemOf(everything);
  const service = (name: string) => system.services.find((one) => one.name === name)!;

  test('cores and memory come from the machine, the host or the pod, and are unlimited without', () => {
    expect(service('stock').cpus.path).toBe('hosts.box.cpus');
    expect(service('stock').memory.limit).toMatchObject({ path: 'machines.own-iron.memory', value: 16 * 2 ** 30 });
    expect(service('mesh').memory.limit.path).toBe('machines.c6i.large.memory');
    expect(service('mesh').instances.path).toBe('services.shop.instances');
    expect(service('provider').cpus).toMatchObject({ value: Infinity, basis: 'default' });
  });

  test('links that handlers and journeys need are there with their defaults', () => {
    expect(service('shop').links.map(({ callee }) => callee)).toEqual(['stock', 'prices', 'mails']);
    expect(system.traffic.find(({ name }) => name === 'cron')!.links.map(({ path }) => path)).toEqual(['traffic.cron.to.stock']);
    const named = changed(everything, '    to: { edge: { timeout: 3s } }\n', '');
    expect(systemOf(named).traffic.find(({ name }) => name === 'visitors')!.links.map(({ callee, timeout }) => [callee, timeout.value])).toEqual([['edge', Infinity]]);
  });

  test('stairs make a phase of each step, after the warm-up, with gaps between; equal steps are numbered', () => {
    expect(system.phases.slice(2)).toEqual([
      { name: 'climbing-5', fromMs: 60_000, toMs: 240_000 },
      { name: 'climbing-7-5', fromMs: 270_000, toMs: 450_000 },
      { name: 'climbing-5-2', fromMs: 480_000, toMs: 660_000 },
    ]);
    expect(system.objectives.find(({ name }) => name === 'stairs')!.in).toBe('each');
  });

  test('a file without variants has one, called base, and a title from its name', () => {
    const { variants } = parse(smallest, { file: 'folder/smallest.yaml' });
    expect(variants.map(({ variant, title }) => [variant, title.en])).toEqual([['base', 'smallest']]);
  });

  test('the only request that is sent has a weight that is nobody\'s guess', () => {
    expect(systemOf(smallest).traffic[0].send).toMatchObject([{ request: 'get', weight: { value: 1, basis: 'default', setting: true } }]);
  });
});

describe('which inputs a part reads', () => {
  const { reads } = systemOf(everything);

  test('named values count by their name, host and machine by theirs', () => {
    expect(reads['services.shop']).toEqual(expect.arrayContaining(['values.guessed', 'values.seen', 'values.bare-setting', 'machines.c6i.large.cpus', 'services.shop.autoscale.boot']));
    expect(reads['services.stock']).toEqual(expect.arrayContaining(['hosts.box.cpus']));
    expect(reads['faults.latency']).toEqual(['values.seen']);
    expect(reads['traffic.cron']).toEqual(expect.arrayContaining(['traffic.cron.open.rate']));
    expect(reads['traffic.cron']).not.toContain('values.seen');
  });

  test('what can never be killed does not read its recovery', () => {
    const { reads: ofSpike } = systemOf(spike);
    expect(ofSpike['services.order-api']).toContain('values.restart');
    expect(ofSpike['services.alb']).not.toContain('services.alb.recovery.after');
  });

  test('every input that is read is in the register', () => {
    for (const text of [spike, everything]) {
      const system = systemOf(text);
      const known = new Set(system.inputs.map(({ path }) => path));
      expect(Object.values(system.reads).flat().filter((path) => !known.has(path))).toEqual([]);
    }
  });
});

describe('the catalogue', () => {
  test('has about a dozen machine types, each figure with source and date', () => {
    expect(catalogue.size).toBeGreaterThanOrEqual(10);
    for (const { cpus, memoryBytes, price } of catalogue.values()) {
      for (const value of [cpus, memoryBytes, price!]) expect(value).toMatchObject({ basis: 'spec', from: expect.stringMatching(/20\d\d-\d\d-\d\d$/) as string });
      expect(price!.currency).toBe('USD');
    }
  });

  test('a machine of the file without a price has none, rather than 0', () => {
    const { machines } = systemOf(changed(everything, 'machine: own-iron,', 'machine: without-price,'));
    expect(machines['without-price']).not.toHaveProperty('price');
    expect(Object.keys(machines)).toEqual(expect.arrayContaining(['own-iron', 'c6i.large']));
    expect(Object.keys(machines)).not.toContain('m5.large');
  });
});

test('conditions become bounds in base units', () => {
  const { objectives, claims } = systemOf(everything);
  const bounds = Object.fromEntries([...objectives, ...claims].flatMap(({ name, condition }) => (condition ? [[name, [condition.op, condition.low, condition.high, condition.unit]]] : [])));
  expect(bounds).toMatchObject({
    good: ['>=', 0.99, Infinity, 'share'],
    stairs: ['<=', -Infinity, 1000, 'ms'],
    compared: ['<=', -Infinity, 2, 'factor'],
    sum: ['..', 1, 2, 'cores'],
    locked: ['<', -Infinity, 100, 'ms'],
    number: ['±', 13.5, 16.5, '/s'],
  });
});

test('the same text gives the same system, and JSON the same as YAML', () => {
  expect(parse(everything).variants).toEqual(parse(everything).variants);
  const asJson = JSON.stringify({ faultreel: 1, duration: '1m', services: { api: { handlers: { get: [{ cpu: '5ms' }] } } }, traffic: { users: { to: 'api', send: 'get', open: { rate: '50/s' } } } });
  expect(parse(asJson).variants).toEqual(parse(smallest).variants);
});

test('line ends of Windows and a byte order mark change nothing', () => {
  expect(parse(`\uFEFF${spike.replaceAll('\n', '\r\n')}`).variants).toEqual(parse(spike).variants);
});
