import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { eventForms, splitSubject } from '../../src/study/events.js';

const file = new URL('../../scenarios/order-api-spike.yaml', import.meta.url);

describe('the events of the shipped scenario', () => {
  const { eventLog } = simulate(parseScenario(readFileSync(file, 'utf8'), { file: 'order-api-spike.yaml' }).variants[0]);

  it('carry what their form says, and nothing else', () => {
    expect(eventLog.length).toBeGreaterThan(20);
    for (const { kind, data } of eventLog) expect([kind, ...Object.keys(data).sort()]).toEqual([kind, ...[...eventForms[kind].data].sort()]);
  });

  it('happened to an instance or a service, as their form says', () => {
    for (const { kind, subject } of eventLog) expect(splitSubject(subject).instance !== null).toBe(eventForms[kind].subject === 'instance');
  });
});
