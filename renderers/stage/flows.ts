import { numberAt } from '../../src/study/columns.js';
import type { PictureLink } from '../../src/study/types.js';
import type { Palette } from '../look/palette.js';
import type { Band } from './ribbon.js';
import { addOutcomes, flowOf, type Flow, type Moment, type Scene } from './scene.js';

/** Calls sent over a link (or to, or from, one instance of it), and how those that ended in the same ticks ended. */
export interface LinkFlow {
  readonly sent: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
}

/** `reached`: only what some target was sent; what a pool, a breaker or an empty rotation turned away at the caller is left out. */
type Side = { readonly target: number } | { readonly caller: number } | 'all' | 'reached';

/** Sums of ticks `from` to `to` inclusive. */
export const linkFlow = (scene: Scene, link: PictureLink, side: Side, from: number, to: number): LinkFlow => {
  const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
  const flow = { sent: 0, good: 0, declined: 0, refused: 0, failed: 0 };
  if (!columns) return flow;
  const parts = side === 'all' ? columns.callers : side === 'reached' ? columns.targets : 'target' in side ? columns.targets.slice(side.target, side.target + 1) : columns.callers.slice(side.caller, side.caller + 1);
  for (const part of parts)
    for (let tick = from; tick <= to; tick++) {
      flow.sent += numberAt(part.sent, tick);
      addOutcomes(flow, part, tick);
    }
  return flow;
};

export const addFlow = (a: LinkFlow, b: LinkFlow): LinkFlow => ({ sent: a.sent + b.sent, good: a.good + b.good, declined: a.declined + b.declined, refused: a.refused + b.refused, failed: a.failed + b.failed });

/** What numbers on a link say, and its ribbon shows: the flow of the moment's window. */
export const flowInWindow = ({ scene, window }: Pick<Moment, 'scene' | 'window'>, link: PictureLink, side: Side): LinkFlow => linkFlow(scene, link, side, window.from, window.to);

/** So long a share stands when nothing more ended: after that the source is silent. */
const shareStands = { ms: 30_000, ticks: 10 } as const;

/** How what a source sent ended: in the moment's window, or where nothing ended there, in the last tick in which something did; of a source that sends little, the share would come and go otherwise. */
export const endedOf = ({ scene, window }: Pick<Moment, 'scene' | 'window'>, traffic: string): Flow => {
  const ended = ({ good, declined, refused, failed }: Flow): boolean => good + declined + refused + failed > 0;
  const now = flowOf(scene.run, window.from, window.to, traffic);
  for (let tick = window.from - 1, left = Math.min(shareStands.ticks, shareStands.ms / scene.tickMs); !ended(now) && tick >= 0 && left > 0; tick--, left--) {
    const before = flowOf(scene.run, tick, tick, traffic);
    if (ended(before)) return before;
  }
  return now;
};

/** Seconds that the numbers of a moment are taken over. */
export const windowS = ({ window, scene }: Moment): number => ((window.to - window.from + 1) * scene.tickMs) / 1000;

const ribbonLeast = 3;

/** Width of a ribbon for so many calls a second. */
export const ribbonWidth = (scene: Scene, sentPerS: number): number => Math.max(ribbonLeast, sentPerS * scene.pxPerS);

/** Bands good (declined with it), refused, failed by how the calls ended; all good while none has ended yet. */
export const outcomeBands = (flow: LinkFlow, width: number, palette: Palette): readonly Band[] => {
  const ended = flow.good + flow.declined + flow.refused + flow.failed;
  const part = (value: number): number => (ended === 0 ? 0 : (width * value) / ended);
  if (ended === 0) return [{ width, fill: palette.trunk }];
  return [
    { width: part(flow.good + flow.declined), fill: palette.goodArea },
    { width: part(flow.refused), fill: palette.refusedArea },
    { width: part(flow.failed), fill: palette.failed },
  ];
};

export const linkOf = (scene: Scene, caller: string, callee: string): PictureLink | undefined => scene.run.system.links.find((link) => link.caller === caller && link.callee === callee);
