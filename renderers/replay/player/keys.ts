import { replayWords, type HelpKey } from '../../../src/text/replay.js';
import type { Deeds } from './controls.js';
import { element } from './dom.js';
import type { Player } from './player.js';

/** Keys by their place on the keyboard, so that they work while a Korean layout is on. */
export const listenToKeys = (player: Player, deeds: Deeds): void => {
  const leap = (ms: number): void => player.step(Math.round(ms / player.scene.tickMs));
  const byCode: Readonly<Record<string, (shift: boolean) => void>> = {
    Space: () => player.toggle(),
    KeyK: () => player.toggle(),
    ArrowLeft: (shift) => (shift ? leap(-leapMs) : player.step(-1)),
    ArrowRight: (shift) => (shift ? leap(leapMs) : player.step(1)),
    Home: () => player.step(-Infinity),
    End: () => player.step(Infinity),
    KeyP: () => player.toEvent(-1),
    BracketLeft: () => player.toEvent(-1),
    KeyN: () => player.toEvent(1),
    BracketRight: () => player.toEvent(1),
    Minus: deeds.slower,
    NumpadSubtract: deeds.slower,
    Equal: deeds.faster,
    NumpadAdd: deeds.faster,
    Escape: () => player.change({ followed: null }),
    KeyV: deeds.nextVariant,
    KeyL: deeds.otherLang,
    KeyT: deeds.otherTheme,
    KeyE: deeds.aside,
    KeyF: deeds.fullScreen,
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target as Element;
    // What a focused control does with a key of its own is left to it.
    if (target instanceof HTMLSelectElement) return;
    if (target instanceof HTMLButtonElement && (event.code === 'Space' || event.code === 'Enter')) return;
    const press = event.key === '?' || (event.code === 'Slash' && event.shiftKey) ? deeds.showKeys : byCode[event.code];
    if (!press) return;
    event.preventDefault();
    press(event.shiftKey);
  });
};
const leapMs = 10_000;

const shown: readonly (readonly [HelpKey, readonly string[]])[] = [
  ['play', ['Space', 'K']],
  ['step', ['←', '→']],
  ['leap', ['Shift ←', 'Shift →']],
  ['ends', ['Home', 'End']],
  ['events', ['P', 'N', '[', ']']],
  ['speed', ['-', '+']],
  ['unfollow', ['Esc']],
  ['variant', ['V']],
  ['lang', ['L']],
  ['theme', ['T']],
  ['aside', ['E']],
  ['fullScreen', ['F']],
  ['keys', ['?']],
];

/** The list of keys, and how to open it. */
export const keyHelp = (player: Player): { readonly dialog: HTMLElement; readonly open: () => void } => {
  const close = element('button', { type: 'button', class: 'word' });
  const dialog = element('dialog', { class: 'keys' });
  close.addEventListener('click', () => dialog.close());
  player.add((view, before) => {
    if (view.lang === before?.lang) return;
    const words = replayWords[view.lang];
    dialog.setAttribute('aria-label', words.keys);
    close.replaceChildren(words.close);
    const rows = shown.map(([name, keys]) => element('div', {}, element('dt', {}, ...keys.map((key) => element('kbd', {}, key))), element('dd', {}, words.help[name])));
    dialog.replaceChildren(element('header', {}, element('h2', {}, words.keys), close), element('dl', {}, ...rows));
  });
  return { dialog, open: () => dialog.showModal() };
};
