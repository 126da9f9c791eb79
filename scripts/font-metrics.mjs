// Writes renderers/look/font-metrics.ts from the bundled fonts: advance widths with tabular figures, and what the fonts cover.
// Run after the fonts change: node scripts/font-metrics.mjs
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const fontkit = createRequire(import.meta.url)('fontkit');
const weights = { 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold', 800: 'ExtraBold' };
const fonts = Object.fromEntries(
  Object.entries(weights).map(([weight, name]) => [
    weight,
    fontkit.create(brotliDecompressSync(readFileSync(new URL(`../templates/fonts/Pretendard-${name}.ttf.br`, import.meta.url)))),
  ]),
);
const unit = fonts[400].unitsPerEm;
const features = ['tnum', 'kern'];
const widthOf = (font, text) => font.layout(text, features).advanceWidth;

const covered = fonts[400].characterSet.filter((code) => Object.values(fonts).every((font) => font.hasGlyphForCodePoint(code))).sort((a, b) => a - b);
const ranges = [];
for (const code of covered) {
  const last = ranges.at(-1);
  if (last && code === last[1] + 1) last[1] = code;
  else ranges.push([code, code]);
}

// Advance widths as runs of equal width over the covered code points: Hangul collapses into one run.
const runsOf = (font) => {
  const runs = [];
  for (const code of covered) {
    if (code < 32) continue;
    const width = widthOf(font, String.fromCodePoint(code));
    const last = runs.at(-1);
    if (last && last[1] === width && covered.indexOf(code) === covered.indexOf(last[2]) + 1) last[2] = code;
    else runs.push([code, width, code]);
  }
  return runs;
};

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const kernsOf = (font) => {
  const single = Object.fromEntries(ascii.map((char) => [char, widthOf(font, char)]));
  const kerns = {};
  for (const a of ascii)
    for (const b of ascii) {
      const kern = widthOf(font, a + b) - single[a] - single[b];
      if (kern !== 0) (kerns[kern] ??= []).push(a + b);
    }
  return Object.entries(kerns).map(([kern, pairs]) => [Number(kern), pairs.join('')]);
};

const position = new Map(covered.map((code, index) => [code, index]));
covered.indexOf = (code) => position.get(code);
const body = Object.entries(fonts)
  .map(([weight, font]) => `  ${weight}: {\n    advances: ${JSON.stringify(runsOf(font).map(([code, width]) => [code, width]))},\n    kerns: ${JSON.stringify(kernsOf(font))},\n  },`)
  .join('\n');
writeFileSync(
  new URL('../renderers/look/font-metrics.ts', import.meta.url),
  `// Written by scripts/font-metrics.mjs from templates/fonts; do not edit.
export const unitsPerEm = ${unit};
export const ascent = ${fonts[400].ascent};
export const descent = ${fonts[400].descent};
export const capHeight = ${fonts[400].capHeight};
/** Code points that every weight covers, as inclusive ranges. */
export const coverage: readonly (readonly [number, number])[] = ${JSON.stringify(ranges)};
/** By weight. advances: [first code point, width] runs; the width holds for covered code points up to the next run. kerns: [adjustment, pairs of ASCII characters joined]. */
export const metrics: Readonly<Record<number, { advances: readonly (readonly [number, number])[]; kerns: readonly (readonly [number, string])[] }>> = {
${body}
};
`,
);
