/** Simulated time as the film's clock shows it: `08:04`, from an hour on `1:08:04`. Whole seconds, cut off. */
export const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
};

/** Time that is left, rounded up: `2:56`, below a minute `11 s`; Korean `11초`. */
export const countdown = (ms: number, lang: 'en' | 'ko' = 'en'): string => {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds}${lang === 'ko' ? '초' : ' s'}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
};

const two = (n: number): string => String(n).padStart(2, '0');
