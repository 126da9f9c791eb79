import { describe, expect, it, test } from 'vitest';
import { changed, complaints, everything, inputAt, parse, spike } from './reading.js';

const set = (path: string, value: string) => ({ set: [{ path, value }] });
const first = (text: string, path: string, value: string) => parse(text, set(path, value)).variants[0];

describe('overrides by path', () => {
  test('replace a setting, a part of a value, a list entry, a key with a dot', () => {
    expect(inputAt(first(spike, 'services.order-api.slots', '50'), 'services.order-api.slots').value).toBe(50);
    expect(inputAt(first(spike, 'values.order-cpu.assumed', '10ms'), 'values.order-cpu')).toMatchObject({ value: 10, range: [7, 12] });
    expect(inputAt(first(spike, 'services.orders-db.handlers.insert.0.wait', '4ms'), 'services.orders-db.handlers.insert.0.wait')).toMatchObject({ value: 4, basis: 'assumed' });
    const { objectives } = parse(everything, { variant: 'less' }).variants[0];
    expect(objectives.find(({ name }) => name === 'rarely')!.condition).toMatchObject({ op: '<', high: 4000 });
  });

  test('null leaves out what stands there', () => {
    const less = parse(everything, { variant: 'less' }).variants[0];
    expect(less.faults.map(({ name }) => name)).not.toContain('release');
    expect(inputAt(less, 'services.shop.queue.limit')).toMatchObject({ value: Infinity, basis: 'default' });
  });

  test('add a fault, a phase, a request with its weight', () => {
    const more = parse(everything, { variant: 'more' }).variants[0];
    expect(more.faults.at(-1)).toMatchObject({ name: 'second', atMs: 420_000, untilMs: 480_000 });
    expect(more.phases.map(({ name }) => name)).toContain('late');
    expect(more.traffic[0].send!.map(({ request }) => request)).toEqual(['buy', 'ping', 'pong']);
  });

  test('reach into a callee that is written as a bare name, and into a map that the file leaves out', () => {
    expect(inputAt(parse(everything, { variant: 'less' }).variants[0], 'traffic.ramped.to.edge.timeout').value).toBe(4000);
    expect(inputAt(first(spike, 'services.orders-db.queue.limit', '9'), 'services.orders-db.queue.limit').value).toBe(9);
  });

  test('--set holds in every variant, after its own overrides, and is noted as written', () => {
    const { variants } = parse(spike, set('services.alb.to.order-api.failOpen', '2'));
    expect(variants.map(({ services }) => services[0].links[0].failOpen.value)).toEqual([2, 2, 2]);
    expect(variants[2].overrides).toEqual([
      { path: 'services.alb.to.order-api.failOpen', value: '0' },
      { path: 'services.alb.to.order-api.failOpen', value: '2' },
    ]);
  });

  test('one variant leaves the other one alone', () => {
    const [reference, , noFailOpen] = parse(spike).variants;
    expect([reference, noFailOpen].map((system) => system.services[0].links[0].failOpen.value)).toEqual([1, 0]);
  });
});

describe('an override that does not fit', () => {
  test.each([
    ['services.order-apy.slots', '4', 'did you mean `services.order-api.slots`?'],
    ['services.order-api.slotz', '4', 'did you mean `services.order-api.slots`?'],
    ['services.order-api.slots.chosen', '4', 'a single value with nothing inside'],
    ['services.order-api.handlers.place-order.7.cpu', '4ms', 'did you mean `services.order-api.handlers.place-order.0.cpu`?'],
    ['values.ordr-cpu', '4ms', 'did you mean `values.order-cpu`?'],
    ['traffic.ordrs', 'null', 'there is nothing to leave out'],
    ['services..slots', '4', 'expected a path of names joined by dots'],
    ['variants.as-it-is', '{}', '`variants` cannot be replaced'],
    ['seed', '', 'expected a value after `seed=`'],
    ['seed', '{', 'expected a closing `}`'],
    ['seed', '-1', 'expected a whole number from 0'],
  ])('%s=%s is told: %s', (path, value, message) => {
    expect(complaints(spike, set(path, value))).toContain(message);
  });

  test('points at the value after the equals sign', () => {
    expect(complaints(spike, set('services.order-api.slots', 'many'))).toMatchInlineSnapshot(`
      "--set:1:26: expected a whole number such as 40 or \`unlimited\` for \`services.order-api.slots\`, found \`many\`
        services.order-api.slots=many
                                 ^"
    `);
  });

  test('of a variant points at the variant and names it', () => {
    const text = changed(spike, 'services.alb.to.order-api.failOpen: 0', 'services.alb.to.order-api.failOpen: some');
    expect(complaints(text)).toMatch(/^test\.yaml:84:55: variant `no-fail-open`: expected .* found `some`/);
  });

  test('a problem of the file itself is told once, not once a variant', () => {
    expect(complaints(changed(spike, 'slots: 40', 'slotz: 40')).match(/unknown key/g)).toHaveLength(1);
  });

  test('a variant that is not there names the nearest', () => {
    expect(complaints(spike, { variant: 'as-it-iz' })).toBe('test.yaml has no variant `as-it-iz`\n  did you mean `as-it-is`?');
  });
});

describe('a bare number in the place of a value that says how it is known', () => {
  const work = (value: string) => first(spike, 'values.order-cpu', value).inputs.find(({ path }) => path === 'values.order-cpu');

  it('keeps how single draws spread around it, and says what it replaced', () => {
    expect(work('12ms')).toMatchObject({ value: 12, basis: 'assumed', why: 'stands in the place of 9ms', spread: { kind: 'gamma', cv: 0.5 } });
  });

  it('has no range any more: the old one was about the old number', () => {
    expect(work('12ms')).not.toHaveProperty('range');
  });

  it('of the same size changes no figure of the run', () => {
    const rushed = ['--set', null].map((how) => (how === null ? parse(spike) : parse(spike, set('values.order-cpu', '9ms'))).variants[0].services[1].handlers['place-order'][1]);
    expect(rushed.map((step) => ('demand' in step ? [step.demand.value, step.demand.spread] : []))).toEqual([[9, { kind: 'gamma', cv: 0.5 }], [9, { kind: 'gamma', cv: 0.5 }]]);
  });
});
