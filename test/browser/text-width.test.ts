import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../renderers/browser/find.js';
import { loadFonts } from '../../renderers/browser/fonts.js';
import { launch, type Browser } from '../../renderers/browser/launch.js';
import { openPage, type Page } from '../../renderers/browser/page.js';
import { textWidth, type Weight } from '../../renderers/look/text-width.js';
import { realHost } from '../../src/host.js';

const texts = [
  'Order API',
  'Counted in the simulation',
  'order-api.2 out of memory: 128 requests lost',
  'AVATAR Type, To. Way',
  '1,234.5 /s  p99 812 ms',
  '0123456789 1111111111',
  '4m 30s × 12.5 %',
  'in, wrongly (≈ estimated)',
  '주문 API',
  '시뮬레이션에서 셈',
  '메모리 부족으로 order-api.2가 죽음',
  '확실함 · 3곳에 달림 · 검증 안 됨',
];
const weights: readonly Weight[] = [400, 500, 600, 700, 800];

let browser: Browser;
let page: Page;
beforeAll(async () => {
  const host = realHost();
  browser = await launch(await findBrowser(host), { host, onNotice: () => undefined });
  page = await openPage(browser, { host, fonts: await loadFonts(host), width: 1920, height: 1080 });
});
afterAll(() => browser.close());

describe('textWidth', () => {
  test.each(weights)('agrees with what the browser measures within 2 % at weight %i', async (weight) => {
    const size = 20;
    await page.show(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" font-family="Pretendard" text-rendering="geometricPrecision" xml:space="preserve">${texts.map((text, index) => `<text y="${(index + 1) * 30}" font-size="${size}" font-weight="${weight}">${text}</text>`).join('')}</svg>`,
    );
    const measured = (await page.evaluate(`[...document.getElementById('shown').shadowRoot.querySelectorAll('text')].map((text) => text.getComputedTextLength())`)) as number[];
    const off = texts.map((text, index) => ({ text, percent: Math.abs(textWidth(text, size, weight) / measured[index] - 1) * 100 })).filter(({ percent }) => percent > 2);
    expect(measured).toHaveLength(texts.length);
    expect(off).toEqual([]);
  });
});
