import { beforeAll, expect, test } from 'vitest';
import { numberAt } from '../../src/study/columns.js';
import { eventKinds } from '../../src/scenario/model.js';
import { eventSentence } from '../../src/text/events.js';
import type { LoggedEvent } from '../../src/study/types.js';
import type { Shape } from '../../renderers/look/drawing.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { captionsOf, readableMs } from '../../renderers/stage/captions.js';
import { displayState, stateAt } from '../../renderers/stage/display-state.js';
import { eventFormats } from '../../renderers/stage/event-formats.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import { filmTimesOf } from '../../renderers/stage/pace.js';
import { flowOf, momentOf, sceneOf, type Scene } from '../../renderers/stage/scene.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { planFilm } from '../../renderers/video/storyboard.js';
import { anyStories, shippedStories, shippedStory, type Story } from '../support/story-studies.js';
import { scriptedStudy } from '../support/scripted-study.js';

const generated = anyStories(25);
const stories = (): readonly Story[] => [...shippedStories.map(shippedStory), ...generated];
const states = (scene: Scene, tick: number): string[] => scene.run.system.services.flatMap(({ name }) => scene.run.ticks.services[name].instances.map((_, i) => displayState(scene, name, i, tick)));

// A dozen runs take their time on a busy machine.
beforeAll(() => void stories(), 300_000);

test('there are stories to be told', () => {
  expect(generated.length).toBeGreaterThan(15);
});

test('that all is well is said only while nothing was refused or failed in the figures, and nobody is full, down or out', () => {
  let calm = 0;
  for (const { name, study, variant } of stories()) {
    const scene = sceneOf(study, variant);
    const times = filmTimesOf(study, variant);
    captionsOf(scene, 'en').forEach(({ lead }, tick) => {
      if (lead !== 'All is well.') return;
      calm++;
      const { window } = momentOf(study, variant, tick, { lang: 'en', theme: 'dark', speed: scene.tickMs / times[tick] });
      const { refused, failed } = flowOf(scene.run, window.from, Math.max(window.to, tick));
      expect(refused + failed, `${name}, tick ${tick}`).toBe(0);
      expect(states(scene, tick).filter((state) => ['saturated', 'killed', 'crashed', 'restarting', 'dead', 'ejected', 'frozen'].includes(state)), `${name}, tick ${tick}`).toEqual([]);
    });
  }
  expect(calm).toBeGreaterThan(500);
});

test('where the film runs fast, one failure keeps "all is well" away for as long as the figures have it', () => {
  const base = shippedStory('order-api-spike').study;
  const run = base.runs['as-it-is'];
  const orders = run.ticks.traffic['orders'];
  const failed = Array.from({ length: run.ticks.count }, (_, tick) => (tick === 41 ? 1 : 0));
  const study = { ...base, runs: { 'as-it-is': { ...run, system: { ...run.system, objectives: [] }, ticks: { ...run.ticks, traffic: { orders: { ...orders, refused: 0, failed } } } } } };
  const [times, captions] = [filmTimesOf(study, 'as-it-is'), captionsOf(sceneOf(study, 'as-it-is'), 'en')];
  expect(times[41]).toBe(1000 / 8);
  const shown = [40, 41, 46, 47, 90].map((tick) => [captions[tick].lead === 'All is well.', momentOf(study, 'as-it-is', tick, { lang: 'en', theme: 'dark', speed: 8 }).window.from <= 41 && tick >= 41] as const);
  for (const [calm, hasFailure] of shown) expect(calm && hasFailure).toBe(false);
  expect(shown.map(([calm]) => calm)).toEqual([true, false, false, false, true]);
});

test('who is said to be out, down, dead, frozen, booting or warming up is so in that tick', () => {
  const claims = [[/^(.+) (?:is|are) out of rotation\.$/, ['ejected']], [/^(.+) (?:is|are) down\.$/, ['restarting']], [/^(.+) (?:is|are) dead\.$/, ['dead']], [/^(.+) (?:is|are) frozen\.$/, ['frozen']], [/^(.+) (?:is|are) booting\.$/, ['booting']], [/^(.+) (?:is|are) warming up\.$/, ['warming']]] as const;
  const told = new Map<string, number>();
  for (const { name, study, variant } of stories()) {
    const scene = sceneOf(study, variant);
    const formats = eventFormats(scene, 'en');
    const instances = scene.run.system.services.flatMap((service) => scene.run.ticks.services[service.name].instances.map((_, i) => ({ service: service.name, i, name: formats.subject(`${service.name}.${i + 1}`) })));
    captionsOf(scene, 'en').forEach(({ lead }, tick) => {
      for (const [pattern, wanted] of claims) {
        const names = pattern.exec(lead)?.[1].replace(/ and \d+ more$/, '').split(/, | and /);
        for (const said of names ?? []) {
          const meant = instances.find((one) => one.name === said);
          expect(meant, `${name}, tick ${tick}: ${said}`).toBeDefined();
          expect(wanted, `${name}, tick ${tick}: ${lead}`).toContain(displayState(scene, meant!.service, meant!.i, tick));
          told.set(wanted[0], (told.get(wanted[0]) ?? 0) + 1);
        }
      }
    });
  }
  expect([...told.keys()]).toEqual(expect.arrayContaining(['restarting', 'booting', 'warming']));
});

test('that nobody is in rotation, and that a balancer fails open, is said only while it is so', () => {
  let [nobody, open] = [0, 0];
  for (const { name, study, variant } of stories()) {
    const scene = sceneOf(study, variant);
    captionsOf(scene, 'en').forEach(({ lead }, tick) => {
      const links = Object.entries(scene.run.ticks.links);
      const empty = /^Nobody of (.+) is in rotation\.$/.exec(lead)?.[1];
      if (empty !== undefined) {
        nobody++;
        expect(links.some(([link, { targets }]) => link.endsWith(`.${empty}`) && targets.every((target) => numberAt(target.belief, tick) !== 1)), `${name}, tick ${tick}`).toBe(true);
      }
      const caller = /^(.+) fails open\.$/.exec(lead)?.[1];
      if (caller !== undefined) {
        open++;
        expect(links.some(([link, { failingOpen }]) => link.startsWith(`${caller}.`) && numberAt(failingOpen, tick) === 1), `${name}, tick ${tick}`).toBe(true);
      }
    });
  }
  expect([nobody > 0, open > 0]).toEqual([true, true]);
});

test('a caption that somebody is dead names somebody who is, or was when its clock says', () => {
  for (const { name, study, variant } of stories()) {
    const scene = sceneOf(study, variant);
    captionsOf(scene, 'en').forEach(({ lead, rest }, tick) => {
      if (!/sends to dead|sending to dead/.test(lead)) return;
      const downOnce = scene.run.system.services.some((service) => scene.run.ticks.services[service.name].instances.some((_, i) => Array.from({ length: Math.min(tick + 1, 40) }, (__, back) => tick - back).some((at) => stateAt(scene, service.name, i, at) === 'down')));
      expect(downOnce, `${name}, tick ${tick}: ${lead} ${rest}`).toBe(true);
    });
  }
});

test('a caption stands for as long as it takes to read it, but for a few that graver news, a question or the end cuts short', () => {
  for (const { name, study, variant } of stories().filter(({ study: { scenario } }) => scenario.durationMs > 60_000)) {
    const times = filmTimesOf(study, variant);
    const captions = captionsOf(sceneOf(study, variant), 'en');
    const stops = new Set(stopsInRun(study, variant).map(({ tick }) => tick));
    const spans: { ms: number; text: string; cut: boolean }[] = [];
    captions.forEach(({ lead, rest }, tick) => {
      const text = `${lead} ${rest}`;
      if (spans.at(-1)?.text === text && !stops.has(tick)) spans.at(-1)!.ms += times[tick];
      else {
        if (spans.length > 0) spans.at(-1)!.cut = stops.has(tick);
        spans.push({ ms: times[tick], text, cut: tick === captions.length - 1 });
      }
    });
    const short = spans.slice(0, -1).filter(({ ms, cut }) => ms < readableMs - 1 && !cut);
    expect(short.length, `${name}: ${short.map(({ text }) => text).join(' | ')}`).toBeLessThanOrEqual(Math.max(1, spans.length * 0.05));
  }
});

test('no caption comes and goes: none returns after another that stood for less than eight seconds, more than five times in a film, and there are at most eighteen in a minute', () => {
  for (const { name, study, variant } of shippedStories.map(shippedStory)) {
    const times = filmTimesOf(study, variant);
    const spans: { lead: string; ms: number }[] = [];
    captionsOf(sceneOf(study, variant), 'en').forEach(({ lead }, tick) => {
      if (spans.at(-1)?.lead === lead) spans.at(-1)!.ms += times[tick];
      else spans.push({ lead, ms: times[tick] });
    });
    const returns = spans.filter((span, i) => i > 1 && spans[i - 2].lead === span.lead && spans[i - 1].ms < 8_000).length;
    expect(returns, name).toBeLessThanOrEqual(5);
    expect(spans.length / (times.reduce((sum, ms) => sum + ms, 0) / 60_000), name).toBeLessThanOrEqual(18);
  }
});

const five: readonly LoggedEvent[] = [
  { tMs: 90_100, kind: 'scale-out', subject: 'order-api', cause: 'cpu', basis: 'estimated', data: { from: 2, to: 4, metric: 0.9, target: 0.6, bootMs: 60_000 } },
  { tMs: 90_200, kind: 'oom', subject: 'order-api.1', cause: 'memory limit', basis: 'estimated', data: { running: 12, queued: 3, limitBytes: 2 ** 31 } },
  { tMs: 90_300, kind: 'ejected', subject: 'order-api.3', cause: 'timeout', basis: 'counted', data: { link: 'alb.order-api', bad: 2, inRotation: 1 } },
  { tMs: 90_400, kind: 'breaker-open', subject: 'order-api.orders-db', cause: 'error', basis: 'counted', data: { share: 0.5 } },
  { tMs: 90_500, kind: 'fault', subject: 'slow-disk', cause: 'slow', basis: 'counted', data: { target: 'orders-db' } },
];
const withEvents = (eventLog: readonly LoggedEvent[]): Scene => {
  const study = scriptedStudy();
  const run = study.runs['as-it-is'];
  return sceneOf({ ...study, scenario: { ...study.scenario, rehearsal: { ...study.scenario.rehearsal, stops: [] } }, runs: { 'as-it-is': { ...run, eventLog: [...eventLog] } } }, 'as-it-is');
};

test('of five events in one tick the gravest leads, and each is told or counted', () => {
  for (const [lang, more] of [['en', /And (\d+) more\./], ['ko', /그 밖에 (\d+)건\./]] as const) {
    const scene = withEvents(five);
    const { lead, rest } = captionsOf(scene, lang)[90];
    const text = `${lead} ${rest}`;
    expect(lead.startsWith(lang === 'en' ? '#1 was OOM-killed.' : '#1이 OOM으로')).toBe(true);
    const told = five.filter((event) => text.includes(eventSentence(event, lang, eventFormats(scene, lang)).lead)).length;
    expect(told + Number(more.exec(text)?.[1] ?? 0)).toBe(5);
    expect(told).toBeGreaterThan(1);
  }
});

test('two kills in one tick are one sentence with what both lost', () => {
  const both = [five[1], { ...five[1], subject: 'order-api.2', data: { running: 5, queued: 0, limitBytes: 2 ** 31 } }];
  const { lead, rest } = captionsOf(withEvents(both), 'en')[90];
  expect(`${lead} ${rest}`).toContain('#1 and #2 were OOM-killed. Their 17 running and 3 queued requests failed at once');
  expect(captionsOf(withEvents(both), 'ko')[90].rest).toContain('처리 중 17건과 대기 3건');
});

test('of what a kill took, only what was there is counted', () => {
  const lost = (running: number, queued: number, lang: 'en' | 'ko'): string => eventSentence({ ...five[1], data: { ...five[1].data, running, queued } }, lang, eventFormats(withEvents([]), lang)).rest.replace(/(?:, at| 메모리) .*/, '');
  expect([[12, 0], [0, 3], [1, 0], [0, 0]].map(([running, queued]) => lost(running, queued, 'en'))).toEqual(['Its 12 running requests failed at once', 'Its 3 queued requests failed at once', 'Its 1 running request failed at once', 'No request was in it']);
  expect([[12, 3], [12, 0], [0, 3]].map(([running, queued]) => lost(running, queued, 'ko'))).toEqual(['처리 중 12건과 대기 3건이 즉시 실패했습니다.', '처리 중 12건이 즉시 실패했습니다.', '대기 3건이 즉시 실패했습니다.']);
});

test('a caption says when help is due, not how long it still takes', () => {
  expect(captionsOf(withEvents([five[0]]), 'en')[90].rest).toMatch(/help takes ≈1\u00A0min, until ≈02:30\.$/);
  expect(captionsOf(withEvents([five[0]]), 'ko')[90].rest).toMatch(/부팅에 ≈1분 걸려 ≈02:30에 뜹니다\.$/);
});

test('however fast the film, what happened is told no longer than it takes to read it, once it is no news', () => {
  let old = 0;
  for (const { name, study, variant } of shippedStories.map(shippedStory)) {
    const scene = sceneOf(study, variant);
    for (const durationMs of [30_000, 40_000, 60_000]) {
      const { times } = planFilm(study, variant, 30, durationMs);
      const captions = captionsOf(scene, 'en', times);
      const answers = new Set(stopsInRun(study, variant).map(({ tick }) => captions[tick].lead));
      for (let from = 0, to = 0; from < captions.length; from = to) {
        let [ms, longest] = [0, 0];
        for (to = from; to < captions.length && captions[to].lead === captions[from].lead && captions[to].rest === captions[from].rest; to++) [ms, longest] = [ms + times[to], Math.max(longest, times[to])];
        const isEvent = scene.run.eventLog.some((event) => captions[from].lead.startsWith(eventSentence(event, 'en', eventFormats(scene, 'en')).lead) && event.kind !== 'saturated');
        if (!isEvent || answers.has(captions[from].lead) || (to - from) * scene.tickMs <= 15_000) continue;
        old++;
        // What follows must be readable at a glance, 1 s.
        expect(ms, `${name} in ${durationMs} ms, tick ${from}: ${captions[from].lead}`).toBeLessThan(readableMs + longest + 1_000);
      }
    }
  }
  expect(old).toBeGreaterThan(10);
});

test('every kind of event has a sentence with its cause, in English and in Korean', () => {
  const scene = withEvents([]);
  const data = { link: 'alb.order-api', target: 'orders-db', bad: 2, good: 3, inRotation: 1, running: 4, queued: 2, limitBytes: 2 ** 30, downMs: 5000, warmUpMs: 3000, from: 2, to: 3, metric: 0.7, bootMs: 60_000, share: 0.5, waitMs: 50, waiting: 3, replaced: 2, failing: 1, lost: 2, limit: 4 };
  const causes: Partial<Record<LoggedEvent['kind'], string>> = { saturated: 'cpu', ejected: 'timeout', ready: 'probes', 'scale-out': 'cpu', 'scale-in': 'cpu', fault: 'slow', 'fault-end': 'slow' };
  for (const kind of eventKinds)
    for (const lang of ['en', 'ko'] as const) {
      const { lead, rest } = eventSentence({ tMs: 0, kind, subject: 'order-api.2', cause: causes[kind] ?? 'error', basis: 'counted', data: { ...data, target: kind.startsWith('scale') ? 0.6 : 'orders-db' } }, lang, eventFormats(scene, lang));
      expect(lead, kind).toMatch(/\.$/);
      expect(rest, kind).toMatch(/\.$/);
      expect(/[가-힣]/.test(lead + rest), kind).toBe(lang === 'ko');
      expect(`${lead} ${rest}`, kind).not.toMatch(/undefined|NaN|  /);
    }
});

test('every picture says how fast time passes: a frame its pace, a question that it is held', () => {
  const { study, variant } = shippedStory('order-api-spike');
  const texts = (shapes: readonly Shape[]): string[] => shapes.flatMap((shape) => (shape.kind === 'group' ? texts(shape.shapes) : shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));
  for (const frame of [landscape, portrait]) {
    for (const speed of [0.5, 1, 8]) expect(texts(stageDrawing(study, variant, 100, { lang: 'en', theme: 'dark', speed, frame }).shapes)).toContain(`${speed}×`);
    for (const [lang, held] of [['en', 'held'], ['ko', '정지']] as const) {
      const look = { lang, theme: 'light', frame } as const;
      const [{ stop, tick }] = stopsInRun(study, variant);
      expect(texts(questionCard(study, variant, { stop, tick, number: 1, of: 1, passedS: 1 }, look).shapes)).toContain(held);
    }
  }
});

test('where figures are of more than a tick, the frame says of how long', () => {
  const { study, variant } = shippedStory('order-api-spike');
  for (const speed of [4, 8, 16]) {
    const shown = JSON.stringify(stageDrawing(study, variant, 100, { lang: 'en', theme: 'dark', speed }).shapes);
    for (const words of [`in ${speed / 2}\u00A0s`, `offered, over ${speed / 2}\u00A0s`, `mean of ${speed / 2}\u00A0s`]) expect(shown, `${speed}×`).toContain(words);
  }
});
