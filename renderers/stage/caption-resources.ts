import { numberAt } from '../../src/study/columns.js';
import type { Column, Lang, PictureLink } from '../../src/study/types.js';
import { faultText, linkText } from '../../src/text/events.js';
import { stageWords } from '../../src/text/stage.js';
import { cores, count } from '../look/numbers.js';
import type { Caption } from './caption.js';
import { faultsAt } from './faults.js';
import type { Scene } from './scene.js';
import { nameOf } from './structure.js';

/** What everybody waits for, if anything: a lock, or a shared machine. */
export const ofSharedResources = (scene: Scene, tick: number, lang: Lang): Caption | null => lockWaits(scene, tick, lang) ?? hostFull(scene, tick, lang);

/** A connection that many wait for, or a breaker that lets nobody through. */
export const ofConnections = (scene: Scene, tick: number, lang: Lang): Caption | null => poolWaits(scene, tick, lang) ?? breakerOpen(scene, tick, lang);

/** At the end of this tick and of the one before: what waits for a moment only is no state. */
const lasting = (columns: readonly Column[], tick: number): number => {
  const at = (t: number): number => columns.reduce<number>((sum, column) => sum + numberAt(column, t), 0);
  return tick === 0 ? 0 : Math.min(at(tick), at(tick - 1));
};
/** Requests from which waiting is worth a sentence. */
const fewest = 3;

const lockWaits = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const waits = Object.entries(scene.run.ticks.locks).map(([name, { waiting }]) => ({ name, waiting: lasting([waiting.end], tick) }));
  const most = waits.reduce<(typeof waits)[number] | null>((best, one) => (one.waiting >= fewest && (best === null || one.waiting > best.waiting) ? one : best), null);
  return most && { lead: words.lockWaits(most.name), rest: words.lockWaitsRest, glyph: 'lock', tone: 'saturated' };
};

const hostFull = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const full = scene.run.system.hosts.find(({ name, cpus }) => {
    const columns = scene.run.ticks.hosts[name];
    return columns !== undefined && numberAt(columns.saturated, tick) === 1 && cpus !== null && numberAt(columns.cpuCores.mean, tick) >= nearlyAll * cpus;
  });
  return full ? { lead: words.hostFull(full.name), rest: words.hostFullRest(cores(full.cpus ?? 0)), glyph: 'host', tone: 'saturated' } : null;
};
const nearlyAll = 0.9;

const poolWaits = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  for (const link of scene.run.system.links) {
    const columns = scene.run.ticks.links[nameOf(link)];
    if (!columns || link.pool === null) continue;
    const waiting = columns.callers.flatMap(({ poolWaiting }) => (poolWaiting ? [poolWaiting.end] : []));
    if (lasting(waiting, tick) >= fewest) return poolCaption(scene, link, lang);
  }
  return null;
};

/** That requests wait for a connection of a link. No figure that changes while the sentence stands: the card has them. */
export const poolCaption = (scene: Scene, link: PictureLink, lang: Lang): Caption => {
  const words = stageWords[lang].caption;
  const max = link.pool?.max ?? null;
  const callers = scene.run.ticks.links[nameOf(link)]?.callers.length ?? 1;
  const rest = max === null ? '' : words.poolWaitsRest(link.caller, callers > 1, count(max), link.pool?.reuse === 1);
  return { lead: words.poolWaits(link.callee), rest, glyph: 'connection', tone: 'saturated' };
};

const breakerOpen = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const link = scene.run.system.links.find((one) => numberAt(scene.run.ticks.links[nameOf(one)]?.breaker ?? 0, tick) === 1);
  return link ? { lead: words.breakerOpen(linkText(nameOf(link))), rest: words.breakerOpenRest, glyph: 'breaker', tone: 'ejected' } : null;
};

/** A fault that lasts, where nothing graver is to be said; what the generator could not send, or what was pushed and did not arrive. */
export const underFault = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  for (const traffic of scene.run.system.traffic) {
    const dropped = lasting([scene.run.ticks.traffic[traffic.name]?.dropped ?? 0], tick);
    if (dropped > 0) return { lead: words.dropped(traffic.title[lang]), rest: words.droppedRest, glyph: 'traffic', tone: 'off' };
    const missed = lasting([scene.run.ticks.traffic[traffic.name]?.deliveries?.missed ?? 0], tick);
    if (missed > 0) return { lead: words.missed, rest: words.missedRest, glyph: 'broken', tone: 'saturated' };
  }
  return lastingFault(scene, tick, lang);
};

export const lastingFault = (scene: Scene, tick: number, lang: Lang): Caption | null => {
  const words = stageWords[lang].caption;
  const fault = faultsAt(scene, tick).find(({ verb }) => verb !== 'crash');
  if (!fault) return null;
  return { lead: words.lasts(fault.name, fault.verb === 'deploy'), rest: faultText[lang][fault.verb]?.(linkText(fault.target)) ?? '', glyph: 'fault', tone: 'saturated' };
};
