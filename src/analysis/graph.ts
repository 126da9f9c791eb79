import type { System } from '../scenario/model.js';

/** Every service that requests of `from` (a traffic or a service) can reach, itself included when it is a service. */
export const reachable = (system: System, from: string): ReadonlySet<string> => {
  const links = new Map([...system.services, ...system.traffic].map(({ name, links: own }) => [name, own.map(({ callee }) => callee)]));
  const seen = new Set<string>();
  const queue = [from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(links.get(name) ?? []));
  }
  return new Set(system.services.map(({ name }) => name).filter((name) => seen.has(name)));
};

/** Services and traffics whose requests can move a figure of `of`: who leads to it, and all that those reach. */
export const partsThatMove = (system: System, of: string): ReadonlySet<string> => {
  const subject = of.includes('.') ? of.split('.')[1] : of;
  const sources = system.traffic.filter(({ name }) => name === subject || reachable(system, name).has(subject)).map(({ name }) => name);
  return new Set([...sources, ...sources.flatMap((name) => [...reachable(system, name)]), ...reachable(system, subject)]);
};
