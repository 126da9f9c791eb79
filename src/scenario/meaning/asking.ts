import { type Mark, type Node, type Path, childOf, headOf, locate } from '../document/tree.js';
import type { Reading } from '../grammar/type.js';
import type { Link, Service, System, Traffic, Value } from '../model.js';
import { suggest } from '../nearest.js';

/** What the checks of meaning share: the system by name, and how to complain at a path. */
export interface Asking {
  readonly system: System;
  readonly services: ReadonlyMap<string, Service>;
  readonly traffic: ReadonlyMap<string, Traffic>;
  /** Of the whole file, the reference first. */
  readonly variants: readonly string[];
  /** Traffic that the file has, though this variant may leave it out. */
  readonly trafficOfFile: readonly string[];
  /** Every lock that some step takes. */
  readonly locks: ReadonlySet<string>;
  /** At the value that stands at a path, or the nearest thing around it. */
  readonly complain: (path: string | Path, message: string, hint?: string) => void;
  /** At the key itself. */
  readonly complainKey: (path: string | Path, message: string, hint?: string) => void;
  /** Complains that a name does not exist; '' has been reported already. */
  readonly expectKnown: (path: string | Path, name: string, known: Iterable<string>, what: string, choice: string) => boolean;
  /** The same for a key that names a service. */
  readonly expectKeyKnown: (path: string, service: string) => boolean;
  /** Whether the file says anything at exactly this path. */
  readonly has: (path: string) => boolean;
}

export const askingAbout = (system: System, reading: Reading, locks: ReadonlySet<string>): Asking => {
  const segments = (path: string | Path): Path => (typeof path === 'string' ? path.split('.').filter((segment) => segment !== '') : path);
  const valueAt = (path: string | Path): Mark => locate(reading.root, segments(path)).at;
  const complain = (path: string | Path, message: string, hint?: string): void => reading.problems.add(valueAt(path), message, hint);
  const services = new Map(system.services.map((service) => [service.name, service]));
  return {
    system,
    services,
    traffic: new Map(system.traffic.map((source) => [source.name, source])),
    variants: namesIn(reading.root, 'variants', ['base']),
    trafficOfFile: namesIn(reading.original, 'traffic', []),
    locks,
    complain,
    complainKey: (path, message, hint) => reading.problems.add(headOf(locate(reading.root, segments(path))), message, hint),
    expectKnown(path, name, known, what, choice) {
      const names = [...known];
      if (name === '' || names.includes(name)) return true;
      complain(path, `expected ${what} for \`${segments(path).join('.')}\`, found \`${name}\`, which is not in the file`, suggest(name, names, choice) ?? `the file has no ${choice}`);
      return false;
    },
    expectKeyKnown(path, name) {
      if (services.has(name)) return true;
      reading.problems.add(headOf(locate(reading.root, segments(path))), `expected the name of a service in \`${path}\`, found \`${name}\`, which is not in the file`, suggest(name, services.keys(), 'services'));
      return false;
    },
    has: (path) => segments(path).reduce<Node | undefined>((node, segment) => childOf(node, segment), reading.root) !== undefined,
  };
};

const namesIn = (root: Node, key: string, otherwise: readonly string[]): readonly string[] => {
  const map = childOf(root, key);
  return map?.kind === 'map' && map.entries.size > 0 ? [...map.entries.keys()] : otherwise;
};

/** What an hour of each machine costs, where the file or the catalogue says. */
export const pricesOf = ({ machines }: System): Value[] => Object.values(machines).flatMap(({ price }) => price ?? []);

/** Every link of the system with its caller's name. */
export const linksWithCaller = function* (system: System): Generator<{ readonly caller: string; readonly link: Link }> {
  for (const part of [...system.traffic, ...system.services]) for (const link of part.links) yield { caller: part.name, link };
};
