import { numberAt } from '../../src/study/columns.js';
import type { Lang, PictureLink, PictureService } from '../../src/study/types.js';
import { listed } from '../../src/text/events.js';
import type { SaturatedBy } from '../../src/text/captions.js';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import { clock, count, span } from '../look/numbers.js';
import type { Caption } from './caption.js';
import { displayState, healthGlyph, isFullAt, isPoolShort, isWronglyIn, killIn, stateAt, ticksToLeave } from './display-state.js';
import { eventFormats } from './event-formats.js';
import { linkFlow } from './flows.js';
import { appliesAt, followedObjectives, goalText, isKept, valueAt } from './objectives.js';
import { lastingFault, ofResources, underFault } from './caption-resources.js';
import { flowOf, phaseAt, type Scene } from './scene.js';

/** What holds while nothing happens, gravest first. */
export const standing = (scene: Scene, tick: number, lang: Lang): Caption => deadMost(scene, tick, lang) ?? misled(scene, tick, lang) ?? flapping(scene, tick, lang) ?? ofResources(scene, tick, lang) ?? ofHealth(scene, tick, lang) ?? underFault(scene, tick, lang) ?? ofFlow(scene, tick, lang);

/** Most of what a link sends goes to a process that is not there. */
export const deadMost = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  for (const link of scene.run.system.links) {
    const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
    if (!columns) continue;
    const dead = columns.targets.flatMap((_, i) => (isDead(scene, link, i, tick) && linkFlow(scene, link, { target: i }, tick, tick).failed > 0 ? [i] : []));
    const sent = (targets: readonly number[]): number => targets.reduce((sum, i) => sum + numberAt(columns.targets[i].sent, tick), 0);
    if (dead.length === 0 || sent(dead) * 2 <= sent(columns.targets.map((_, i) => i))) continue;
    const { good, declined, refused, failed } = linkFlow(scene, link, 'all', tick, tick);
    const names = listed(dead.map((i) => eventFormats(scene, lang).subject(`${link.callee}.${i + 1}`)), lang);
    return { lead: words.deadMost(link.caller, names, numberAt(columns.failingOpen, tick) === 1), rest: words.deadMostRest(count(failed), count(good + declined + refused + failed), clock(tick * scene.tickMs)), glyph: 'restarting', tone: 'restarting' };
  }
  return null;
};

const isDead = (scene: Scene, link: PictureLink, i: number, tick: number): boolean => stateAt(scene, link.callee, i, tick) === 'down' && killIn(scene, link.callee, i, tick) === undefined;

/** A balancer that is wrong about somebody, sends to everybody, or has nobody to send to. */
const misled = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const wrongly = wronglyIn(scene, tick, lang);
  if (wrongly) {
    const rest = wrongly.policy === 'least-outstanding' || wrongly.policy === 'two-choices' ? words.nothingOutstanding : words.notNoticed;
    return { lead: words.wrongly(wrongly.caller, wrongly.name), rest, glyph: 'restarting', tone: 'restarting' };
  }
  const blind = blindlySent(scene, tick, lang);
  if (blind) return { lead: words.blind(blind.caller, blind.name), rest: words.blindRest, glyph: 'restarting', tone: 'restarting' };
  for (const link of scene.run.system.links.filter(({ health }) => health !== null)) {
    const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
    if (!columns) continue;
    if (numberAt(columns.failingOpen, tick) === 1) return { lead: words.openDoor(link.caller), rest: words.openDoorRest(link.caller), glyph: 'ejected', tone: 'ejected' };
    if (columns.targets.every((target) => numberAt(target.belief, tick) !== 1)) return { lead: words.nobody(link.callee), rest: words.nobodyRest(link.caller), glyph: 'ejected', tone: 'ejected' };
  }
  return null;
};

/** A target that is gone and still gets requests, of a link that would take it out once it noticed. */
export const wronglyIn = (scene: Scene, tick: number, lang: Lang) => sentToDead(scene, tick, lang, ({ health, outlier }) => health !== null || outlier !== null);

/** The same of a balancer that never asks. */
const blindlySent = (scene: Scene, tick: number, lang: Lang) => sentToDead(scene, tick, lang, ({ caller, health, outlier }) => health === null && outlier === null && scene.run.system.services.some(({ name, kind }) => name === caller && kind === 'balancer'));

const sentToDead = (scene: Scene, tick: number, lang: Lang, isMeant: (link: PictureLink) => boolean) => {
  const formats = eventFormats(scene, lang);
  for (const link of scene.run.system.links.filter(isMeant)) {
    const targets = scene.run.ticks.links[`${link.caller}.${link.callee}`]?.targets ?? [];
    const index = targets.findIndex((target, i) => isWronglyIn(scene, link, i, tick) && numberAt(target.sent, tick) > 0);
    if (index >= 0) return { caller: link.caller, policy: link.policy, name: formats.subject(`${link.callee}.${index + 1}`) };
  }
  return null;
};

/** Ejections further apart than this are not one story; so long after the last change it is over, ms. */
const longestPause = 90_000;
const settledAfter = 15_000;
/** Ejections of one instance from which it is a pattern. */
const pattern = 3;

/** A link that ejects and returns the same instances, from the third time on: how often since it began. */
export const flappingAt = (scene: Scene, tick: number): { readonly link: string; readonly ejections: number; readonly ms: number } | null => {
  const nowMs = (tick + 1) * scene.tickMs;
  const past = scene.run.eventLog.filter((event) => (event.kind === 'ejected' || (event.kind === 'ready' && event.cause === 'probes')) && event.tMs < nowMs);
  for (const link of new Set(past.map((event) => String(event.data['link'])))) {
    const changes = past.filter((event) => event.data['link'] === link);
    // What was done to the system was why, as a rule: with it this is over.
    if (nowMs - changes.at(-1)!.tMs > settledAfter || scene.run.eventLog.some(({ kind, tMs }) => kind === 'fault-end' && tMs < nowMs && tMs > (changes.findLast((event) => event.kind === 'ejected')?.tMs ?? 0))) continue;
    const all = changes.filter(({ kind }) => kind === 'ejected');
    const begin = all.findLastIndex((event, i) => i === 0 || event.tMs - all[i - 1].tMs > longestPause);
    const ejections = all.slice(Math.max(0, begin));
    const times = new Map<string, number>();
    for (const { subject } of ejections) times.set(subject, (times.get(subject) ?? 0) + 1);
    if (Math.max(0, ...times.values()) >= pattern) return { link, ejections: ejections.length, ms: ejections.at(-1)!.tMs - ejections[0].tMs };
  }
  return null;
};

const flapping = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const found = flappingAt(scene, tick);
  return found && { lead: words.flapping(found.link.split('.')[0]), rest: words.flappingRest(found.ejections, span(Math.round(found.ms / 1000) * 1000, lang)), glyph: 'ejected', tone: 'ejected' };
};

const ofHealth = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const formats = eventFormats(scene, lang);
  const states = scene.run.system.services.flatMap((service) => (scene.run.ticks.services[service.name]?.instances ?? []).map((_, i) => ({ service, index: i, name: formats.subject(`${service.name}.${i + 1}`), state: displayState(scene, service.name, i, tick) })));
  const saturated = states.filter(({ state }) => state === 'saturated').map((item) => ({ ...item, by: saturatedBy(scene, item.service, item.index, tick) }));
  // What is used up deepest explains the others.
  const by = deepest.find((cause) => saturated.some((item) => item.by === cause));
  /** Some instance beside those in a state has a process. */
  const othersServe = (state: DisplayState): boolean => states.some((one) => one.state === state && states.some((other) => other.service === one.service && stateAt(scene, other.service.name, other.index, tick) === 'up'));
  const say = (state: DisplayState, lead: (names: string, count: number) => string, rest: string, of: readonly { readonly name: string; readonly state: DisplayState }[] = states): Caption | null => {
    const names = of.filter((item) => item.state === state).map((item) => item.name);
    if (names.length === 0) return null;
    return { lead: lead(names.length > 6 ? `${names.slice(0, 5).join(', ')} … (${names.length})` : listed(names, lang), names.length), rest, glyph: healthGlyph(state), tone: state };
  };
  return (
    say('frozen', words.frozen, words.frozenRest) ??
    (by ? say('saturated', words.saturated, words.saturatedBy[by], saturated.filter((item) => item.by === by)) : null) ??
    say('ejected', words.out, words.outRest) ??
    say('restarting', words.down, othersServe('restarting') ? words.downRest : '') ??
    say('dead', words.dead, othersServe('dead') ? words.deadRest : '') ??
    badUnderFault(scene, tick, lang) ??
    badNow(scene, tick, lang) ??
    waitingNow(scene, tick, lang) ??
    say('warming', words.warming, words.warmingRest) ??
    say('booting', words.booting, words.bootingRest)
  );
};

const deepest: readonly SaturatedBy[] = ['memory', 'cpu', 'turns', 'boundedSlots', 'slots', 'pool', 'limit'];

/** What of an instance that is saturated is used up, or was when it last was: it counts as saturated for a few ticks more. */
export const saturatedBy = (scene: Scene, service: PictureService, index: number, tick: number): SaturatedBy => {
  const { slots, slotsHeld, queueLimit, rateLimit } = service;
  for (let back = 0; back < ticksToLeave && back <= tick; back++) {
    const by = usedUp(scene, service, index, tick - back);
    if (by) return by;
  }
  return rateLimit !== null ? 'limit' : slots === null ? 'cpu' : slotsHeld === 'cpu' && slots === 1 ? 'turns' : queueLimit === null ? 'slots' : 'boundedSlots';
};

const usedUp = (scene: Scene, { name, cpus, slots, slotsHeld, queueLimit, memoryLimitBytes }: PictureService, index: number, tick: number): SaturatedBy | null => {
  const instance = scene.run.ticks.services[name].instances[index];
  if (cpus !== null && numberAt(instance.cpuCores.mean, tick) >= nearlyAll * cpus) return 'cpu';
  if (isFullAt(scene, name, index, tick)) return slotsHeld === 'cpu' && slots === 1 ? 'turns' : queueLimit === null ? 'slots' : 'boundedSlots';
  if (isPoolShort(scene, name, index, tick)) return 'pool';
  return memoryLimitBytes !== null && numberAt(instance.memoryBytes.max, tick) >= nearlyAll * memoryLimitBytes ? 'memory' : null;
};
const nearlyAll = 0.9;

/** A fault that lasts explains what goes wrong better than that it does. */
const badUnderFault = (scene: Scene, tick: number, lang: Lang): Caption | null => (badNow(scene, tick, lang) ? lastingFault(scene, tick, lang) : null);

const badNow = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const { caption: words } = stageWords[lang];
  const { refused, failed } = flowOf(scene.run, Math.max(0, tick - 2), tick);
  return refused + failed > 0 ? { lead: words.bad, rest: words.badRest, glyph: 'saturated', tone: 'saturated' } : null;
};

/** Somebody queues at the end of this tick and of the one before, and not by chance: so it is for most of both. */
const waitingNow = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const { caption: words } = stageWords[lang];
  const queued = (at: number): number => Object.values(scene.run.ticks.services).reduce((sum, { instances }) => sum + instances.reduce((part, { queue }) => part + (numberAt(queue.mean, at) >= 0.5 ? numberAt(queue.end, at) : 0), 0), 0);
  const [now, last] = [queued(tick), tick > 0 ? queued(tick - 1) : 0];
  if (now === 0 || last === 0) return null;
  return { lead: now > last ? words.queuesGrow : words.waiting, rest: now > last ? words.queuesGrowRest : words.waitingRest, glyph: 'queue', tone: 'saturated' };
};

/** Nothing is wrong now; it is well only when the running phase keeps its goals. */
const ofFlow = (scene: Scene, tick: number, lang: Lang): Caption => {
  const { caption: words, outcome } = stageWords[lang];
  const missed = followedObjectives(scene).find((followed) => {
    const value = appliesAt(followed, scene, tick) ? valueAt(followed, { scene, window: { from: tick, to: tick } }) : null;
    return value !== null && !isKept(followed, value);
  });
  if (missed?.kind === 'latency') return { lead: words.slow, rest: words.slowRest(missed.objective.metric, goalText(missed)), glyph: 'saturated', tone: 'saturated' };
  if (missed) return { lead: words.behind, rest: words.behindRest(phaseAt(scene, tick)?.name ?? '', `${outcome.good} ${goalText(missed)}`), glyph: 'broken', tone: 'off' };
  if (isIdle(scene, tick)) return { lead: words.idle, rest: words.idleRest, glyph: 'traffic', tone: 'healthy' };
  return { lead: words.calm, rest: words.calmRest, glyph: 'healthy', tone: 'healthy' };
};

/** Nothing came and nothing ended for a time in which several requests come otherwise. */
const isIdle = (scene: Scene, tick: number): boolean => {
  const { run, tickMs } = scene;
  const all = flowOf(run, 0, run.ticks.count - 1).offered;
  const back = Math.ceil(Math.max(idleMs, (severalRequests * run.durationMs) / Math.max(1, all)) / tickMs);
  const { offered, good, declined, refused, failed } = flowOf(run, Math.max(0, tick + 1 - back), tick);
  return offered + good + declined + refused + failed === 0;
};
const idleMs = 2_000;
const severalRequests = 10;
