/**
 * Every character that can come up in a replay, in order of their code points: those that the script writes out (its texts in all languages are in it),
 * those of the study, and printable ASCII, which numbers are made of.
 */
export const charactersOf = (script: string, study: string): readonly string[] => {
  const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
  const all = new Set([...ascii, ...withoutEscapes(script), ...study]);
  return [...all].filter((character) => character >= ' ').toSorted((a, b) => a.codePointAt(0)! - b.codePointAt(0)!);
};

/** Characters that a script names by number are there as well. */
const withoutEscapes = (script: string): string =>
  script.replace(/\\u\{([\dA-Fa-f]{1,6})\}|\\u([\dA-Fa-f]{4})|\\x([\dA-Fa-f]{2})/g, (_, long?: string, short?: string, byte?: string) => String.fromCodePoint(Number.parseInt(long ?? short ?? byte!, 16)));
