import { numberAt } from '../../src/study/columns.js';
import type { Lang, PictureLink, PictureService } from '../../src/study/types.js';
import type { CaptionWords, SaturatedBy } from '../../src/text/captions.js';
import { listed, shortened } from '../../src/text/events.js';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import { clock, count, span } from '../look/numbers.js';
import type { Caption } from './caption.js';
import { displayState, healthGlyph, isFullAt, isPoolShort, isWronglyIn, killIn, stateAt, ticksToLeave } from './display-state.js';
import { eventFormats } from './event-formats.js';
import { linkFlow } from './flows.js';
import { allFollowed, appliesAt, goalText, isKept, valueAt } from './objectives.js';
import { lastingFault, ofConnections, ofSharedResources, poolCaption, underFault } from './caption-resources.js';
import { flowOf, phaseAt, type Moment, type Scene } from './scene.js';

/** Something that may hold in a tick, and how it is said. */
type Claim = (scene: Scene, tick: number, lang: Lang, window: Window) => Caption | null;

/** Ticks that the numbers on the stage are taken over. */
export type Window = Moment['window'];

/**
 * What holds while nothing happens, gravest first. `untilTick`: the last that a caption which begins now will stand for.
 * What is said of instances and of what a balancer believes is only said when it is so all that time, unless it says when it was; `isBrief` where nothing else can be said.
 */
export const standing = (scene: Scene, tick: number, lang: Lang, window: Window = { from: tick, to: tick }, untilTick = tick): { readonly caption: Caption; readonly isBrief: boolean } => {
  let brief: Caption | null = null;
  for (const claim of claims) {
    const caption = claim(scene, tick, lang, window);
    if (!caption) continue;
    if (claim === deadMost || !isStrict(caption) || lasts(scene, tick, lang, untilTick, caption)) return { caption: claim === ofFlow && brief ? brief : caption, isBrief: claim === ofFlow && brief !== null };
    brief ??= caption;
  }
  return { caption: ofFlow(scene, tick, lang), isBrief: false };
};

/** What a tick disproves is not said in it: who is down, out or booting. That something is full is a matter of degree. */
export const isStrict = ({ tone }: Caption): boolean => tone !== 'healthy' && tone !== 'saturated' && tone !== 'off';

/** Some claim says the same in a tick, whatever else holds there. */
export const holdsAt = (scene: Scene, tick: number, lang: Lang, { lead }: Caption): boolean => {
  let byLang = leads.get(scene);
  if (!byLang) leads.set(scene, (byLang = { en: [], ko: [] }));
  return (byLang[lang][tick] ??= claims.flatMap((claim) => (claim === ofFlow ? [] : (claim(scene, tick, lang, { from: tick, to: tick })?.lead ?? [])))).includes(lead);
};
const leads = new WeakMap<Scene, Record<Lang, (readonly string[])[]>>();

const lasts = (scene: Scene, tick: number, lang: Lang, untilTick: number, caption: Caption): boolean => {
  for (let later = tick + 1; later <= untilTick; later++) if (!holdsAt(scene, later, lang, caption)) return false;
  return true;
};

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
const misled: Claim = (scene, tick, lang) => {
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

const flapping: Claim = (scene, tick, lang) => {
  const words = stageWords[lang].caption;
  const found = flappingAt(scene, tick);
  return found && { lead: words.flapping(found.link.split('.')[0]), rest: words.flappingRest(found.ejections, span(Math.round(found.ms / 1000) * 1000, lang)), glyph: 'ejected', tone: 'ejected' };
};

interface InstanceHealth {
  readonly service: PictureService;
  readonly index: number;
  readonly subject: string;
  readonly state: DisplayState;
}

/** Every instance with its state. */
const healthAt = (scene: Scene, tick: number): readonly InstanceHealth[] => {
  let known = health.get(scene);
  if (!known) health.set(scene, (known = []));
  return (known[tick] ??= scene.run.system.services.flatMap((service) => (scene.run.ticks.services[service.name]?.instances ?? []).map((_, index) => ({ service, index, subject: `${service.name}.${index + 1}`, state: displayState(scene, service.name, index, tick) }))));
};
const health = new WeakMap<Scene, InstanceHealth[][]>();

type HealthWords = { readonly [Key in keyof CaptionWords]: CaptionWords[Key] extends (names: string, count: number) => string ? Key : never }[keyof CaptionWords];

const named = (scene: Scene, lang: Lang, of: readonly InstanceHealth[]): string => shortened(of.map(({ subject }) => eventFormats(scene, lang).subject(subject)), lang);

/** Who is in a state; what follows from it, and where some other instance still has a process, who does the work meanwhile. */
const ofState = (state: DisplayState, lead: HealthWords, rest: 'frozenRest' | 'outRest' | 'downRest' | 'deadRest' | 'warmingRest' | 'bootingRest', needsOthers: boolean): Claim => (scene, tick, lang) => {
  const words = stageWords[lang].caption;
  const states = healthAt(scene, tick);
  const of = states.filter((one) => one.state === state);
  if (of.length === 0) return null;
  const othersServe = of.some((one) => states.some((other) => other.service === one.service && stateAt(scene, other.service.name, other.index, tick) === 'up'));
  return { lead: words[lead](named(scene, lang, of), of.length), rest: needsOthers && !othersServe ? '' : words[rest], glyph: healthGlyph(state), tone: state };
};

const saturatedNow: Claim = (scene, tick, lang) => {
  const words = stageWords[lang].caption;
  const saturated = healthAt(scene, tick).flatMap((one) => (one.state === 'saturated' ? [{ ...one, by: saturatedBy(scene, one.service, one.index, tick) }] : []));
  // What is used up deepest explains the others.
  const by = deepest.find((cause) => saturated.some((one) => one.by === cause));
  const of = saturated.filter((one) => one.by === by);
  // Which connections they are says more than who holds them.
  const pool = by === 'pool' ? poolOf(scene, of, tick, lang) : null;
  return by === undefined ? null : pool ?? { lead: words.saturated(named(scene, lang, of), of.length), rest: words.saturatedBy[by], glyph: 'saturated', tone: 'saturated' };
};

/** The pool that the first of them has used up. */
const poolOf = (scene: Scene, of: readonly InstanceHealth[], tick: number, lang: Lang): Caption | null => {
  const [{ service, index }] = of;
  for (let back = 0; back < ticksToLeave && back <= tick; back++) {
    const link = scene.run.system.links.find((one) => one.caller === service.name && isPoolShort(scene, service.name, index, tick - back, one));
    if (link) return poolCaption(scene, link, lang);
  }
  return null;
};

/** So much of the past, and so often in it, ms and times, make a habit of what comes and goes. */
const habit = { ms: 120_000, leastTicks: 20, mostTicks: 240, times: 3 } as const;

const serves: readonly DisplayState[] = ['healthy', 'warming'];

/** Who is saturated, then not, then again: said as that, or the caption would come and go with it. */
const saturatedAgain: Claim = (scene, tick, lang) => {
  const words = stageWords[lang].caption;
  const from = Math.max(0, tick + 1 - Math.min(habit.mostTicks, Math.max(habit.leastTicks, Math.ceil(habit.ms / scene.tickMs))));
  const stateOf = (i: number, at: number): DisplayState => healthAt(scene, at)[i].state;
  const now = healthAt(scene, tick);
  const often = now.filter((_, i) => {
    let [times, ticks] = [0, 0];
    for (let at = from; at <= tick; at++) {
      if (stateOf(i, at) !== 'saturated') continue;
      ticks++;
      if (at > 0 && serves.includes(stateOf(i, at - 1))) times++;
    }
    return times >= habit.times && ticks * 2 <= tick + 1 - from;
  });
  // Somebody else's saturation explains more than this.
  if (often.length === 0 || now.some((one) => one.state === 'saturated' && !often.includes(one))) return null;
  return { lead: words.saturatedAgain(named(scene, lang, often), often.length), rest: words.saturatedAgainRest, glyph: 'saturated', tone: 'saturated' };
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
const badUnderFault: Claim = (scene, tick, lang, window) => (badNow(scene, tick, lang, window) ? lastingFault(scene, tick, lang) : null);

const badNow: Claim = (scene, tick, lang, window) => {
  const { caption: words } = stageWords[lang];
  const bad = (from: number): boolean => {
    const { refused, failed } = flowOf(scene.run, Math.max(0, from), tick);
    return refused + failed > 0;
  };
  if (bad(tick - 2)) return { lead: words.bad, rest: words.badRest, glyph: 'saturated', tone: 'saturated' };
  // The figures beside it still have them.
  return bad(window.from) ? { lead: words.wereBad, rest: words.badRest, glyph: 'saturated', tone: 'saturated' } : null;
};

/** Somebody queues at the end of this tick and of the one before, and not by chance: so it is for most of both. */
const waitingNow: Claim = (scene, tick, lang) => {
  const { caption: words } = stageWords[lang];
  const queued = (at: number): number => Object.values(scene.run.ticks.services).reduce((sum, { instances }) => sum + instances.reduce((part, { queue }) => part + (numberAt(queue.mean, at) >= 0.5 ? numberAt(queue.end, at) : 0), 0), 0);
  const [now, last] = [queued(tick), tick > 0 ? queued(tick - 1) : 0];
  if (now === 0 || last === 0) return null;
  return { lead: now > last ? words.queuesGrow : words.waiting, rest: now > last ? words.queuesGrowRest : words.waitingRest, glyph: 'queue', tone: 'saturated' };
};

/** Nothing is wrong now; it is well only when the running phase keeps its goals. */
const ofFlow = (scene: Scene, tick: number, lang: Lang): Caption => {
  const { caption: words, outcome } = stageWords[lang];
  const missed = allFollowed(scene).find((followed) => {
    const value = appliesAt(followed, scene, tick) ? valueAt(followed, { scene, window: { from: tick, to: tick } }) : null;
    return value !== null && !isKept(followed, value);
  });
  if (missed?.kind === 'latency') return { lead: words.slow, rest: words.slowRest(missed.objective.metric, goalText(missed)), glyph: 'saturated', tone: 'saturated', isCalm: true };
  if (missed) return { lead: words.behind, rest: words.behindRest(missed.objective.in === 'run' ? null : (phaseAt(scene, tick)?.name ?? null), `${outcome.good} ${goalText(missed)}`), glyph: 'broken', tone: 'off', isCalm: true };
  if (isIdle(scene, tick)) return { lead: words.idle, rest: words.idleRest, glyph: 'traffic', tone: 'healthy', isCalm: true };
  return { lead: words.calm, rest: words.calmRest, glyph: 'healthy', tone: 'healthy', isCalm: true };
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

const claims: readonly Claim[] = [
  deadMost,
  misled,
  flapping,
  ofSharedResources,
  saturatedAgain,
  ofConnections,
  ofState('frozen', 'frozen', 'frozenRest', false),
  saturatedNow,
  ofState('ejected', 'out', 'outRest', false),
  ofState('restarting', 'down', 'downRest', true),
  ofState('dead', 'dead', 'deadRest', true),
  badUnderFault,
  badNow,
  waitingNow,
  ofState('warming', 'warming', 'warmingRest', false),
  ofState('booting', 'booting', 'bootingRest', false),
  underFault,
  ofFlow,
];
