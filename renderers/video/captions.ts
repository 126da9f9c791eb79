import type { Reel } from './reel.js';

/** Captions as WebVTT, at the top of the picture: the lower part holds the strip of the past. */
export const webVtt = ({ captions, lang }: Pick<Reel, 'captions' | 'lang'>): string =>
  [`WEBVTT\nLanguage: ${lang}`, ...captions.map(({ fromMs, toMs, text }, index) => `${index + 1}\n${cueTime(fromMs)} --> ${cueTime(toMs)} line:5%\n${cueText(text)}`)].join('\n\n') + '\n';

/** `00:01:02.345`. */
const cueTime = (ms: number): string => {
  const whole = Math.round(ms);
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0');
  return `${part(Math.floor(whole / 3_600_000))}:${part(Math.floor(whole / 60_000) % 60)}:${part(Math.floor(whole / 1000) % 60)}.${part(whole % 1000, 3)}`;
};

/** `<x>` would be eaten as a tag, an empty line would end the cue. */
const cueText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
