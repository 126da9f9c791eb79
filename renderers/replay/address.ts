import { langs } from '../../src/text/lang.js';
import type { Lang } from '../../src/study/types.js';
import type { Theme } from '../look/palette.js';

/** What a link into a replay says: `#t=484&v=as-it-is&i=order-api.2`. Absent = as the file was made. */
export interface Address {
  /** Simulated time, s. */
  readonly t?: number;
  readonly variant?: string;
  /** An instance that is followed: `order-api.2`. */
  readonly followed?: string;
  readonly lang?: Lang;
  readonly theme?: Theme;
}

/** Reads what is after the `#`; what makes no sense is left out. */
export const readAddress = (hash: string): Address => {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const [t, variant, followed, lang, theme] = ['t', 'v', 'i', 'lang', 'theme'].map((key) => parts.get(key));
  return {
    ...(t && Number.isFinite(Number(t)) && Number(t) >= 0 && { t: Number(t) }),
    ...(variant && { variant }),
    ...(followed && { followed }),
    ...(langs.includes(lang as Lang) && { lang: lang as Lang }),
    ...((theme === 'dark' || theme === 'light') && { theme }),
  };
};

export const writeAddress = ({ t, variant, followed, lang, theme }: Address): string => {
  const parts = new URLSearchParams();
  if (t !== undefined) parts.set('t', String(t));
  if (variant !== undefined) parts.set('v', variant);
  if (followed !== undefined) parts.set('i', followed);
  if (lang !== undefined) parts.set('lang', lang);
  if (theme !== undefined) parts.set('theme', theme);
  return `#${parts.toString()}`;
};
