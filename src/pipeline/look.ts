import type { Paper } from '../../renderers/pdf/paper.js';
import type { Lang, Study } from '../study/types.js';

/** How film and report look; nothing of it changes a figure. */
export interface Look {
  /** The variant that is filmed and printed; the first when absent. */
  readonly variant?: string;
  readonly lang: Lang;
  readonly theme: 'dark' | 'light';
  /** Of the report; A4 when absent. */
  readonly paper?: Paper | undefined;
  readonly width: number;
  readonly height: number;
  /** Film frames per second. */
  readonly fps: number;
  /** Length of the film, ms; what the pacing of the scenario gives when absent. */
  readonly durationMs?: number | undefined;
  /** Most browsers side by side; what memory and cores allow when absent. */
  readonly jobs?: number | undefined;
  /** Only this way of capture; the fastest that shows the right picture when absent. */
  readonly camera?: 'canvas' | 'screenshot' | undefined;
}

export const defaultLook = { lang: 'en', theme: 'dark', paper: 'a4', width: 1920, height: 1080, fps: 30 } as const satisfies Look;

/** The reference: what is filmed and printed unless another variant is asked for. */
export const firstVariant = (study: Study): string => Object.keys(study.runs)[0];
