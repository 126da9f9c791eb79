import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../renderers/browser/find.js';
import type { FontFile } from '../../renderers/browser/fonts.js';
import { launch } from '../../renderers/browser/launch.js';
import { openPage } from '../../renderers/browser/page.js';
import { charactersOf } from '../../renderers/replay/characters.js';
import { loadSubsetter } from '../../renderers/replay/subset.js';
import { toWoff2 } from '../../renderers/replay/woff2.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { frameSvg } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { toSvg } from '../../renderers/look/svg.js';
import { realHost } from '../../src/host.js';
import { temporaryFolder } from '../browser/machine.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { fonts, htmlOf, templates } from './opened.js';

const host = realHost();
const study = scriptedStudy();
const subset = await loadSubsetter(host);
const characters = charactersOf(templates.script, JSON.stringify(study));
const cut: readonly FontFile[] = fonts.map(({ weight, bytes }) => ({ weight, bytes: toWoff2(subset(bytes, characters)) }));

const picturesWith = async (files: readonly FontFile[], svgs: readonly string[]): Promise<Buffer[]> => {
  const browser = await launch(await findBrowser(host), { host: { ...host, tmpdir: await temporaryFolder() }, onNotice: () => undefined });
  try {
    const page = await openPage(browser, { host, fonts: files, width: 1920, height: 1080 });
    await page.screenshot();
    const pictures: Buffer[] = [];
    for (const svg of svgs) {
      await page.show(svg);
      pictures.push(await page.screenshot());
    }
    return pictures;
  } finally {
    await browser.close();
  }
};

describe('the fonts of a replay', { timeout: 180_000 }, () => {
  test('draw the same pixels as the whole ones', async () => {
    const frames = (['en', 'ko'] as const).flatMap((lang) => [12, 31, 47, 90].map((tick) => frameSvg(study, 'as-it-is', tick, { lang, theme: 'dark' })));
    const kerned = `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" font-family="Pretendard" fill="#fff">${[400, 500, 600, 700, 800].map((weight, i) => `<text x="40" y="${120 + i * 130}" font-size="90" font-weight="${weight}">AVATo LTy 11:47 1/7 처리 한계 ≈ ×</text>`).join('')}</svg>`;
    const [whole, part] = [await picturesWith(fonts, [...frames, kerned]), await picturesWith(cut, [...frames, kerned])];
    expect(whole.map((picture, i) => picture.equals(part[i]))).toEqual(whole.map(() => true));
  });

  test('hold every character of every picture, in both languages', () => {
    const known = new Set(characters);
    for (const variant of Object.keys(study.runs))
      for (const lang of ['en', 'ko'] as const) {
        const stops = stopsInRun(study, variant);
        const cards = stops.map(({ stop, tick }, i) => toSvg(questionCard(study, variant, { stop, tick, number: i + 1, of: stops.length, passedS: null }, { lang, theme: 'dark' })));
        for (const svg of [...cards, ...Array.from({ length: 120 }, (_, tick) => frameSvg(study, variant, tick, { lang, theme: 'dark', speed: (tick % 8) + 1 }))])
          expect([...svg].filter((character) => character !== '\n' && !known.has(character))).toEqual([]);
      }
  });

  test('are a small part of the whole, with tabular figures and kerning, and without the name that is reserved for it', () => {
    const font = create(Buffer.from(subset(fonts[0].bytes, characters))) as Font;
    const all = create(Buffer.from(fonts[0].bytes)) as Font;
    for (const text of ['AVA 17', '처리 한계 9/24']) {
      const widths = (of: Font): number[] => of.layout(text, ['tnum', 'kern']).positions.map(({ xAdvance }) => xAdvance);
      expect(widths(font)).toEqual(widths(all));
    }
    expect(new Set(font.layout('0123456789', ['tnum']).positions.map(({ xAdvance }) => xAdvance)).size).toBe(1);
    expect(font.hasGlyphForCodePoint('뷁'.codePointAt(0)!)).toBe(false);
    expect(font.familyName ?? '').not.toContain('Pretendard');
    expect(cut.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(400_000);
  });

  test('can be read by others: a WOFF2 of ours gives back its tables', () => {
    const [font, bytes] = [subset(fonts[0].bytes, ['A', '가', '1']), toWoff2(subset(fonts[0].bytes, ['A', '가', '1']))];
    expect(Buffer.from(bytes.subarray(0, 4)).toString('latin1')).toBe('wOF2');
    expect(Buffer.from(bytes).readUInt32BE(8)).toBe(bytes.length);
    expect(Buffer.from(bytes).readUInt32BE(16)).toBe(font.length);
    expect((create(Buffer.from(bytes)) as Font).glyphForCodePoint('가'.codePointAt(0)!).advanceWidth).toBe((create(Buffer.from(font)) as Font).glyphForCodePoint('가'.codePointAt(0)!).advanceWidth);
  });
});

describe('charactersOf', () => {
  test('takes literals and escapes of the script, the texts of the study, and ASCII', () => {
    const found = charactersOf(String.raw`"한" + "\u2212\xd7\u{1F600}"`, '{"title":"글"}');
    for (const character of ['한', '글', '−', '×', '😀', ' ', '~', '0']) expect(found).toContain(character);
    expect(found).not.toContain('\n');
  });
});

describe('the file', () => {
  test('has the same bytes every time, and others for another look', async () => {
    const [first, second, korean] = [await htmlOf(study), await htmlOf(scriptedStudy()), await htmlOf(study, { lang: 'ko' })];
    expect(first === second).toBe(true);
    expect(first === korean).toBe(false);
    expect(korean).toContain('<html lang="ko" data-theme="dark"');
  });

  test('carries the study without the text of its file', async () => {
    const html = await htmlOf({ ...study, scenario: { ...study.scenario, text: 'faultreel: 1 # only for us' } });
    const packed = /<script type="text\/plain" id="study">([A-Za-z0-9+/=]+)<\/script>/.exec(html)![1];
    const carried = inflateSync(Buffer.from(packed, 'base64')).toString();
    expect(JSON.parse(carried)).toEqual({ ...study, scenario: { ...study.scenario, text: '' } });
  });

  test('names nothing outside of itself', async () => {
    const html = await htmlOf(study);
    // Namespaces are names, not addresses.
    expect(html.replaceAll('http://www.w3.org/2000/svg', '').match(/https?:\/\/|url\((?!data:|["'`]?#|\$)|@import/g)).toBeNull();
    expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; font-src data:; base-uri 'none'; form-action 'none'">/);
  });
});
