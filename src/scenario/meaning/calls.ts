import type { Service, Step, Target, Traffic } from '../model.js';
import { nearest } from '../nearest.js';
import type { Asking } from './asking.js';

/** The request of an `any` handler that nobody is seen to ask: it passes on what comes. */
const whatever = '*';

/** Something that is asked of a service, and the place that asks. */
interface Asked {
  readonly service: string;
  readonly request: string;
  /** The step or the key that asks. */
  readonly path: string;
  /** Whether the asker always asks. Only such calls can make a circle that never ends. */
  readonly certain: boolean;
  /** The step names no request of its own. */
  readonly isPassedOn?: boolean;
}

/** Every request that is asked is handled somewhere, and no call comes back to itself for certain. */
export const checkCalls = (asking: Asking): void => {
  const asked = asking.system.traffic.flatMap((source) => [...askedByTraffic(source, asking)]);
  // Handlers that nobody asks for are checked, too.
  for (const { name, handlers } of asking.system.services) {
    for (const request of Object.keys(handlers)) asked.push({ service: name, request: request === 'any' ? whatever : request, path: `services.${name}.handlers.${request}`, certain: true });
  }
  const next = everythingAsked(asking, asked);
  const finished = new Set<string>();
  for (const start of new Set([...asked.map(keyOf), ...next.keys()])) findCircle(asking, start, next, finished);
};

const keyOf = ({ service, request }: Asked): string => `${service}.${request}`;

/** What each request asks in turn, from all that is asked at first. Reports what nobody handles. */
const everythingAsked = (asking: Asking, first: readonly Asked[]): ReadonlyMap<string, readonly Asked[]> => {
  const next = new Map<string, readonly Asked[]>();
  const open = [...first];
  for (let asked = open.pop(); asked; asked = open.pop()) {
    const service = asking.services.get(asked.service);
    if (!service) asking.expectKnown(asked.path, asked.service, asking.services.keys(), 'the name of a service', 'services');
    const follows = service && whatFollows(service, asked.request, asking);
    if (service && !follows) reportUnhandled(asking, asked, service);
    if (!follows || next.has(keyOf(asked))) continue;
    next.set(keyOf(asked), follows);
    open.push(...follows);
  }
  return next;
};

/** Depth first along certain calls, without recursion: a stranger's file may chain thousands. */
const findCircle = (asking: Asking, start: string, next: ReadonlyMap<string, readonly Asked[]>, finished: Set<string>): void => {
  const way: { readonly key: string; readonly left: Asked[] }[] = [];
  const placeOnWay = new Map<string, number>();
  const enter = (key: string): void => {
    placeOnWay.set(key, way.length);
    way.push({ key, left: (next.get(key) ?? []).filter(({ certain }) => certain).reverse() });
  };
  if (!finished.has(start)) enter(start);
  for (let here = way.at(-1); here; here = way.at(-1)) {
    const asked = here.left.pop();
    if (!asked) {
      finished.add(here.key);
      placeOnWay.delete(here.key);
      way.pop();
      continue;
    }
    const from = placeOnWay.get(keyOf(asked));
    if (from !== undefined) reportCircle(asking, [...way.slice(from).map(({ key }) => key), keyOf(asked)], asked.path);
    else if (!finished.has(keyOf(asked))) enter(keyOf(asked));
  }
};

const reportCircle = (asking: Asking, circle: readonly string[], path: string): void => {
  const shown = circle.length > 8 ? [...circle.slice(0, 4), '…', ...circle.slice(-3)] : circle;
  asking.complain(path, `expected calls that come to an end, found a circle: ${shown.join(' → ')}`, 'let one of these calls happen only sometimes (`chance: 10%`, `choose`, `orElse`, a `cache` miss), or end it in another handler');
};

const reportUnhandled = (asking: Asking, asked: Asked, { name, handlers, links }: Service): void => {
  const { path, request, isPassedOn = false } = asked;
  const known = Object.keys(handlers);
  if (known.length > 0 && isPassedOn) asking.complain(path, `expected a request that \`${name}\` handles for \`${path}\`, found \`${request}\`: a service without a request gets the present one`, `name the request: \`SERVICE.${nearest(request, known) ?? known[0]}\``);
  else if (known.length > 0) asking.expectKnown(path, request, known, `a request that \`${name}\` handles`, `requests of \`${name}\``);
  else asking.complain(path, `expected a service that handles \`${request}\` for \`${path}\`, found \`${name}\`, which has no handlers and ${links.length === 0 ? 'nobody' : 'several services'} to forward to`, `add \`handlers: {${request}: […]}\` to \`services.${name}\`${links.length === 0 ? ', or one service under its `to`' : ''}`);
};

/** What a request makes a service ask of others; undefined when nothing handles it. */
const whatFollows = ({ handlers, links, name }: Service, request: string, asking: Asking): readonly Asked[] | undefined => {
  const own = Object.hasOwn(handlers, request) ? request : Object.hasOwn(handlers, 'any') ? 'any' : undefined;
  if (own !== undefined) return [...askedBySteps(handlers[own], request, true, asking)];
  if (Object.keys(handlers).length > 0) return undefined;
  // A link to nobody is reported as such.
  if (links.length === 1 && !asking.services.has(links[0].callee)) return [];
  if (links.length === 1) return [{ service: links[0].callee, request, path: `services.${name}.to.${links[0].callee}`, certain: true }];
  return undefined;
};

const askedByTraffic = function* ({ name, send, steps, links, source }: Traffic, asking: Asking): Generator<Asked> {
  const callee = links.map((link) => link.callee).find((name) => asking.services.has(name));
  if (send && callee !== undefined) for (const { request } of send) yield { service: callee, request, path: `traffic.${name}.send.${request}`, certain: true };
  if (source.kind === 'sockets' && source.opening !== undefined && callee !== undefined) yield { service: callee, request: source.opening, path: `traffic.${name}.sockets.opening`, certain: true };
  if (steps) yield* askedBySteps(steps, undefined, true, asking);
};

const askedBySteps = function* (steps: readonly Step[], current: string | undefined, certain: boolean, asking: Asking): Generator<Asked> {
  for (const step of steps) {
    const sure = certain && step.chance.value >= 1 && step.times.value >= 1;
    if (step.verb === 'call' && step.target.service !== '') yield* askedByCall(step.target, `${step.path}.call`, current, sure, asking);
    if (step.verb === 'publish' && step.target.service !== '') yield* askedByMessage(step.target, `${step.path}.publish`, current, sure, asking);
    if (step.verb === 'parallel') for (const branch of step.branches) yield* askedBySteps(branch, current, sure, asking);
    if (step.verb === 'choose') for (const option of step.options) yield* askedBySteps(option.steps, current, sure && step.options.length === 1, asking);
    if (step.verb === 'transaction') yield* askedBySteps(step.steps, current, sure, asking);
    if (step.verb === 'cache') yield* askedBySteps(step.miss, current, sure && step.hit.value <= 0, asking);
    if (step.orElse) yield* askedBySteps(step.orElse, current, false, asking);
    if (sure && (step.verb === 'decline' || step.verb === 'refuse' || step.verb === 'fail')) return;
  }
};

const askedByCall = function* ({ service, request }: Target, path: string, current: string | undefined, certain: boolean, asking: Asking): Generator<Asked> {
  const wanted = request ?? current;
  if (wanted === whatever) return;
  if (wanted !== undefined) yield { service, request: wanted, path, certain, isPassedOn: request === undefined };
  else asking.complain(path, `expected a service and its request for \`${path}\`, found \`${service}\`: a journey has no request of its own to pass on`, `for example \`${service}.${Object.keys(asking.services.get(service)?.handlers ?? {})[0] ?? 'get'}\``);
};

/** A message is handled by the workers that take it from the queue. */
const askedByMessage = function* ({ service, request }: Target, path: string, current: string | undefined, certain: boolean, asking: Asking): Generator<Asked> {
  if (!asking.expectKnown(path, service, asking.services.keys(), 'the name of a service', 'services')) return;
  const workers = asking.system.services.filter(({ consumes }) => consumes === service);
  if (workers.length === 0) asking.complain(path, `expected a queue that some service takes messages from for \`${path}\`, found \`${service}\`, whose messages nobody takes`, `add a worker: a service with \`consumes: ${service}\` and handlers`);
  const wanted = request ?? current ?? '';
  if (wanted !== whatever) for (const { name } of workers) yield { service: name, request: wanted, path, certain, isPassedOn: request === undefined };
};
