import type { Lang } from '../../src/scenario/model.js';
import { nbsp } from './numbers.js';

/** Time that is left, rounded up: `2:56`, below a minute `11 s`, in Korean `11초`. */
export const countdown = (ms: number, lang: Lang): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds}${lang === 'ko' ? '초' : `${nbsp}s`}` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
