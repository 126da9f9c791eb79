import type { Lang } from '../study/types.js';

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
  /** False only when the user said so: some containers cannot start the browser's sandbox. */
  readonly sandbox: boolean;
}
