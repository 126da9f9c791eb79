import { readAddress, writeAddress } from '../address.js';
import type { Player, View } from './player.js';

/** Takes what the address says, as far as it goes. */
export const fromAddress = (hash: string, study: Player['study']): Partial<View> => {
  const { t, variant, followed, lang, theme } = readAddress(hash);
  return {
    ...(variant !== undefined && Object.hasOwn(study.runs, variant) && { variant }),
    ...(t !== undefined && { tick: Math.floor((t * 1000) / study.scenario.tickMs + 1e-6) }),
    ...(followed !== undefined && { followed }),
    ...(lang && { lang }),
    ...(theme && { theme }),
  };
};

/** Keeps the moment in the address, so that it can be linked; and goes where a changed address says. */
export const keepAddress = (player: Player, made: Pick<View, 'lang' | 'theme'>): void => {
  let written = location.hash;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    const { variant, tick, lang, theme, followed } = player.view;
    const hash = writeAddress({
      t: (tick * player.study.scenario.tickMs) / 1000,
      variant,
      ...(followed !== null && { followed }),
      ...(lang !== made.lang && { lang }),
      ...(theme !== made.theme && { theme }),
    });
    if (hash === written) return;
    written = hash;
    history.replaceState(null, '', hash);
  };
  player.add((view) => {
    clearTimeout(waiting);
    // Browsers allow so many changes of an address and no more: the last of a burst, and none while playing.
    if (!view.isPlaying) waiting = setTimeout(write, 200);
  });
  addEventListener('hashchange', () => {
    if (location.hash === written) return;
    written = location.hash;
    player.change({ ...fromAddress(location.hash, player.study), held: null, isPlaying: false });
  });
};
