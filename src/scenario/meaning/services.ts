import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import type { Service, Value } from '../model.js';
import { type Asking, linksWithCaller, pricesOf } from './asking.js';

/** Places, scaling, queues, and names that several kinds of things share. */
export const checkServices = (asking: Asking): void => {
  checkNamesApart(asking);
  checkSum(asking);
  checkCurrencies(asking);
  for (const service of asking.system.services) {
    checkPlace(asking, service);
    checkMemory(asking, service);
    checkAutoscale(asking, service);
    if (service.consumes !== undefined) asking.expectKnown(`services.${service.name}.consumes`, service.consumes, asking.services.keys(), 'the name of a service', 'services');
  }
  for (const { link } of linksWithCaller(asking.system)) {
    const known = asking.expectKeyKnown(link.path, link.callee);
    if (known) checkHealth(asking, link.path, link.callee, link.health?.request);
  }
};

/** Checks, events and links name a thing without saying what kind it is. */
const checkNamesApart = ({ system, complainKey }: Asking): void => {
  const owner = new Map<string, string>();
  const all = [...system.services.map(({ name }) => ['services', name]), ...system.traffic.map(({ name }) => ['traffic', name]), ...system.hosts.map(({ name }) => ['hosts', name])] as const;
  for (const [kind = '', name = ''] of all) {
    const first = owner.get(name);
    if (first !== undefined) complainKey(`${kind}.${name}`, `expected a name of its own for \`${kind}.${name}\`, found one that \`${first}.${name}\` has already`, 'checks and events name services, traffic and hosts alike: rename one of the two');
    else owner.set(name, kind);
  }
};

const checkSum = ({ system, complainKey }: Asking): void => {
  const most = (service: Service): number => Math.max(service.instances.value, service.autoscale?.max.value ?? 0);
  const sum = system.services.reduce((total, service) => total + most(service), 0);
  const largest = [...system.services].sort((a, b) => most(b) - most(a))[0];
  if (largest && sum > 4 * limits.instances) complainKey(`services.${largest.name}`, `expected at most ${grouped(4 * limits.instances)} instances of all services together, found ${grouped(sum)}`);
};

const checkCurrencies = ({ system, complain }: Asking): void => {
  const [first, ...others] = pricesOf(system);
  const other = others.find((price) => price.currency !== first.currency);
  if (other) complain(other.path, `expected one currency in the file, found ${first.currency} and ${other.currency}`, 'convert the prices: the cost of a run is one sum');
};

const checkPlace = (asking: Asking, { name, place, instances }: Service): void => {
  const path = `services.${name}`;
  if (place.on === 'host') asking.expectKnown(`${path}.host`, place.host, asking.system.hosts.map((host) => host.name), 'the name of a host', 'hosts');
  if (place.on !== 'beside') return;
  if (!asking.expectKnown(`${path}.beside`, place.service, asking.services.keys(), 'the name of a service', 'services')) return;
  const other = asking.services.get(place.service);
  if (other?.place.on === 'beside') asking.complain(`${path}.beside`, `expected a service with instances of its own for \`${path}.beside\`, found \`${place.service}\`, which stands beside \`${other.place.service}\` itself`, `write \`beside: ${other.place.service === name ? '…' : other.place.service}\``);
  else if (asking.has(`${path}.instances`)) asking.complainKey(`${path}.instances`, `expected no \`instances\` in \`${path}\`: there is one in every pod of \`${place.service}\` (${instances.value})`, 'leave it out');
  if (asking.has(`${path}.autoscale`)) asking.complainKey(`${path}.autoscale`, `expected no \`autoscale\` in \`${path}\`: it comes and goes with the pods of \`${place.service}\``, `write it under \`services.${place.service}\``);
};

const checkMemory = ({ complain }: Asking, { name, memory: { base, limit } }: Service): void => {
  if (base.value > limit.value) complain(`services.${name}.memory.base`, `expected \`base\` below the memory limit of \`${name}\` (${gib(limit)}), found ${gib(base)}: it would be killed as soon as it starts`);
};
const gib = ({ value }: Value): string => `${Number((value / 2 ** 30).toPrecision(4))}GiB`;

const checkAutoscale = (asking: Asking, { name, autoscale, instances, slots, cpuRequest }: Service): void => {
  if (!autoscale) return;
  const path = `services.${name}.autoscale`;
  const { min, max, metric, target } = autoscale;
  if (min.value > max.value) asking.complain(`${path}.max`, `expected \`max\` to be at least \`min\` (${min.value}) in \`${path}\`, found ${max.value}`);
  else if (instances.value < min.value || instances.value > max.value) asking.complain(`services.${name}.instances`, `expected \`services.${name}.instances\` between \`min\` and \`max\` of its autoscaler (${min.value} to ${max.value}), found ${instances.value}`);
  if (metric === 'queue' && target.unit === 'share') asking.complain(`${path}.target`, `expected a length such as 10 for \`${path}.target\`, found a share: the metric is \`queue\``);
  if (metric !== 'queue' && target.unit === 'count') asking.complain(`${path}.target`, `expected a share such as 60% for \`${path}.target\`, found ${target.value}: the metric is \`${metric}\``, `write ${target.value <= 1 ? Number((target.value * 100).toPrecision(6)) : target.value}%`);
  if (metric === 'slots' && slots.value === Infinity) asking.complain(`${path}.metric`, `expected \`slots\` in \`services.${name}\` for an autoscaler that watches them, found none: a share of unlimited slots is always 0`, `give \`services.${name}.slots\`, or watch \`cpu\``);
  if (metric === 'cpu' && cpuRequest.value === Infinity) asking.complain(`${path}.metric`, `expected \`cpus\`, \`cpuRequest\`, \`machine\` or \`host\` in \`services.${name}\` for an autoscaler that watches \`cpu\`, found none: a share of unlimited cores is always 0`, `give \`services.${name}.cpuRequest\`, what a container asks for`);
  autoscale.with.forEach((sidecar, index) => {
    const known = asking.expectKnown(`${path}.with.${index}`, sidecar, asking.services.keys(), 'the name of a service', 'services');
    const place = asking.services.get(sidecar)?.place;
    if (known && place && !(place.on === 'beside' && place.service === name)) asking.complain(`${path}.with.${index}`, `expected a service that stands beside \`${name}\`, found \`${sidecar}\``);
  });
};

const checkHealth = (asking: Asking, path: string, callee: string, request: string | undefined): void => {
  const handlers = asking.services.get(callee)?.handlers ?? {};
  if (request === undefined || Object.hasOwn(handlers, request) || Object.hasOwn(handlers, 'any')) return;
  asking.expectKnown(`${path}.health.request`, request, Object.keys(handlers), `a request that \`${callee}\` handles`, `requests of \`${callee}\``);
};
