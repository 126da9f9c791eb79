import { numberAt } from '../../src/study/columns.js';
import { splitSubject } from '../../src/study/events.js';
import { beliefs, instanceStates, type Belief, type InstanceState, type LoggedEvent, type PictureLink } from '../../src/study/types.js';
import type { DisplayState } from '../../src/text/stage.js';
import type { Glyph } from '../look/glyphs.js';
import type { Palette } from '../look/palette.js';
import type { Scene } from './scene.js';

/** Health as the stage shows it, from what is true of the instance, what its callers believe, and what just happened to it. `index` is 0-based. */
export const displayState = (scene: Scene, service: string, index: number, tick: number): DisplayState => {
  const killed = killIn(scene, service, index, tick);
  if (killed) return killed.kind === 'oom' ? 'killed' : 'crashed';
  switch (stateAt(scene, service, index, tick)) {
    case 'off':
      return 'off';
    case 'booting':
      return 'booting';
    case 'down':
      return comesBack(scene, service) ? 'restarting' : 'dead';
    case 'draining':
      return 'draining';
    case 'up':
      return servingState(scene, service, index, tick);
  }
};

const comesBack = ({ run }: Scene, service: string): boolean => run.system.services.find(({ name }) => name === service)?.recovery.by !== 'none';

/** Its process is gone, for a while or for good. */
export const isDown = (state: DisplayState): boolean => state === 'restarting' || state === 'dead';

const servingState = (scene: Scene, service: string, index: number, tick: number): DisplayState => {
  const believed = checkedLinks(scene, service).map((link) => beliefAt(scene, link, index, tick));
  if (numberAt(scene.run.ticks.services[service].instances[index].frozen, tick) === 1) return 'frozen';
  if (believed.includes('out') || believed.includes('ejected')) return 'ejected';
  if (believed.includes('joining')) return 'joining';
  if (isSaturated(scene, service, index, tick)) return 'saturated';
  return numberAt(scene.run.ticks.services[service].instances[index].warmUpLeftMs, tick) > 0 ? 'warming' : 'healthy';
};

/** Ticks without a sign of saturation after which it is over, so that a service near its knee does not blink. */
export const ticksToLeave = 3;

/** Entered in the very tick, left after three without; what was before a restart does not count. */
const isSaturated = (scene: Scene, service: string, index: number, tick: number): boolean => {
  for (let back = 0; back < ticksToLeave && back <= tick && stateAt(scene, service, index, tick - back) === 'up'; back++)
    if (saturatesIn(scene, service, index, tick - back)) return true;
  return false;
};

const nearLimit = 0.9;

/** By the engine's slower rule, or at once: all slots used while somebody waits, or requests refused there. */
const saturatesIn = (scene: Scene, service: string, index: number, tick: number): boolean => {
  const instance = scene.run.ticks.services[service].instances[index];
  const picture = scene.run.system.services.find(({ name }) => name === service);
  if (isFullAt(scene, service, index, tick)) return true;
  const near = (level: number, limit: number | null | undefined): boolean => limit !== null && limit !== undefined && level >= nearLimit * limit;
  // The engine's rule looks back; what it says counts while some level of this tick bears it out.
  if (numberAt(instance.saturated, tick) === 1 && (near(numberAt(instance.cpuCores.mean, tick), picture?.cpus) || near(numberAt(instance.slots.end, tick), picture?.slots) || near(numberAt(instance.memoryBytes.max, tick), picture?.memoryLimitBytes) || isPoolShort(scene, service, index, tick))) return true;
  // What a balancer passes on as refused was refused behind it; so was that of a service without limits.
  if (picture === undefined || picture.kind === 'balancer' || (picture.slots === null && picture.rateLimit === null)) return false;
  if (numberAt(instance.refused, tick) > 0) return true;
  return scene.run.system.links.some(({ caller, callee }) => callee === service && numberAt(scene.run.ticks.links[`${caller}.${callee}`]?.targets[index]?.refused ?? 0, tick) > 0);
};

/** Some pool of an instance, or the one of a link, is used up, and somebody waits for it. */
export const isPoolShort = (scene: Scene, service: string, index: number, tick: number, only?: PictureLink): boolean =>
  (only ? [only] : scene.run.system.links).some(({ caller, callee, pool }) => {
    const own = caller === service && pool?.max != null ? scene.run.ticks.links[`${caller}.${callee}`]?.callers[index] : undefined;
    return own?.poolInUse != null && own.poolWaiting !== null && numberAt(own.poolInUse.max, tick) >= pool!.max! && numberAt(own.poolWaiting.max, tick) > 0;
  });

/** All slots of an instance are used at the end of a tick and somebody waits, and not by chance: most of them were used for most of the tick. */
export const isFullAt = (scene: Scene, service: string, index: number, tick: number): boolean => {
  const limit = scene.run.system.services.find(({ name }) => name === service)?.slots ?? null;
  const instance = scene.run.ticks.services[service]?.instances[index];
  return instance !== undefined && limit !== null && numberAt(instance.slots.end, tick) >= limit && numberAt(instance.queue.end, tick) > 0 && numberAt(instance.slots.mean, tick) * 2 >= limit;
};

/** What is true of an instance at the end of a tick. */
export const stateAt = (scene: Scene, service: string, index: number, tick: number): InstanceState => {
  const instance = scene.run.ticks.services[service]?.instances[index];
  return instance ? instanceStates[numberAt(instance.state, tick)] : 'off';
};

/** What a link believes of a target at the end of a tick. */
export const beliefAt = (scene: Scene, link: PictureLink, index: number, tick: number): Belief => {
  const target = scene.run.ticks.links[`${link.caller}.${link.callee}`]?.targets[index];
  return target ? beliefs[numberAt(target.belief, tick)] : 'absent';
};

/** The link sends to a process that is not there. */
export const isWronglyIn = (scene: Scene, link: PictureLink, index: number, tick: number): boolean => {
  if (beliefAt(scene, link, index, tick) !== 'in') return false;
  return stateAt(scene, link.callee, index, tick) === 'down' || killIn(scene, link.callee, index, tick) !== undefined;
};

/** The kill of an instance in this very tick. */
export const killIn = (scene: Scene, service: string, index: number, tick: number): LoggedEvent | undefined =>
  scene.eventsIn(tick).find((event) => {
    if (event.kind !== 'oom' && event.kind !== 'crashed') return false;
    const subject = splitSubject(event.subject);
    return subject.service === service && subject.instance === index + 1;
  });

const checkedLinks = (scene: Scene, service: string): readonly PictureLink[] => scene.run.system.links.filter((link) => link.callee === service && (link.health !== null || link.outlier !== null));

/** Colour of fills and glyphs, and of text, by health. */
export const healthColors = (palette: Palette, state: DisplayState): { readonly fill: string; readonly text: string } => {
  switch (state) {
    case 'healthy':
      return { fill: palette.good, text: palette.goodText };
    case 'saturated':
      return { fill: palette.refused, text: palette.refusedText };
    case 'killed':
    case 'crashed':
    case 'restarting':
    case 'dead':
    case 'frozen':
      return { fill: palette.failed, text: palette.failedText };
    case 'ejected':
      return { fill: palette.ejected, text: palette.ejectedText };
    case 'off':
      return { fill: palette.off, text: palette.offText };
    default:
      return { fill: palette.boot, text: palette.bootText };
  }
};

export const healthGlyph = (state: DisplayState): Glyph => (state === 'crashed' ? 'killed' : state === 'dead' ? 'restarting' : state);
