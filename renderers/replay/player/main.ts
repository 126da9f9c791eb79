import type { Lang, Study } from '../../../src/study/types.js';
import { replayWords } from '../../../src/text/replay.js';
import type { Theme } from '../../look/palette.js';
import { frameFor } from '../../stage/frame.js';
import { controls, deedsOf } from './controls.js';
import { element } from './dom.js';
import { eventList } from './event-list.js';
import { followPanel } from './follow-panel.js';
import { keyHelp, listenToKeys } from './keys.js';
import { fromAddress, keepAddress } from './links.js';
import { Player } from './player.js';
import { stageView } from './stage-view.js';

/** The study that the page carries, unpacked. */
const carriedStudy = async (): Promise<Study> => {
  const packed = Uint8Array.from(atob(document.querySelector('#study')!.textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as Study;
};

/** From this width on there is room beside the stage. */
const roomyPx = 1400;
/** Up to this width everything stands under the stage, as the style has it. */
const narrowPx = 1000;

const start = async (): Promise<void> => {
  const root = document.documentElement;
  const study = await carriedStudy();
  const made = { lang: root.lang as Lang, theme: root.dataset['theme'] as Theme };
  const player = new Player(study, { variant: root.dataset['variant']!, tick: 0, ...made, frame: frameFor(innerWidth, innerHeight), speed: 1, isPlaying: false, held: null, followed: null, part: null, isAside: innerWidth >= roomyPx || innerWidth <= narrowPx, ...fromAddress(location.hash, study) });
  const help = keyHelp(player);
  const deeds = deedsOf(player, help.open);
  addEventListener('resize', () => {
    player.change({ frame: frameFor(innerWidth, innerHeight) });
  });
  player.add(({ lang, theme, frame, held, isAside, followed }, before) => {
    root.lang = lang;
    root.dataset['theme'] = theme;
    root.classList.toggle('held', held !== null);
    root.classList.toggle('aside', isAside);
    if (followed !== null && followed !== before?.followed && !isAside) player.change({ isAside: true });
    root.classList.toggle('portrait', frame.name === 'portrait');
    document.title = replayWords[lang].title(study.scenario.title[lang]);
  });
  const main = element('main', {}, stageView(player), controls(player, deeds), element('aside', {}, followPanel(player), eventList(player)));
  listenToKeys(player, deeds);
  keepAddress(player, made);
  // Widths are measured in the fonts of the page: nothing is drawn in another one.
  await Promise.all([...document.fonts].map((font) => font.load()));
  document.querySelector('#loading')?.remove();
  document.body.prepend(main, help.dialog);
  player.start();
};

void start();
