import { splitSubject } from '../../../src/study/events.js';
import { replayWords } from '../../../src/text/replay.js';
import { stageWords } from '../../../src/text/stage.js';
import { drawBasis } from '../../look/basis-marks.js';
import { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { span } from '../../look/numbers.js';
import { themes } from '../../look/palette.js';
import { toSvg } from '../../look/svg.js';
import { healthColors, healthGlyph, isDown } from '../../stage/display-state.js';
import { momentOf } from '../../stage/scene.js';
import { figuresOf, type FigureRow, type Figures } from '../figures.js';
import { instancesByService } from '../instances.js';
import { timelineAxis, timelineOf, timelineWidth } from '../timeline.js';
import { element, prefixedPictureOf, setText } from './dom.js';
import { icon } from './icons.js';
import type { Player, View } from './player.js';

/** One instance, followed through the run: its state and figures now, and its whole life as a timeline. */
export const followPanel = (player: Player): HTMLElement => {
  const title = element('h2');
  const choice = element('select');
  const stop = element('button', { type: 'button', 'aria-keyshortcuts': 'Escape' }, icon('close'));
  const hint = element('p', { class: 'hint' });
  const body = element('div', { class: 'followed' });
  const timeline = element('div', { class: 'timeline' });
  const playhead = element('div', { class: 'playhead' });
  const cover = element('div', { class: 'cover' });
  choice.addEventListener('change', () => player.change({ followed: choice.value === '' ? null : choice.value }));
  stop.addEventListener('click', () => player.change({ followed: null }));
  timeline.addEventListener('click', (event) => {
    const box = timeline.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * timelineWidth - timelineAxis.left;
    player.seekMs((Math.max(0, Math.min(timelineAxis.width, share)) / timelineAxis.width) * player.scene.run.durationMs);
  });

  const fill = (view: View): void => {
    const words = replayWords[view.lang];
    setText(title, words.follow);
    setText(hint, words.followHint);
    stop.setAttribute('aria-label', words.unfollow);
    stop.title = `${words.unfollow} (Esc)`;
    choice.setAttribute('aria-label', words.follow);
    choice.replaceChildren(element('option', { value: '' }, words.nobody), ...instancesByService(player.scene).map(({ service, names }) => optionsOf(service, names)));
  };
  const drawTimeline = ({ followed, lang, theme }: View): void => {
    if (followed !== null) timeline.replaceChildren(prefixedPictureOf(toSvg(timelineOf(player.scene, followed, lang, theme)), 'timeline-'), cover, playhead);
  };
  const drawFigures = (view: View): void => {
    const { followed, tick, lang, theme, isPlaying, frame } = view;
    if (followed === null) return;
    // The very ticks that the stage takes its numbers over.
    const { window } = momentOf(player.study, view.variant, tick, { lang, theme, frame, speed: isPlaying ? player.speedAt(tick) : 1 });
    const figures = figuresOf(player.scene, followed, tick, window, lang);
    const length = span((window.to - window.from + 1) * player.scene.tickMs, lang);
    const isOne = window.from === window.to;
    body.replaceChildren(
      stateOf(figures, view),
      tableOf(figures.requests, replayWords[lang].requests, isOne ? stageWords[lang].thisTick(length.replace('\u00A0', ' ')) : stageWords[lang].lastTicks(length), replayWords[lang].wholeRun, view),
      tableOf(figures.levels, replayWords[lang].levels, isOne ? replayWords[lang].now : stageWords[lang].meanOf(length), replayWords[lang].highest, view),
    );
  };

  player.add((view, before) => {
    const isNew = view.variant !== before?.variant || view.lang !== before.lang;
    if (isNew) fill(view);
    choice.value = view.followed ?? '';
    const isFollowing = view.followed !== null;
    hint.hidden = isFollowing;
    for (const one of [stop, body, timeline]) one.hidden = !isFollowing;
    if (isNew || view.followed !== before.followed || view.theme !== before.theme) drawTimeline(view);
    drawFigures(view);
    const at = (100 * (timelineAxis.left + (timelineAxis.width * (view.tick + 1) * player.scene.tickMs) / player.scene.run.durationMs)) / timelineWidth;
    playhead.style.left = `${at}%`;
    cover.style.left = `${at}%`;
    cover.hidden = view.held === null;
  });
  return element('section', { class: 'follow' }, element('header', {}, title, choice, stop), hint, body, timeline);
};

const optionsOf = (service: string, names: readonly string[]): HTMLElement => {
  const options = names.map((name) => element('option', { value: name }, names.length === 1 ? service : `${service} #${splitSubject(name).instance}`));
  return names.length === 1 ? options[0] : element('optgroup', { label: service }, ...options);
};

const stateOf = ({ state, stateText }: Figures, { followed, theme }: View): HTMLElement => {
  const palette = themes[theme];
  const { service, instance } = splitSubject(followed!);
  const canvas = new Canvas(28, 28, { fill: palette.text, size: 12 });
  drawGlyph(canvas, healthGlyph(state), 14, 14, 24, { color: healthColors(palette, state).fill, cut: isDown(state) ? palette.onFailed : palette.s1, progress: 0.5 });
  const word = element('span', { class: 'state' }, stateText);
  word.style.color = healthColors(palette, state).text;
  return element('p', { class: 'who' }, prefixedPictureOf(toSvg(canvas.drawing()), 'state-'), element('b', {}, `${service} #${instance}`), word);
};

const tableOf = (rows: readonly FigureRow[], title: string, now: string, run: string, { theme, lang }: View): HTMLElement =>
  element(
    'table',
    {},
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, title), element('th', { scope: 'col' }, now), element('th', { scope: 'col' }, run))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, element('th', { scope: 'row' }, basisPicture(row.basis, replayWords[lang][row.basis], theme), row.label), element('td', {}, row.now), element('td', {}, row.run)))),
  );

const basisPicture = (basis: FigureRow['basis'], words: string, theme: View['theme']): SVGSVGElement => {
  const canvas = new Canvas(12, 12, { fill: themes[theme].text, size: 12 });
  drawBasis(canvas, basis, 6, 6, 12, themes[theme].text2);
  const picture = prefixedPictureOf(toSvg(canvas.drawing()), 'basis-');
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', words);
  return picture;
};
