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
      return 'restarting';
    case 'draining':
      return 'draining';
    case 'up':
      return servingState(scene, service, index, tick);
  }
};

const servingState = (scene: Scene, service: string, index: number, tick: number): DisplayState => {
  const believed = checkedLinks(scene, service).map((link) => beliefAt(scene, link, index, tick));
  if (believed.includes('out')) return 'ejected';
  if (believed.includes('joining')) return 'joining';
  const instance = scene.run.ticks.services[service].instances[index];
  // The column is three ticks of five already, so a service near its knee does not blink.
  if (numberAt(instance.saturated, tick) === 1) return 'saturated';
  return numberAt(instance.warmUpLeftMs, tick) > 0 ? 'warming' : 'healthy';
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

const checkedLinks = (scene: Scene, service: string): readonly PictureLink[] => scene.run.system.links.filter((link) => link.callee === service && link.health !== null);

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
      return { fill: palette.failed, text: palette.failedText };
    case 'ejected':
      return { fill: palette.ejected, text: palette.ejectedText };
    case 'off':
      return { fill: palette.off, text: palette.offText };
    default:
      return { fill: palette.boot, text: palette.bootText };
  }
};

export const healthGlyph = (state: DisplayState): Glyph => (state === 'crashed' ? 'killed' : state);
