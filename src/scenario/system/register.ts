import { type Node, dotted } from '../document/tree.js';
import type { Fault, Host, Service, System, Value } from '../model.js';

/**
 * Every value once: the file's own in file order, then the catalogue's, then the defaults that some part reads. A named value stands under its name.
 */
export const registerOf = (inputs: readonly Value[], root: Node, reads: System['reads']): readonly Value[] => {
  const read = new Set(Object.values(reads).flat());
  const order = orderOf(root);
  const rank = ({ path, basis }: Value): number => (basis === 'default' ? Infinity : (order.get(path) ?? order.size));
  const once = new Map<string, Value>();
  for (const value of inputs) if (!once.has(value.path) && (value.basis !== 'default' || read.has(value.path))) once.set(value.path, value);
  // A sort of equal ranks keeps the order of reading; Infinity minus Infinity is not a number, hence the comparison.
  return [...once.values()].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? -1 : 1));
};

/** Paths of the tree in the order in which they are written. */
const orderOf = (root: Node): ReadonlyMap<string, number> => {
  const order = new Map<string, number>();
  const visit = (node: Node, path: readonly string[]): void => {
    order.set(dotted(path), order.size);
    if (node.kind === 'map') for (const [key, inner] of node.entries) visit(inner, [...path, key]);
    if (node.kind === 'list') node.items.forEach((inner, index) => visit(inner, [...path, String(index)]));
  };
  visit(root, []);
  return order;
};

/** Which inputs each service, traffic and fault reads, by the path of the part. */
export const readsOf = ({ services, traffic, faults, hosts }: Pick<System, 'services' | 'traffic' | 'faults' | 'hosts'>): Readonly<Record<string, readonly string[]>> => {
  const hostNamed = new Map(hosts.map((host) => [host.name, host]));
  const parts: readonly (readonly [string, unknown])[] = [
    ...services.map((service) => [`services.${service.name}`, [canDie(service, hostNamed, faults) ? service : { ...service, recovery: undefined }, service.place.on === 'host' ? hostNamed.get(service.place.host) : undefined]] as const),
    ...traffic.map((source) => [`traffic.${source.name}`, source] as const),
    ...faults.map((fault) => [`faults.${fault.name}`, fault] as const),
  ];
  return Object.fromEntries(parts.map(([path, part]) => [path, [...new Set(pathsIn(part))]]));
};

/** Recovery is read only by what can be killed: a memory limit, a shared host's memory, a crash. */
const canDie = (service: Service, hosts: ReadonlyMap<string, Host>, faults: readonly Fault[]): boolean => {
  const hostMemory = service.place.on === 'host' ? hosts.get(service.place.host)?.memoryBytes.value : undefined;
  const crashed = faults.some(({ target, what }) => what.verb === 'crash' && 'service' in target && target.service === service.name);
  return crashed || Number.isFinite(service.memory.limit.value) || Number.isFinite(hostMemory ?? Infinity);
};

const pathsIn = function* (part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  if (isValue(part)) {
    if (!isLeftOutModifier(part)) yield part.path;
  } else for (const inner of Object.values(part)) yield* pathsIn(inner);
};

/** A step that says nothing of `times` and `chance` runs once, and a single request has no weight: nothing was filled in. */
const isLeftOutModifier = ({ basis, path }: Value): boolean => basis === 'default' && /\.(times|chance)$|^traffic\.[^.]+\.send\./.test(path);

const isValue = (part: object): part is Value => 'basis' in part && 'unit' in part && 'path' in part;
