import { exitCodes, FaultreelError } from '../../errors.js';
import type { Instance } from '../parts/instance.js';
import type { TrafficTotals } from '../../study/types.js';
import { type Books, entriesOf } from './books.js';
import { linesOf, sharedCpuOf } from './lines.js';

/** How far two sides of a law may be apart, as a share. */
const allowance = 1e-9;

/** A run at its end. */
export interface RunToCheck extends Books {
  readonly traffic: Readonly<Record<string, TrafficTotals>>;
  readonly trafficInFlight: readonly number[];
  readonly durationNs: number;
}

/**
 * The laws that every run must obey (rules 37 and 56): conservation as an equality of whole numbers at each traffic, link and instance; Little's law with
 * sojourns cut at the end of the run, of instances and of the lines for connections and locks; the utilisation law; that a shared machine's CPU is that of its
 * containers; and that whatever is counted as taken is taken by a call that is there. A violated one stops the run and names the part: it is a fault of the
 * engine, not of the scenario.
 */
export const checkLaws = (run: RunToCheck): void => {
  const { traffic, trafficInFlight, links, instances, durationNs } = run;
  Object.entries(traffic).forEach(([name, totals], i) => equal(`traffic ${name}: offered = ended + in flight`, totals.inFlight, trafficInFlight[i]));
  for (const { shared, shared: { plan }, callers } of links) {
    const outstanding = callers.reduce((sum, caller) => sum + caller.outstanding.reduce((own, calls) => own + calls, 0), 0);
    equal(`link ${plan.name}: sent = ended + in flight`, shared.sent, [0, 1, 2, 3].reduce((sum, outcome) => sum + shared.ended(outcome), outstanding));
  }
  for (const instance of instances) checkInstance(instance, durationNs);
  for (const { law, counted, found } of entriesOf(run)) equal(law, counted, found);
  for (const { law, counted, found } of linesOf(run, durationNs)) near(law, counted, found);
  for (const { law, counted, found } of sharedCpuOf(instances, durationNs)) near(law, counted, found);
};

const checkInstance = (instance: Instance, durationNs: number): void => {
  let inside = 0;
  let presentNs = 0;
  for (let call = instance.firstInside; call !== null; call = call.nextInside) {
    inside++;
    presentNs += durationNs - call.arrivedNs;
  }
  equal(`${instance.name}: entered = left + inside`, instance.entered, instance.left + inside);
  equal(`${instance.name}: inside = as counted`, instance.inside.value, inside);
  near(`${instance.name}: Little's law, mean inside × time = sum of sojourns`, instance.inside.integralAt(durationNs), instance.sojournNs + presentNs);
  near(`${instance.name}: utilisation law, CPU used = CPU received`, instance.container.busyNsAt(durationNs), instance.container.receivedNsAt(durationNs));
};

const equal = (law: string, left: number, right: number): void => {
  if (left !== right) violated(law, left, right);
};

const near = (law: string, left: number, right: number): void => {
  if (!(Math.abs(left - right) <= allowance * Math.max(1, Math.abs(left), Math.abs(right)))) violated(law, left, right);
};

const violated = (law: string, left: number, right: number): never => {
  throw new FaultreelError(exitCodes.internal, {
    message: `a law of the simulation is violated: ${law}; found ${left} and ${right}`,
    hint: 'This is a fault of faultreel, not of the scenario. Please report it with the scenario file.',
  });
};
