import type { Fault } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import { toNs } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import type { Fleet } from './fleet.js';

/** The fault `crash`: the processes of its target die at one instant; they come back by their own recovery. */
export const scheduleCrash = (queue: EventQueue, fleet: Fleet, log: EventLog, fault: Fault, instances: readonly Instance[]): void => {
  const { target } = fault;
  if (!('service' in target)) throw new TypeError(`fault ${fault.name}: a link cannot crash`);
  const hit = instances.filter(({ service, ordinal }) => service.name === target.service && (target.instance === undefined || ordinal === target.instance - 1));
  const kind = queue.register(() => {
    log.add('fault', fault.name, 'crash', 'counted', { target: target.instance === undefined ? target.service : `${target.service}.${target.instance}` });
    for (const instance of hit) fleet.crash(instance, fault.name);
  });
  queue.at(toNs(fault.atMs), kind, 0);
};
