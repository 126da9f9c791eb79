import { expect, test } from 'vitest';
import { numberAt } from '../../src/study/columns.js';
import { scriptedStudy } from '../support/scripted-study.js';

test('the scripted study adds up in every tick', () => {
  for (const run of Object.values(scriptedStudy().runs)) {
    const orders = run.ticks.traffic['orders'];
    let inFlight = 0;
    for (let tick = 0; tick < run.ticks.count; tick++) {
      const [offered, good, refused, failed] = [orders.offered, orders.good, orders.refused, orders.failed].map((column) => numberAt(column, tick)) as [number, number, number, number];
      inFlight += offered - good - refused - failed;
      expect(numberAt(orders.inFlight, tick)).toBe(inFlight);
      const instances = run.ticks.services['order-api'].instances;
      expect(instances.reduce((sum, x) => sum + numberAt(x.slots.end, tick) + numberAt(x.queue.end, tick), 0), `tick ${tick}`).toBe(inFlight);
    }
  }
});
