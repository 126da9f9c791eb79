import type { Lang, Study } from '../study/types.js';

/** How film and report look; nothing of it changes a figure. */
export interface Look {
  /** The variant that is filmed and printed; the first when absent. */
  readonly variant?: string;
  readonly lang: Lang;
  readonly theme: 'dark' | 'light';
  readonly width: number;
  readonly height: number;
  /** Film frames per second. */
  readonly fps: number;
}

export const defaultLook = { lang: 'en', theme: 'dark', width: 1920, height: 1080, fps: 30 } as const satisfies Look;

/** The reference: what is filmed and printed unless another variant is asked for. */
export const firstVariant = (study: Study): string => Object.keys(study.runs)[0];
