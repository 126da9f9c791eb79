import { describe, expect, it } from 'vitest';
import { isGuess } from '../../src/analysis/rests-on.js';
import { FaultreelError, describeError } from '../../src/errors.js';
import { parseScenario } from '../../src/scenario/index.js';
import { parsed, read, testFile } from './shipped.js';

const file = 'from-words/from-words.yaml';
const { inputs, services, traffic } = parsed(file).variants[0];
const flat = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('> ', '').trim();

/** The facts of the paragraph: how each language says it, where it went, and as what number. */
const said: readonly { readonly en: string; readonly ko: string; readonly path: string; readonly value: number; readonly basis: 'chosen' | 'measured' }[] = [
  { en: 'two c6i.large', ko: 'c6i.large 두 대', path: 'values.machines', value: 2, basis: 'chosen' },
  { en: '250 orders a second', ko: '초당 250건', path: 'values.normal-rate', value: 250, basis: 'measured' },
  { en: 'three times as many', ko: '세 배', path: 'values.event-rate', value: 750, basis: 'chosen' },
  { en: '60 %', ko: '60%', path: 'values.target', value: 0.6, basis: 'chosen' },
  { en: 'six machines', ko: '여섯 대', path: 'values.most-machines', value: 6, basis: 'chosen' },
  { en: 'three minutes to boot', ko: '부팅에 3분', path: 'values.boot', value: 180_000, basis: 'measured' },
];

/** What the paragraph does not say. */
const notSaid = [
  'services.alb.to.order-api.failOpen',
  'services.alb.to.order-api.health.every',
  'services.alb.to.order-api.health.healthyAfter',
  'services.alb.to.order-api.health.timeout',
  'services.alb.to.order-api.health.unhealthyAfter',
  'services.alb.to.order-api.latency',
  'services.order-api.autoscale.drain',
  'services.order-api.autoscale.every',
  'services.order-api.autoscale.inWindow',
  'services.order-api.autoscale.outCooldown',
  'services.order-api.autoscale.window',
  'services.order-api.memory.base',
  'services.order-api.memory.perRequest',
  'services.order-api.recovery.after',
  'services.order-api.warmUp.factor',
  'services.order-api.warmUp.for',
  'traffic.orders.to.alb.latency',
  'traffic.orders.to.alb.timeout',
  'values.least-machines',
  'values.order-cpu',
  'values.order-wait',
  'values.threads',
  'values.waiting-room',
];

describe('the scenario that was made from a paragraph', () => {
  it('has every fact of the paragraph, in both languages, as chosen or measured with that number', () => {
    const [en, ko] = ['en', 'ko'].map((lang) => flat(read(`scenarios/from-words/words.${lang}.txt`)));
    for (const fact of said) {
      expect(en).toContain(fact.en);
      expect(ko).toContain(fact.ko);
      expect(inputs.find(({ path }) => path === fact.path)).toMatchObject({ value: fact.value, basis: fact.basis });
    }
    expect(inputs.filter(({ basis }) => basis === 'chosen' || basis === 'measured').map(({ path }) => path).toSorted()).toEqual(said.map(({ path }) => path).toSorted());
  });

  it('has the facts that are no numbers', () => {
    const [alb, api] = services;
    expect(alb).toMatchObject({ kind: 'balancer', links: [{ callee: 'order-api', health: { path: 'shared' } }] });
    expect(api).toMatchObject({ place: { on: 'machine', machine: { name: 'c6i.large' } }, autoscale: { metric: 'cpu' } });
    expect(traffic).toHaveLength(1);
  });

  it('lists as guesses exactly what the paragraph does not say', () => {
    // Assumed, whatever the key, and facts of the world that the tool filled in.
    expect(inputs.filter((input) => input.basis === 'assumed' || isGuess(input)).map(({ path }) => path).toSorted()).toEqual(notSaid);
  });

  it('gives each guess a reason that says so, and the believable ends', () => {
    for (const input of inputs.filter(({ basis }) => basis === 'assumed')) {
      expect(input.why, input.path).toMatch(/^not said/);
      expect(input.range, input.path).toHaveLength(2);
    }
  });
});

testFile(file);

describe('AGENTS.md', () => {
  const text = read('AGENTS.md');

  it('is short, and shipped', () => {
    expect(text.split('\n').length).toBeLessThan(150);
    expect((JSON.parse(read('package.json')) as { files: string[] }).files).toContain('AGENTS.md');
  });

  it('quotes the paragraph as it stands beside the scenario', () => {
    expect(flat(text)).toContain(flat(read('scenarios/from-words/words.en.txt')));
  });

  it('shows a message as `validate` prints it', () => {
    const wrong = 'faultreel: 1\ntitle: x\nduration: 1m\nservices:\n  order-api:\n    handlers:\n      pay:\n        - cpu: 12\ntraffic:\n  users: { to: order-api, send: pay, open: { rate: 5/s } }\n';
    let message = '';
    try {
      parseScenario(wrong, { file: 'order-api.yaml' });
    } catch (error) {
      if (error instanceof FaultreelError) message = describeError(error);
    }
    expect(message).toContain('expected a duration');
    expect(text).toContain(message);
  });
});
