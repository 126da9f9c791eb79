import { replayWords } from '../../../src/text/replay.js';
import { toSvg } from '../../look/svg.js';
import { captionsOf } from '../../stage/captions.js';
import { questionCard } from '../../stage/cards/question-card.js';
import { frameSvg } from '../../stage/stage.js';
import { instanceAt, placeOf } from '../instances.js';
import { element, pictureOf, setText, svgElement } from './dom.js';
import type { Player, View } from './player.js';

/** The stage itself: the very picture of the film's frame, and over it what a reader does with it. */
export const stageView = (player: Player): HTMLElement => {
  const picture = element('div', { class: 'picture' });
  const marks = svgElement('svg', { class: 'marks', 'aria-hidden': 'true' });
  const answer = element('button', { class: 'answer', type: 'button' });
  const caption = element('p', { class: 'caption', 'aria-live': 'polite' });
  const stage = element('div', { class: 'stage', role: 'img' }, picture, marks);
  const screen = element('section', { class: 'screen' }, stage, answer, caption);
  answer.addEventListener('click', () => player.answer());
  stage.addEventListener('click', (event) => {
    const { frame } = player.view;
    const box = stage.getBoundingClientRect();
    const name = instanceAt(player.scene, ((event.clientX - box.left) / box.width) * frame.width, ((event.clientY - box.top) / box.height) * frame.height);
    if (name !== null) player.change({ followed: name === player.view.followed ? null : name });
  });

  const draw = (view: View): void => {
    const { variant, tick, lang, theme, frame, isPlaying, held } = view;
    const look = { lang, theme, frame };
    const svg = held === null
      ? frameSvg(player.study, variant, tick, isPlaying ? { ...look, speed: player.speedAt(tick) } : look)
      : toSvg(questionCard(player.study, variant, { stop: player.stops[held].stop, number: held + 1, of: player.stops.length, tick: player.stops[held].tick, passedS: null }, look));
    picture.replaceChildren(pictureOf(svg));
  };

  const mark = ({ followed, frame, held }: View): void => {
    const box = followed === null || held !== null ? null : placeOf(player.scene, followed);
    marks.setAttribute('viewBox', `0 0 ${frame.width} ${frame.height}`);
    marks.replaceChildren(...(box ? ['under', 'over'].map((name) => svgElement('rect', { class: name, x: box.x - 5, y: box.y - 5, width: box.width + 10, height: box.height + 10, rx: 12 })) : []));
  };

  const say = ({ lang, held, tick }: View): void => {
    const { lead, rest } = captionsOf(player.scene, lang)[tick];
    setText(caption, held === null ? `${lead} ${rest}`.trim() : player.stops[held].stop.ask[lang]);
  };

  let wasPlayingAt = '';
  player.add((view, before) => {
    const { lang, frame, held } = view;
    screen.style.setProperty('--ratio', String(frame.width / frame.height));
    if (view.lang !== before?.lang) stage.setAttribute('aria-label', replayWords[lang].stage);
    answer.hidden = held === null;
    setText(answer, replayWords[lang].answer);
    if (held !== null && before?.held === null) answer.focus();
    const drawn = JSON.stringify([view.variant, view.tick, lang, view.theme, frame.name, held, view.isPlaying && player.speedAt(view.tick)]);
    if (drawn !== wasPlayingAt) draw(view);
    wasPlayingAt = drawn;
    mark(view);
    say(view);
  });
  return screen;
};
