import { flag, stage, type CallPool } from '../kernel/calls.js';
import type { CpuPool } from '../parts/cpu-pool.js';
import type { Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Books, Entry } from './books.js';

/**
 * Little's law of the lines whose waits are measured one by one, with waits cut at the end of the run: of each link's pools, all its callers together, and of
 * each lock. Queue lengths are integrated where somebody comes or goes, waits are summed from when each began: ns.
 */
export function* linesOf({ calls, links, locks }: Books, durationNs: number): Generator<Entry> {
  const inLine = waitsInLine(calls, locks, durationNs);
  for (const { shared, callers } of links) {
    if (!shared.plan.pool) continue;
    const integral = callers.reduce((sum, { pool }) => sum + pool!.waiting.integralAt(durationNs), 0);
    yield { law: `link ${shared.plan.name}: mean line for a connection × time = sum of waits`, counted: integral, found: shared.poolWait.of(null).sumNs + (inLine.get(shared) ?? 0) };
  }
  for (const lock of locks) yield { law: `lock ${lock.plan.name}: mean line × time = sum of waits`, counted: lock.waiting.integralAt(durationNs), found: lock.waits.of(null).sumNs + (inLine.get(lock) ?? 0) };
}

/** The cores of each machine that containers share against what these say that they used, core-nanoseconds. */
export function* sharedCpuOf(instances: readonly Instance[], durationNs: number): Generator<Entry> {
  const machines = new Map<CpuPool, Instance[]>();
  for (const instance of instances) {
    const { pool } = instance.container;
    if (pool !== null) machines.set(pool, [...(machines.get(pool) ?? []), instance]);
  }
  for (const [pool, [first, ...others]] of machines) {
    const machine = first.host === null ? `machine of ${first.name}` : `host ${first.host.name}`;
    const found = [first, ...others].reduce((sum, { container }) => sum + container.busyNsAt(durationNs), 0);
    yield { law: `${machine}: CPU used = used by its containers`, counted: pool.busyNsAt(durationNs), found };
  }
}

/** How long those have waited that are still in line at the end, ns. */
const waitsInLine = (calls: CallPool, locks: readonly Lock[], durationNs: number): ReadonlyMap<SharedLink | Lock, number> => {
  const waits = new Map<SharedLink | Lock, number>();
  for (const call of calls.all) {
    if ((call.stage !== stage.pooled && call.stage !== stage.locked) || (call.flags & flag.granted) !== 0) continue;
    const line = call.stage === stage.locked ? locks[call.op.index] : call.place.links[call.op.link].shared;
    waits.set(line, (waits.get(line) ?? 0) + durationNs - call.waitingNs);
  }
  return waits;
};
