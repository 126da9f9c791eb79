import type { System } from '../scenario/model.js';
import { everyStep } from '../scenario/system/links.js';

/** Every service that requests of `from` (a traffic or a service) can reach, itself included when it is a service; messages reach who takes them. */
export const reachable = (system: System, from: string): ReadonlySet<string> => {
  const workersOf = (queue: string): string[] => system.services.filter(({ consumes }) => consumes === queue).map(({ name }) => name);
  const links = new Map([...system.services, ...system.traffic].map(({ name, links: own }) => [name, [...own.map(({ callee }) => callee), ...workersOf(name)]]));
  const seen = new Set<string>();
  const queue = [from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(links.get(name) ?? []));
  }
  return new Set(system.services.map(({ name }) => name).filter((name) => seen.has(name)));
};

/** Whether requests of `from` reach a service, a host (what stands on it), a link (its callee) or a lock (its holder). */
export const reachedBy = (system: System, from: string, of: string): boolean => {
  const reached = reachable(system, from);
  return servicesOf(system, of).some((name) => reached.has(name));
};

/** Services and traffics whose requests can move a figure of `of`: who leads to it, all that those reach, and who competes with those for a host. */
export const partsThatMove = (system: System, of: string): ReadonlySet<string> => {
  const subjects = servicesOf(system, of);
  const parts = new Set<string>();
  const queue = [of, ...subjects];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (parts.has(name)) continue;
    parts.add(name);
    const sources = system.traffic.filter((traffic) => traffic.name === name || reachable(system, traffic.name).has(name)).map((traffic) => traffic.name);
    queue.push(...sources, ...reachable(system, name), ...neighbours(system, name));
  }
  return new Set([...parts].filter((name) => system.services.some((service) => service.name === name) || system.traffic.some((traffic) => traffic.name === name)));
};

/** Services on the same host or in the same pod; of a traffic, the service whose instances send it. */
const neighbours = ({ services, traffic }: System, name: string): string[] => {
  const service = services.find((one) => one.name === name);
  if (!service) return traffic.flatMap((one) => (one.name === name && one.from ? [one.from] : []));
  return services.filter((other) => machineOf(other) === machineOf(service)).map((other) => other.name);
};

/** What tells services on different machines apart. */
const machineOf = ({ name, place }: System['services'][number]): string => (place.on === 'host' ? `host ${place.host}` : `pod ${place.on === 'beside' ? place.service : name}`);

/** The services that a figure of `of` is about: itself, what stands on a host, the callee of a link, the holder of a lock or, where the file names none, who takes it. */
const servicesOf = ({ services }: System, of: string): string[] => {
  const onHost = services.filter(({ place }) => place.on === 'host' && place.host === of);
  if (onHost.length > 0) return onHost.map(({ name }) => name);
  const named = of.split('.').toReversed().find((part) => services.some(({ name }) => name === part));
  if (named !== undefined) return [named];
  return services.filter(({ handlers }) => Object.values(handlers).some((steps) => [...everyStep(steps)].some((step) => step.verb === 'lock' && step.name === of))).map(({ name }) => name);
};
