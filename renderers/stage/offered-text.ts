import { span } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { windowS } from './flows.js';
import type { Moment } from './scene.js';

/** Under a source's rate: that it is what is offered, and over what time, where that is more than a tick and there is room; the table of outcomes says it as well. */
export const offeredText = (moment: Moment, size: number, room: number): string => {
  const { words, window, lang } = moment;
  if (window.from === window.to) return words.offered;
  const text = words.offeredMean(span(windowS(moment) * 1000, lang));
  return textWidth(text, size, 400) <= room ? text : words.offered;
};
