/** Text of a scenario, made harmless for a terminal: control characters become their pictures, and nothing may turn the direction of writing. */
export const plain = (text: string): string =>
  text
    .replace(/[\r\n\t\u00a0]+/g, ' ')
     
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCodePoint(0x2400 + character.codePointAt(0)!))
    .replace(/\u007f/g, '\u2421')
    .replace(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g, '\ufffd');

/** Cells that a terminal gives a text: Hangul, other East Asian wide characters and emoji take two, combining marks none. */
export const cells = (text: string): number => {
  let sum = 0;
  for (const character of text) sum += /\p{Mn}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return sum;
};

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - cells(text)));
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - cells(text))) + text;

const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
