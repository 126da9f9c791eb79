import { catalogue } from '../catalogue.js';
import { type Path, locate } from '../document/tree.js';
import type { WrittenScenario } from '../grammar/scenario.js';
import type { Reading } from '../grammar/type.js';
import { defaultValue } from '../grammar/value.js';
import type { Host, Machine, Service, Value } from '../model.js';
import { suggest } from '../nearest.js';

/** Where services run: machine types and hosts, found by name. */
export interface Places {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly hosts: readonly Host[];
  machineFor(name: string | undefined, at: Path): Machine | undefined;
}

/** Machines of the file, catalogue machines as far as somebody uses them, hosts with what they override. */
export const placesOf = (written: WrittenScenario, reading: Reading): Places => {
  const machines = new Map<string, Machine>();
  for (const [name, { cpus, memory, price }] of written.machines) machines.set(name, { name, cpus, memoryBytes: memory, ...(price && { price }) });

  const machineFor = (name: string | undefined, at: Path): Machine | undefined => {
    if (name === undefined || name === '') return undefined;
    const known = machines.get(name);
    if (known) return known;
    const listed = catalogue.get(name);
    if (!listed) {
      reading.problems.add(locate(reading.root, at).at, `expected a type of machine for \`${at.join('.')}\`, found \`${name}\`, which is neither under \`machines\` nor in the catalogue`, suggest(name, [...machines.keys(), ...catalogue.keys()], 'machines'));
      return undefined;
    }
    machines.set(name, listed);
    reading.inputs.push(listed.cpus, listed.memoryBytes, ...(listed.price ? [listed.price] : []));
    return listed;
  };

  const hosts = [...written.hosts].map(([name, { machine: type, cpus, memory }]): Host => {
    const at = ['hosts', name];
    const machine = machineFor(type, [...at, 'machine']);
    const parent = locate(reading.root, at);
    return {
      name,
      ...(machine && { machine }),
      cpus: cpus ?? machine?.cpus ?? defaultValue('cores', 'unlimited', [...at, 'cpus'], parent, reading),
      memoryBytes: memory ?? machine?.memoryBytes ?? defaultValue('bytes', 'unlimited', [...at, 'memory'], parent, reading),
    };
  });
  return { machines, hosts, machineFor };
};

/** The cores and the memory that a service's place has; undefined when it has no bound. */
export const roomOf = (place: Service['place'], hosts: readonly Host[]): { cpus?: Value; memory?: Value } => {
  if (place.on === 'machine') return { cpus: place.machine.cpus, memory: place.machine.memoryBytes };
  const host = place.on === 'host' ? hosts.find(({ name }) => name === place.host) : undefined;
  return host ? { cpus: host.cpus, memory: host.memoryBytes } : {};
};
