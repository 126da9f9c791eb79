import { clock } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import type { Scene } from './scene.js';

/** The line under a strip: phases with when they begin, and when the run ends. */
export interface PhaseLabels {
  readonly labels: readonly { readonly left: number; readonly at: string; readonly name: string }[];
  /** Null where the name of the last phase needs its place. */
  readonly end: string | null;
}

const gap = 12;

export const phaseLabels = ({ run, phases }: Scene, { left: from, right, size }: { readonly left: number; readonly right: number; readonly size: number }): PhaseLabels => {
  const x = (ms: number): number => from + ((right - from) * ms) / run.durationMs;
  const end = clock(run.durationMs);
  const endFrom = right - textWidth(end, size) - gap;
  const labels: PhaseLabels['labels'][number][] = [];
  let free = from;
  let isEndFree = true;
  for (const { name, fromMs, toMs } of phases) {
    const left = x(fromMs);
    if (left < free) continue;
    const at = clock(fromMs);
    const width = textWidth(`${at} `, size) + textWidth(name, size, 600);
    const next = phases.find((other) => other.fromMs >= toMs);
    // The last one's name is worth more than the end, which the header has as well; where it is near the end, it ends there.
    if (!next && left + width > endFrom && right - width >= free) {
      labels.push({ left: Math.min(left, right - width), at, name });
      isEndFree = false;
      continue;
    }
    // The name may stand beyond a short phase, up to the next one.
    const room = Math.min(endFrom, next ? x(next.fromMs) - gap : Infinity, Math.max(x(toMs) + 60, left + 220)) - left - textWidth(`${at} `, size);
    if (room < 0) continue;
    // A part of a name says less than none: several of them may begin alike, and the header has it.
    const shown = textWidth(name, size, 600) <= room ? name : '';
    labels.push({ left, at, name: shown });
    free = left + textWidth(`${at} `, size) + textWidth(shown, size, 600) + gap;
  }
  return { labels, end: isEndFree ? end : null };
};
