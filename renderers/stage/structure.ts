import type { PictureLink, PictureService, PictureTraffic, Study } from '../../src/study/types.js';

/** What there is to draw in any of the variants: the same places in all of them. */
export interface Structure {
  readonly services: readonly PictureService[];
  readonly traffic: readonly PictureTraffic[];
  readonly links: readonly PictureLink[];
  /** The service that is drawn as lanes: the one with the most instances. */
  readonly group: PictureService | null;
  /** Longest way from a traffic, by name. */
  readonly layers: ReadonlyMap<string, number>;
}

/** The union of the variants' pictures; where they differ in size, the largest. */
export const structureOf = (study: Study): Structure => {
  const pictures = Object.values(study.runs).map((run) => run.system);
  const services = union(pictures.flatMap((picture) => picture.services), (service) => service.name, (a, b) => (b.instancesMax > a.instancesMax ? b : a));
  const traffic = union(pictures.flatMap((picture) => picture.traffic), (item) => item.name, (a) => a);
  const links = union(pictures.flatMap((picture) => picture.links), (link) => `${link.caller}.${link.callee}`, (a) => a);
  return { services, traffic, links, group: groupOf(services), layers: layersOf(traffic, services, links) };
};

const union = <T>(items: readonly T[], key: (item: T) => string, merge: (a: T, b: T) => T): readonly T[] => {
  const found = new Map<string, T>();
  for (const item of items) {
    const known = found.get(key(item));
    found.set(key(item), known === undefined ? item : merge(known, item));
  }
  return [...found.values()];
};

/** A balancer is drawn by its rotation; of the others the one with the most instances, then the one with bounded CPU, then the first. */
const groupOf = (services: readonly PictureService[]): PictureService | null => {
  const weight = (service: PictureService): number => service.instancesMax * 2 + (service.cpus === null ? 0 : 1);
  return services.filter((service) => service.kind !== 'balancer').reduce<PictureService | null>((best, service) => (best === null || weight(service) > weight(best) ? service : best), null);
};

const layersOf = (traffic: readonly PictureTraffic[], services: readonly PictureService[], links: readonly PictureLink[]): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>(traffic.map(({ name }) => [name, 0]));
  const callersOf = (name: string): string[] => links.filter((link) => link.callee === name).map((link) => link.caller);
  const open = new Set<string>();
  const layerOf = (name: string): number => {
    const known = layers.get(name);
    if (known !== undefined) return known;
    // A call back to where the way came from does not push it further right.
    if (open.has(name)) return 0;
    open.add(name);
    const layer = Math.max(0, ...callersOf(name).map((caller) => layerOf(caller))) + 1;
    open.delete(name);
    layers.set(name, layer);
    return layer;
  };
  for (const { name } of services) layerOf(name);
  return layers;
};
