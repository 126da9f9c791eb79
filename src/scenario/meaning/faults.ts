import type { Fault } from '../model.js';
import { type Asking, linksWithCaller } from './asking.js';

/** Targets that exist and can suffer what is done to them. */
export const checkFaults = (asking: Asking): void => {
  for (const fault of asking.system.faults) {
    if ('caller' in fault.target) checkLink(asking, fault, fault.target);
    else checkService(asking, fault, fault.target);
  }
};

const linkVerbs: readonly string[] = ['latency', 'loss', 'blackhole', 'cut'];

const checkLink = (asking: Asking, { name, what }: Fault, { caller, callee }: { caller: string; callee: string }): void => {
  const path = `faults.${name}.target`;
  const callers = [...asking.services.keys(), ...asking.traffic.keys()];
  if (!asking.expectKnown(`${path}.0`, caller, callers, 'the name of a service or traffic', 'callers')) return;
  const callees = [...linksWithCaller(asking.system)].filter((one) => one.caller === caller).map(({ link }) => link.callee);
  asking.expectKnown(`${path}.1`, callee, callees, `a service that \`${caller}\` calls`, `services that \`${caller}\` calls`);
  if (!linkVerbs.includes(what.verb)) asking.complainKey(`faults.${name}.${what.verb}`, `expected one of \`latency\`, \`loss\`, \`blackhole\`, \`cut\` for the link in \`faults.${name}\`, found \`${what.verb}\``, `\`${what.verb}\` happens to a service: write \`target: ${callee}\``);
};

const checkService = (asking: Asking, { name, what }: Fault, { service, instance }: { service: string; instance?: number }): void => {
  const path = `faults.${name}.target`;
  if (!asking.expectKnown(path, service, asking.services.keys(), 'the name of a service', 'services')) return;
  const target = asking.services.get(service);
  if (!target) return;
  const pod = target.place.on === 'beside' ? (asking.services.get(target.place.service) ?? target) : target;
  const most = Math.max(pod.instances.value, pod.autoscale?.max.value ?? 0);
  if (instance !== undefined && instance > most) asking.complain(path, `expected an instance of \`${service}\` from 1 to ${most} for \`${path}\`, found ${instance}`);
  if (instance !== undefined && what.verb === 'deploy') asking.complain(path, `expected a whole service for a \`deploy\`, found one instance, \`${service}.${instance}\``, `write \`target: ${service}\``);
  if (pod !== target && what.verb === 'deploy') asking.complain(path, `expected a service with instances of its own for a \`deploy\`, found \`${service}\`, which stands beside \`${pod.name}\``, `write \`target: ${pod.name}\`: what stands beside it is replaced with it`);
};
