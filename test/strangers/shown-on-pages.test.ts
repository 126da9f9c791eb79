import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { reportOf } from '../../src/pipeline/produce.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { htmlOf, withReplay } from '../replay/opened.js';
import { readPdf } from '../support/pdf-text.js';
import { markup, text } from './hostile-texts.js';

const study = simulateScenario(parseScenario(text, { file: 'strange.yaml' }), {});

it('a report has them as text: nothing that acts, is opened, or leads out of it', async () => {
  const { pages, dictionaries } = readPdf(await reportOf(study, { lang: 'en', variant: 'base' }));
  expect(pages.map((page) => page.text).join(' ')).toContain('<script>alert(1)</script>');
  const withoutTexts = dictionaries.map((dictionary) => dictionary.replace(/\((?:\\[\s\S]|[^\\()])*\)/g, '()').replace(/<[0-9a-f\s]*>/gi, '<>'));
  expect(withoutTexts.join('\n')).toContain('/Type /Page');
  for (const dictionary of withoutTexts) expect(dictionary).not.toMatch(/\/(OpenAction|AA|JavaScript|JS|Launch|URI|SubmitForm|RichMedia|GoToR)\b/);
});

it('a replay has them as text: one script and one style, those that its policy names, and no element or attribute of theirs', { timeout: 120_000 }, async () => {
  const html = await htmlOf(study);
  const inside = (tag: string): string[] => [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, content]) => content);
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)![1].replaceAll('&#x3D;', '=');
  const hash = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  expect([inside('script').length, inside('style').length]).toEqual([1, 1]);
  expect(policy).toBe(`default-src 'none'; script-src ${hash(inside('script')[0])}; style-src ${hash(inside('style')[0])}; font-src data:; base-uri 'none'; form-action 'none'`);
  await withReplay(html, async ({ page, complaints, requests }) => {
    const found = (await page.evaluate(lookAround)) as Found;
    expect([found.elements, found.scripts, found.attributes]).toEqual([[], 2, []]);
    expect(found.shown).toContain(markup);
    expect([complaints, requests]).toEqual([[], []]);
  });
});

interface Found {
  readonly elements: readonly string[];
  readonly scripts: number;
  readonly attributes: readonly string[];
  readonly shown: string;
}

/** Runs in the page, shadow trees and all. */
const lookAround = `(() => {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  const all = roots.flatMap((root) => [...root.querySelectorAll('*')]);
  return {
    elements: all.map(({ localName }) => localName).filter((name) => ['img', 'iframe', 'object', 'embed', 'foreignObject', 'image', 'base', 'form', 'link'].includes(name)),
    scripts: all.filter(({ localName }) => localName === 'script').length,
    attributes: all.flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on')),
    shown: document.title + roots.map((root) => (root.body ?? root).textContent).join(' '),
  };
})()`;
