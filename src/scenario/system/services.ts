import { headOf, locate } from '../document/tree.js';
import type { WrittenScenario } from '../grammar/scenario.js';
import type { Reading } from '../grammar/type.js';
import { defaultValue } from '../grammar/value.js';
import type { Service, Value } from '../model.js';
import { linksOf } from './links.js';
import { type Places, roomOf } from './places.js';
import { present, sameText } from './present.js';

type Written = WrittenScenario['services'] extends ReadonlyMap<string, infer S> ? S : never;

export const servicesOf = (written: WrittenScenario, places: Places, reading: Reading): readonly Service[] => {
  const names = new Set(written.services.keys());
  const placeOf = new Map([...written.services].map(([name, service]) => [name, whereOf(name, service, places, reading)]));
  const instancesOf = new Map([...written.services].filter(([, service]) => service.beside === undefined).map(([name, service]) => [name, service.instances ?? fallback(name, 'instances', 'count', 1, reading)]));
  return [...written.services].map(([name, service]) => {
    const place = placeOf.get(name)!;
    // A sidecar has as many instances as there are pods, and the room of the machine that the pod is on.
    const pod = place.on === 'beside' ? place.service : name;
    const room = roomOf(placeOf.get(pod) ?? place, places.hosts);
    const instances = instancesOf.get(pod) ?? service.instances ?? fallback(name, 'instances', 'count', 1, reading);
    return serviceOf(name, service, { place, instances, room, names }, reading);
  });
};

interface Surroundings {
  readonly place: Service['place'];
  readonly instances: Value;
  readonly room: { readonly cpus?: Value; readonly memory?: Value };
  readonly names: ReadonlySet<string>;
}

const serviceOf = (name: string, written: Written, { place, instances, room, names }: Surroundings, reading: Reading): Service => {
  const cpus = written.cpus ?? room.cpus ?? fallback(name, 'cpus', 'cores', 'unlimited', reading);
  return {
    name,
    title: written.title ?? sameText(name),
    kind: written.kind,
    place,
    instances,
    cpus,
    cpuRequest: written.cpuRequest ?? cpus,
    throttle: written.throttle,
    slots: written.slots,
    slotsHeld: written.slotsHeld,
    queue: written.queue,
    memory: { ...written.memory, limit: written.memory.limit ?? room.memory ?? fallback(name, 'memory.limit', 'bytes', 'unlimited', reading) },
    recovery: written.recovery,
    warmUp: written.warmUp,
    ...present({ rateLimit: written.rateLimit, autoscale: written.autoscale, consumes: written.consumes }),
    stock: Object.fromEntries(written.stock),
    handlers: Object.fromEntries(written.handlers),
    links: linksOf(['services', name], written.to, [...written.handlers.values()], names, reading),
  };
};

const whereOf = (name: string, { machine, host, beside }: Written, places: Places, reading: Reading): Service['place'] => {
  const at = ['services', name];
  const said = (['machine', 'host', 'beside'] as const).filter((key) => ({ machine, host, beside })[key] !== undefined);
  if (said.length > 1) {
    const second = locate(reading.root, [...at, said[1]]);
    reading.problems.add(headOf(second), `expected one place for \`${at.join('.')}\`, found ${said.map((key) => `\`${key}\``).join(' and ')}`, 'a service has machines of its own, or shares a host, or stands beside another service: keep one');
  }
  const type = places.machineFor(machine, [...at, 'machine']);
  if (type) return { on: 'machine', machine: type };
  if (host) return { on: 'host', host };
  if (beside) return { on: 'beside', service: beside };
  return { on: 'nothing' };
};

const fallback = (name: string, key: string, kind: 'count' | 'cores' | 'bytes', written: string | number, reading: Reading): Value => {
  const at = ['services', name];
  return defaultValue(kind, written, [...at, ...key.split('.')], locate(reading.root, at), reading);
};
