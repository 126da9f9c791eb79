import { type EventKind, type EventName, eventKinds } from '../model.js';
import { type Asking, linksWithCaller } from './asking.js';
import { sayTime } from './times.js';

type Bearer = 'service' | 'instance' | 'host' | 'link' | 'fault' | 'lock';

/** Whom each kind of event happens to. */
const bearers: Readonly<Record<EventKind, readonly Bearer[]>> = {
  saturated: ['service', 'instance', 'host', 'lock'],
  ejected: ['service', 'instance'],
  ready: ['service', 'instance'],
  oom: ['service', 'instance'],
  crashed: ['service', 'instance'],
  back: ['service', 'instance'],
  'scale-out': ['service'],
  'scale-in': ['service'],
  booted: ['service', 'instance'],
  gone: ['service', 'instance'],
  'breaker-open': ['link'],
  'breaker-closed': ['link'],
  'lock-timeout': ['lock'],
  fault: ['fault'],
  'fault-end': ['fault'],
  deployed: ['service'],
  'rolled-back': ['service'],
};

export const checkEvent = (asking: Asking, path: string, { kind, subject }: EventName): void => {
  if (subject === '') return;
  const [, service = '', instance] = /^([^.]+)\.(\d+)$/.exec(subject) ?? [];
  const wanted = bearers[kind];
  if (instance !== undefined && wanted.includes('instance')) {
    if (asking.expectKnown(path, service, asking.services.keys(), 'the name of a service', 'services')) checkInstance(asking, path, service, Number(instance));
    return;
  }
  const known = wanted.flatMap((bearer) => namesOf(asking, bearer));
  const what = wanted.filter((bearer) => bearer !== 'instance').map((bearer) => `a ${bearer}`).join(' or ');
  asking.expectKnown(path, subject, known, `${what} after \`${kind}\``, `\`${kind}\` happens to`);
};

const checkInstance = (asking: Asking, path: string, service: string, instance: number): void => {
  const target = asking.services.get(service)!;
  const most = Math.max(target.instances.value, target.autoscale?.max.value ?? 0);
  // Replaced instances get new numbers, so a service that replaces has no upper bound.
  if (instance < 1 || (instance > most && target.recovery.by !== 'replace' && !target.autoscale)) asking.complain(path, `expected an instance of \`${service}\` from 1 to ${most}, found ${instance}`);
};

const namesOf = ({ system, locks }: Asking, bearer: Bearer): readonly string[] => {
  if (bearer === 'service') return system.services.map(({ name }) => name);
  if (bearer === 'host') return system.hosts.map(({ name }) => name);
  if (bearer === 'link') return [...linksWithCaller(system)].map(({ caller, link }) => `${caller}.${link.callee}`);
  if (bearer === 'fault') return system.faults.map(({ name }) => name);
  return bearer === 'lock' ? [...locks] : [];
};

/** Stops: their moments, and what their questions are about. */
export const checkRehearsal = (asking: Asking): void => {
  const { rehearsal, durationMs } = asking.system;
  for (const { name, at, about } of rehearsal.stops) {
    const path = `rehearsal.stops.${name}`;
    if (!('timeMs' in at)) checkEvent(asking, `${path}.at`, at);
    else if (at.timeMs > durationMs) asking.complain(`${path}.at`, `expected the stop \`${name}\` within the run (${sayTime(durationMs)}), found ${sayTime(at.timeMs)}`);
    if (about !== undefined && about !== '') checkAbout(asking, `${path}.about`, about);
  }
};

/** A service, an instance, a link, or an event. */
const checkAbout = (asking: Asking, path: string, about: string): void => {
  const [first = '', subject] = about.split(' ');
  const kind = eventKinds.find((known) => known === first);
  if (kind !== undefined && subject !== undefined) return checkEvent(asking, path, { kind, subject });
  const [, service] = /^([^.]+)\.\d+$/.exec(about) ?? [];
  const known = [...namesOf(asking, 'service'), ...asking.traffic.keys(), ...namesOf(asking, 'link'), ...namesOf(asking, 'fault')];
  asking.expectKnown(path, service ?? about, known, 'a service, an instance, a link or an event', 'known here');
};
