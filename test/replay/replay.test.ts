import { describe, expect, test } from 'vitest';
import { frameFor } from '../../renderers/stage/frame.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { frameSvg } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { toSvg } from '../../renderers/look/svg.js';
import type { Study } from '../../src/study/types.js';
import { anyStudy } from '../support/any-study.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { goTo, htmlOf, shows, withReplay, type Opened } from './opened.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const html = await htmlOf(study);
const dark = { lang: 'en', theme: 'dark' } as const;
const frame = (tick: number, look: { lang: 'en' | 'ko'; theme: 'dark' | 'light' } = dark, of = variant): string => frameSvg(study, of, tick, look);

const press = async ({ page, drawn }: Opened, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key as Parameters<typeof page.keyboard.press>[0]);
  await drawn();
};
const shifted = async (opened: Opened, key: 'ArrowLeft' | 'ArrowRight'): Promise<void> => {
  await opened.page.keyboard.down('Shift');
  await press(opened, key);
  await opened.page.keyboard.up('Shift');
};

// A machine that does much else is given time.
describe('replay.html in a browser', { timeout: 180_000 }, () => {
  test('shows at every tick the very picture of the film, in both languages, themes and variants', async () => {
    await withReplay(html, async (opened) => {
      for (const lang of ['en', 'ko'] as const)
        for (const theme of ['dark', 'light'] as const)
          for (const of of Object.keys(study.runs))
            for (const tick of [0, 31, 47, 119]) {
              await goTo(opened, { tick, variant: of, lang, theme });
              expect([tick, lang, theme, of, await shows(opened, frame(tick, { lang, theme }, of))]).toEqual([tick, lang, theme, of, true]);
            }
      expect(await shows(opened, frame(118, { lang: 'ko', theme: 'light' }, 'dedicated-health-path'))).toBe(false);
    });
  });

  test('asks for nothing, breaks no policy and says nothing on the console, whatever is done', async () => {
    await withReplay(html, async (opened) => {
      const { page, drawn, complaints, requests } = opened;
      await press(opened, 'n', 'n', 'l', 't', 'v', 'e', 'e', '+', 'ArrowRight', '?', 'Escape', 'Space');
      await page.mouse.click(800, 300);
      await page.select('.follow select', 'order-api.2');
      await drawn();
      await page.click('.timeline');
      await page.select('.log select', 'order-api');
      await drawn();
      expect(complaints).toEqual([]);
      expect(requests).toEqual([]);
      const addresses = await page.$$eval('[src],[href],[style*="url"]', (elements) => elements.map((element) => element.outerHTML));
      expect(addresses).toEqual([]);
    });
  });

  test('has a policy that lets nothing in or out', async () => {
    await withReplay(html, async ({ page }) => {
      // Ends when every way out was refused.
      await page.evaluate(`new Promise((done) => {
        const left = new Set(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr']);
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => left.delete(effectiveDirective) && left.size === 0 && done());
        new Image().src = 'http://127.0.0.1:9/a.png';
        fetch('http://127.0.0.1:9/b').catch(() => undefined);
        const script = document.createElement('script');
        script.textContent = 'globalThis.wasRun = true';
        document.body.append(script);
        document.body.insertAdjacentHTML('beforeend', '<p style="color: red" onclick="globalThis.wasRun = true"></p>');
        document.body.lastElementChild.click();
        document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://127.0.0.1:9/c' }));
      })`);
      expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    });
  });

  test('steps and jumps by keys', async () => {
    await withReplay(html, async (opened) => {
      const { clock } = opened;
      await press(opened, 'End');
      expect(await clock()).toBe('01:59');
      await press(opened, 'ArrowRight');
      expect(await clock()).toBe('01:59');
      await press(opened, 'Home', 'ArrowRight', 'ArrowRight');
      expect(await clock()).toBe('00:02');
      await press(opened, 'ArrowLeft');
      expect(await clock()).toBe('00:01');
      await shifted(opened, 'ArrowRight');
      expect(await clock()).toBe('00:11');
      await shifted(opened, 'ArrowLeft');
      expect(await clock()).toBe('00:01');
      expect(await shows(opened, frame(1))).toBe(true);
    });
  });

  test('goes from event to event, by keys and from the list, of one part when asked', async () => {
    await withReplay(html, async (opened) => {
      const { page, drawn, clock, text } = opened;
      const seconds = [...new Set(study.runs[variant].eventLog.map(({ tMs }) => Math.floor(tMs / 1000)))];
      for (const second of seconds.slice(0, 4)) {
        await press(opened, 'n');
        expect(await clock()).toBe(`00:${String(second).padStart(2, '0')}`);
        expect(await page.$$eval('.events [aria-current] .at', (times) => times.map(({ textContent }) => textContent))).toContain(await clock());
      }
      await press(opened, 'p');
      expect(await clock()).toBe(`00:${seconds[2]}`);
      const killed = await page.waitForSelector('xpath/.//ol//button[contains(., "OOM")]');
      await killed!.click();
      await drawn();
      const kill = study.runs[variant].eventLog.find(({ kind }) => kind === 'oom')!;
      expect(await shows(opened, frame(Math.floor(kill.tMs / 1000)))).toBe(true);
      await page.select('.log select', 'order-api');
      await drawn();
      expect(await text('.total')).toBe(`${study.runs[variant].eventLog.filter(({ subject }) => subject.startsWith('order-api')).length} events`);
    });
  });

  test('scrubs: a press on the slider shows that moment, and the slider says which it is', async () => {
    await withReplay(html, async (opened) => {
      const { page, drawn, clock } = opened;
      const slider = (await (await page.$('.scrubber'))!.boundingBox())!;
      await page.mouse.move(slider.x + slider.width * 0.5, slider.y + 20);
      await page.mouse.down();
      await drawn();
      expect(await clock()).toBe('01:00');
      await page.mouse.move(slider.x + slider.width * 0.25 + 1, slider.y + 20);
      await page.mouse.up();
      await drawn();
      expect(await clock()).toBe('00:30');
      expect(await page.$eval('.scrubber', (element) => [element.getAttribute('aria-valuenow'), element.getAttribute('aria-valuetext')])).toEqual(['30', '00:30 of 02:00, phase event']);
      expect(await shows(opened, frame(30))).toBe(true);
    });
  });

  test('plays at the chosen speed, holds before a question with its answer veiled, and goes on with the answer', async () => {
    await withReplay(html, async (opened) => {
      const { page, drawn, clock } = opened;
      const stops = stopsInRun(study, variant);
      await page.select('.speed', '32');
      await press(opened, 'Space');
      await page.waitForSelector('.answer:not([hidden])');
      const [first] = stops;
      const card = toSvg(questionCard(study, variant, { ...first, number: 1, of: stops.length, passedS: null }, dark));
      expect(await shows(opened, card)).toBe(true);
      expect(card).not.toContain('goes on in');
      // What is still to come would be the answer.
      const seen = (await page.evaluate(`[...document.querySelectorAll('.events li')].filter((item) => getComputedStyle(item).visibility === 'visible').map((item) => item.querySelector('.at').textContent)`)) as string[];
      expect(seen.length).toBeGreaterThan(0);
      expect(seen).not.toContain(await clock());
      await page.click('.answer');
      await press(opened, 'k');
      const [minutes, seconds] = (await clock()).split(':').map(Number);
      expect(minutes * 60 + seconds).toBeGreaterThanOrEqual(first.tick);
      await drawn();
      expect(await page.$('.answer[hidden]')).not.toBeNull();
      expect(await shows(opened, frame(minutes * 60 + seconds))).toBe(true);
    });
  });

  test('plays to the end and stops there; played again it begins anew', async () => {
    await withReplay(html, async (opened) => {
      const { page, clock } = opened;
      await press(opened, 'End', 'ArrowLeft', 'ArrowLeft');
      await press(opened, 'Space');
      await page.waitForFunction(`document.querySelector('.time').textContent.startsWith('01:59') && document.querySelectorAll('[data-icon=play]').length === 1`);
      await press(opened, 'Space');
      await page.waitForSelector('[data-icon=pause]');
      await press(opened, 'k');
      expect(Number((await clock()).split(':')[0])).toBe(0);
    });
  });

  test('says the speed of time while it plays', async () => {
    await withReplay(html, async (opened) => {
      const { page } = opened;
      await page.select('.speed', '0.25');
      await press(opened, 'Space');
      expect(await shows(opened, frameSvg(study, variant, 0, { ...dark, speed: 0.25 }))).toBe(true);
      expect(await opened.text('.picture')).toContain('0.25×');
    });
  });

  test('follows an instance: a click on its lane marks it on the stage and tells its figures, as the stage has them', async () => {
    await withReplay(html, async (opened) => {
      const { page, drawn, text } = opened;
      await goTo(opened, { tick: 30, variant });
      const stage = (await (await page.$('.stage'))!.boundingBox())!;
      const scale = stage.width / 1920;
      // On the second lane.
      await page.mouse.click(stage.x + 800 * scale, stage.y + 340 * scale);
      await drawn();
      expect(await text('.who b')).toBe('order-api #2');
      expect(await page.$$('.marks rect')).toHaveLength(2);
      expect(await shows(opened, frame(30))).toBe(true);
      const { slots } = study.runs[variant].ticks.services['order-api'].instances[1];
      const now = (slots.end as readonly number[])[30];
      expect(await page.$$eval('.followed td', (cells) => cells.map(({ textContent }) => textContent))).toContain(`${now} of 40`);
      await page.waitForFunction(`location.hash === '#t=30&v=as-it-is&i=order-api.2'`);
      await press(opened, 'Escape');
      expect(await page.$$('.marks rect')).toHaveLength(0);
    });
  });

  test('keeps the moment in its address, and opens at the moment of an address', async () => {
    const hash = '#t=44&v=dedicated-health-path&i=order-api.1&lang=ko&theme=light';
    await withReplay(
      html,
      async (opened) => {
        expect(await shows(opened, frame(44, { lang: 'ko', theme: 'light' }, 'dedicated-health-path'))).toBe(true);
        expect(await opened.text('.who b')).toBe('order-api #1');
        await press(opened, 'ArrowRight', 'l');
        await opened.page.waitForFunction(`location.hash === '#t=45&v=dedicated-health-path&i=order-api.1&theme=light'`);
      },
      { hash },
    );
  });

  test('opens at the start when an address makes no sense', async () => {
    await withReplay(html, async (opened) => expect(await shows(opened, frame(0))).toBe(true), { hash: '#t=-5&v=nobody&i=order-api.99&lang=de&theme=pink' });
  });

  test('fits a phone: nothing is wider than the window, and the stage is the upright one', async () => {
    await withReplay(
      html,
      async (opened) => {
        expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
        expect(await shows(opened, frameSvg(study, variant, 0, { ...dark, frame: frameFor(390, 844) }))).toBe(true);
      },
      { width: 390, height: 844 },
    );
  });

  test('names every control, in the language of the page', async () => {
    await withReplay(html, async (opened) => {
      for (const lang of ['en', 'ko']) {
        const nameless = await opened.page.$$eval('button, select, [role]', (controls) => controls.filter((control) => !control.getAttribute('aria-label') && !control.textContent.trim()).map((control) => control.outerHTML));
        expect([lang, nameless]).toEqual([lang, []]);
        await press(opened, 'l');
      }
      expect(await opened.page.evaluate('document.documentElement.lang')).toBe('en');
    });
  });

  test('works for a run of one tick in which nothing happens', async () => {
    const quiet = anyStudy({ users: ['app'] }, [{ name: 'app', instances: 2 }], 1);
    await withReplay(await htmlOf(quiet), async (opened) => {
      const of = Object.keys(quiet.runs)[0];
      await press(opened, 'ArrowRight', 'ArrowLeft', 'n', 'p', 'End', 'Home');
      expect(await shows(opened, frameSvg(quiet, of, 0, dark))).toBe(true);
      expect(await opened.text('.events')).toBe('Nothing happened: no event in this run.');
      await press(opened, 'Space');
      await opened.page.waitForSelector('[data-icon=play]');
      expect(opened.complaints).toEqual([]);
    });
  });

  test('takes hostile texts as texts', async () => {
    const title = `</title></style></script><script>globalThis.wasRun=1</script><img src=x onerror="globalThis.wasRun=1">\u202Egpj.exe\u2028'"&<!--`;
    const hostile: Study = { ...study, scenario: { ...study.scenario, title: { en: title, ko: title } } };
    await withReplay(await htmlOf(hostile), async (opened) => {
      const { page, complaints, requests } = opened;
      expect(await shows(opened, frameSvg(hostile, variant, 0, dark))).toBe(true);
      expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
      expect(await page.$$('img')).toEqual([]);
      expect([complaints, requests]).toEqual([[], []]);
    });
  });
});
