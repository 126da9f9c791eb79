import { stageWords, type StageWords } from '../../../src/text/stage.js';
import { wrapped } from '../fit.js';

/** Type of what stands under an instance's number, and from line to line. */
export const wordSize = 16;
export const wordPitch = 18;
/** Most lines that a lane keeps for them. */
const linesMost = 4;

/** State and why, in lines; what does not fit whole is left out, not cut. */
export const wordsIn = (state: string, detail: string, room: number, most: number): { readonly state: readonly string[]; readonly detail: readonly string[] } => {
  const [first, rest] = [wrapped(state, wordSize, 600, room), wrapped(detail, wordSize, 400, room)];
  return { state: first, detail: first.length + rest.length <= most ? rest : [] };
};

/** Lines that a lane so wide keeps for the longest that it ever says, in either language. */
export const wordLines = (room: number): number => Math.min(linesMost, Math.max(...Object.values(stageWords).flatMap((words) => longest(words).map(([state, detail]) => wrapped(state, wordSize, 600, room).length + wrapped(detail, wordSize, 400, room).length))));

const longest = ({ state, detail }: StageWords): readonly (readonly [string, string])[] => [
  [state.saturated, detail.quota('100%')],
  [state.saturated, detail.warming('8:88')],
  [state.killed, detail.killed('88.88 GiB')],
  [state.crashed, detail.crashed],
  [state.restarting, detail.restarting('8:88')],
  [state.dead, detail.gone],
  [state.ejected, detail.outlier],
  [state.ejected, detail.checks(8, 8)],
  [state.booting, detail.booting(true)],
  [state.draining, detail.draining('888')],
  [state.off, detail.off(6)],
  [state.frozen, detail.frozen],
];
