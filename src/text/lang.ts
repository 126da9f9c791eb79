import type { Lang } from '../scenario/model.js';

/** The languages of film, report and terminal; the first is the default. */
export const langs = ['en', 'ko'] as const satisfies readonly Lang[];

export const isLang = (text: string): text is Lang => (langs as readonly string[]).includes(text);
