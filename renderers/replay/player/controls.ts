import { replayWords, type ReplayWords } from '../../../src/text/replay.js';
import { clock } from '../../look/numbers.js';
import { element, setText } from './dom.js';
import { icon, setIcon, type Icon } from './icons.js';
import { speeds, type Player, type Speed } from './player.js';
import { scrubber } from './scrubber.js';

/** What is done with the replay as a whole; keys and buttons call the same. */
export interface Deeds {
  readonly slower: () => void;
  readonly faster: () => void;
  readonly nextVariant: () => void;
  readonly otherLang: () => void;
  readonly otherTheme: () => void;
  readonly aside: () => void;
  readonly fullScreen: () => void;
  readonly showKeys: () => void;
}

export const deedsOf = (player: Player, showKeys: () => void): Deeds => {
  const atSpeed = (by: number): void => player.change({ speed: speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(player.view.speed) + by))] });
  const variants = Object.keys(player.study.runs);
  return {
    slower: () => atSpeed(-1),
    faster: () => atSpeed(1),
    nextVariant: () => player.change({ variant: variants[(variants.indexOf(player.view.variant) + 1) % variants.length] }),
    otherLang: () => player.change({ lang: player.view.lang === 'en' ? 'ko' : 'en' }),
    otherTheme: () => player.change({ theme: player.view.theme === 'dark' ? 'light' : 'dark' }),
    aside: () => player.change({ isAside: !player.view.isAside }),
    fullScreen: () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined),
    showKeys,
  };
};

/** The slider of time and the row of buttons under it. */
export const controls = (player: Player, deeds: Deeds): HTMLElement => {
  const button = (name: Icon & keyof ReplayWords, key: string, press: () => void): HTMLButtonElement => {
    const made = element('button', { type: 'button', 'aria-keyshortcuts': key }, icon(name));
    made.addEventListener('click', press);
    named.push([made, (words) => words[name] as string, key]);
    return made;
  };
  const named: [HTMLElement, (words: ReplayWords) => string, string][] = [];
  const play = button('play', 'Space', () => player.toggle());
  const theme = element('button', { type: 'button', 'aria-keyshortcuts': 't' }, icon('theme'));
  theme.addEventListener('click', deeds.otherTheme);
  const lang = element('button', { type: 'button', class: 'word', 'aria-keyshortcuts': 'l' });
  lang.addEventListener('click', deeds.otherLang);
  const keys = element('button', { type: 'button', class: 'word', 'aria-keyshortcuts': '?' }, '?');
  keys.addEventListener('click', deeds.showKeys);
  named.push([keys, (words) => words.keys, '?']);
  const time = element('span', { class: 'time' });
  const speed = element('select', { class: 'speed' });
  speed.addEventListener('change', () => player.change({ speed: speedOf(speed.value) }));
  const variants = Object.keys(player.study.runs);
  const variant = element('select', { class: 'variant' }, ...variants.map((name) => element('option', { value: name }, name)));
  variant.hidden = variants.length < 2;
  variant.addEventListener('change', () => player.change({ variant: variant.value }));
  named.push([speed, (words) => words.speed, '-  +'], [variant, (words) => words.variant, 'v']);
  const steps = [
    button('start', 'Home', () => player.step(-Infinity)),
    button('previousEvent', 'p', () => player.toEvent(-1)),
    button('back', 'ArrowLeft', () => player.step(-1)),
    play,
    button('forward', 'ArrowRight', () => player.step(1)),
    button('nextEvent', 'n', () => player.toEvent(1)),
    button('end', 'End', () => player.step(Infinity)),
  ];
  const aside = button('aside', 'e', deeds.aside);
  aside.classList.add('aside');
  const fullScreen = button('fullScreen', 'f', deeds.fullScreen);
  fullScreen.hidden = !document.fullscreenEnabled;

  player.add((view, before) => {
    const words = replayWords[view.lang];
    if (view.lang !== before?.lang) {
      for (const [made, say, key] of named) nameIt(made, say(words), key);
      setText(lang, words.toOtherLanguage);
      lang.setAttribute('lang', view.lang === 'en' ? 'ko' : 'en');
      speed.replaceChildren(...speeds.map((one) => element('option', { value: String(one) }, one === 'film' ? words.filmPace : `${one}×`)));
    }
    if (view.lang !== before?.lang || view.theme !== before.theme) nameIt(theme, words.theme[view.theme === 'dark' ? 'light' : 'dark'], 't');
    speed.value = String(view.speed);
    variant.value = view.variant;
    aside.setAttribute('aria-pressed', String(view.isAside));
    setIcon(play, view.isPlaying ? 'pause' : 'play');
    nameIt(play, view.held !== null ? words.answer : view.isPlaying ? words.pause : words.play, 'Space');
    setText(time, `${clock(player.shownTick * player.scene.tickMs)} / ${clock(player.scene.run.durationMs)}`);
  });
  return element(
    'section',
    { class: 'controls' },
    element('div', { class: 'bar' }, scrubber(player), element('div', { class: 'steps' }, ...steps)),
    element('div', { class: 'options' }, time, speed, variant, element('div', { class: 'rest' }, lang, theme, aside, fullScreen, keys)),
  );
};

const speedOf = (text: string): Speed => speeds.find((one) => String(one) === text) ?? 1;

const keyNames: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' };
const nameIt = (made: HTMLElement, name: string, key: string): void => {
  if (made.getAttribute('aria-label') === name) return;
  made.setAttribute('aria-label', name);
  made.title = `${name} (${keyNames[key] ?? key})`;
};
