import type { Structure } from '../structure.js';

/** Column of each part, from traffic (0) to the deepest callee: the longest way along calls that do not come back to where they came from. */
export const layering = ({ traffic, services, links }: Pick<Structure, 'traffic' | 'services' | 'links'>): ReadonlyMap<string, number> => {
  const forward = forwardLinks({ traffic, services, links });
  const callers = new Map<string, string[]>();
  for (const [caller, callee] of forward) callers.set(callee, [...(callers.get(callee) ?? []), caller]);
  const layers = new Map(traffic.map(({ name }) => [name, 0]));
  const layerOf = (name: string): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    const layer = Math.max(0, ...(callers.get(name) ?? []).map(layerOf)) + 1;
    layers.set(name, layer);
    return layer;
  };
  for (const { name } of services) layerOf(name);
  return layers;
};

/** Links but those that close a circle, seen from where requests come in. */
const forwardLinks = ({ traffic, services, links }: Pick<Structure, 'traffic' | 'services' | 'links'>): readonly (readonly [string, string])[] => {
  const callees = new Map<string, string[]>();
  for (const { caller, callee } of links) callees.set(caller, [...(callees.get(caller) ?? []), callee]);
  const forward: (readonly [string, string])[] = [];
  const [open, done] = [new Set<string>(), new Set<string>()];
  const visit = (name: string): void => {
    open.add(name);
    for (const callee of callees.get(name) ?? []) {
      if (open.has(callee)) continue;
      forward.push([name, callee]);
      if (!done.has(callee)) visit(callee);
    }
    open.delete(name);
    done.add(name);
  };
  for (const { name } of [...traffic, ...services]) if (!done.has(name)) visit(name);
  return forward;
};
