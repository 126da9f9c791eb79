/**
 * A Korean particle by the last sound of the word before it: `particle('#2', '이/가')` → `가`.
 * Digits and Latin letters are taken as they are read out; a Latin word counts as ending in a consonant after l, m, n, ng, and after a short stop: membership, app, traffic, bot, checkout, webhook, lock, web, job.
 */
export const particle = (word: string, pair: '은/는' | '이/가' | '을/를' | '과/와' | '으로/로'): string => {
  const [closed, open] = pair.split('/') as [string, string];
  const last = word.at(-1) ?? '';
  const code = last.codePointAt(0) ?? 0;
  const final = code >= 0xac00 && code <= 0xd7a3 ? (code - 0xac00) % 28 : null;
  // ㄹ (8) takes 로, not 으로; so do 1, 7, 8 (일, 칠, 팔) and l.
  if (pair === '으로/로' && (final === 8 || /[178l]/i.test(last))) return open;
  const isClosed = final === null ? /(?:[0136-8lmn]|ng|[aeiou](?:pp?|c|ck)|(?:^|[^aeiou])[aeiou]t|out|ook|web|job)$/i.test(word) : final !== 0;
  return isClosed ? closed : open;
};

/** A word with its particle: `#2가`. */
export const withParticle = (word: string, pair: Parameters<typeof particle>[1]): string => word + particle(word, pair);
