import { beganAtMs } from '../../../src/study/events.js';
import { eventSentence } from '../../../src/text/events.js';
import { replayWords } from '../../../src/text/replay.js';
import { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, count } from '../../look/numbers.js';
import { themes } from '../../look/palette.js';
import { toSvg } from '../../look/svg.js';
import { signOf } from '../../stage/caption-events.js';
import { healthColors, isDown } from '../../stage/display-state.js';
import { eventFormats } from '../../stage/event-formats.js';
import type { LoggedEvent } from '../../../src/study/types.js';
import { element, prefixedPictureOf, setText } from './dom.js';
import { concerns, type Player, type View } from './player.js';

/** All that happened, each in a sentence that leads to its moment. */
export const eventList = (player: Player): HTMLElement => {
  const title = element('h2');
  const total = element('span', { class: 'total' });
  const filter = element('select');
  const list = element('ol', { class: 'events', tabindex: '-1' });
  filter.addEventListener('change', () => player.change({ part: filter.value === '' ? null : filter.value }));
  let items: { readonly tick: number; readonly noticedTick: number; readonly item: HTMLElement }[] = [];

  const fill = (view: View): void => {
    const { lang } = view;
    const words = replayWords[lang];
    setText(title, words.events);
    filter.setAttribute('aria-label', words.events);
    const parts = player.scene.structure.services.map(({ name }) => name).filter((name) => player.scene.run.eventLog.some((event) => concerns(event, name)));
    filter.replaceChildren(element('option', { value: '' }, words.allParts), ...parts.map((name) => element('option', { value: name }, name)));
    filter.value = view.part ?? '';
    filter.hidden = parts.length < 2;
    const events = player.events();
    setText(total, words.eventsOf(count(events.length)));
    items = events.map((event) => ({ tick: player.tickOfEvent(event), noticedTick: player.noticedTick(event), item: itemOf(event, player, view) }));
    list.replaceChildren(...(items.length > 0 ? items.map(({ item }) => item) : [element('li', { class: 'none' }, words.noEvents)]));
  };

  const point = ({ tick, held }: View): void => {
    const now = items.findLastIndex((one) => one.tick <= tick);
    items.forEach(({ tick: at, noticedTick, item }, index) => {
      const isNow = now >= 0 && at === items[now].tick;
      item.classList.toggle('past', at <= tick);
      item.classList.toggle('unseen', held !== null && noticedTick > tick);
      if (isNow) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
      if (index === now) follow(list, item);
    });
    if (now < 0) list.scrollTop = 0;
  };

  player.add((view, before) => {
    const isNew = view.variant !== before?.variant || view.lang !== before.lang || view.theme !== before.theme || view.part !== before.part;
    if (isNew) fill(view);
    if (isNew || view.tick !== before.tick || view.held !== before.held || view.isAside !== before.isAside) point(view);
  });
  return element('section', { class: 'log' }, element('header', {}, title, total, filter), list);
};

/** Within the list only: the page stays where it is. */
const follow = (list: HTMLElement, item: HTMLElement): void => {
  const top = item.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
};

const itemOf = (event: LoggedEvent, player: Player, { lang, theme }: View): HTMLElement => {
  const { lead, rest } = eventSentence(event, lang, eventFormats(player.scene, lang));
  const at = clock(beganAtMs(event));
  const button = element('button', { type: 'button', title: replayWords[lang].jumpTo(at) }, element('span', { class: 'at' }, at), signPicture(event, theme), element('span', {}, element('b', {}, lead), rest ? ` ${rest}` : ''));
  button.addEventListener('click', () => player.change({ tick: player.tickOfEvent(event), held: null, isPlaying: false }));
  return element('li', {}, button);
};

const signPicture = (event: LoggedEvent, theme: View['theme']): SVGSVGElement => {
  const palette = themes[theme];
  const { glyph, tone } = signOf(event);
  const canvas = new Canvas(20, 20, { fill: palette.text, size: 12 });
  drawGlyph(canvas, glyph, 10, 10, 17, { color: healthColors(palette, tone).fill, cut: tone === 'killed' || isDown(tone) ? palette.onFailed : palette.bg, progress: 0.9 });
  const picture = prefixedPictureOf(toSvg(canvas.drawing()), 'sign-');
  picture.setAttribute('aria-hidden', 'true');
  return picture;
};
