/** As many whole lines as there is room for, and behind them, where some were left out, a word of that. */
export const fitting = (text, room, sizeOf, word) => {
  if (sizeOf(text) <= room) return text;
  const ending = `\n\n${word}\n`;
  const kept = [];
  let left = room - sizeOf(ending);
  for (const line of text.split('\n')) {
    left -= sizeOf(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return `${kept.join('\n').trimEnd()}${ending}`;
};

export const bytesOf = (text) => Buffer.byteLength(text);
/** What GitHub counts may be less: a character beyond the first 65,536 is two here. */
export const charactersOf = (text) => text.length;
