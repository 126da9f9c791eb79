import { expect, test } from 'vitest';
import { resultValue } from '../../renderers/look/numbers.js';
import type { Drawing } from '../../renderers/look/drawing.js';
import { themes } from '../../renderers/look/palette.js';
import { guessesOf } from '../../renderers/stage/cards/guesses.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { graveEventBefore, verdictRows } from '../../renderers/stage/cards/verdict-text.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import { balanced, wrapped } from '../../renderers/stage/fit.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { numberAt } from '../../src/study/columns.js';
import { instanceStates, type LoggedEvent, type Run, type Study, type Verdict } from '../../src/study/types.js';
import { stageWords } from '../../src/text/stage.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { flat, textsOf as texts } from '../support/shapes.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';

const card = (passedS: number, about?: string, lang: 'en' | 'ko' = 'en'): Drawing => {
  const { stop, tick } = stopsInRun(study, variant)[1];
  return questionCard(study, variant, { stop: about === undefined ? stop : { ...stop, about }, number: 2, of: 2, tick, passedS }, { lang, theme: 'dark' });
};

test('only a question about a balancer asks for its list', () => {
  expect(texts(card(0)).some((text) => text.includes('Fill in its rotation'))).toBe(false);
  expect(texts(card(0, 'alb')).some((text) => text.includes('Fill in its rotation'))).toBe(true);
  expect(texts(card(0, 'order-api.1')).some((text) => text.includes('Fill in its rotation'))).toBe(false);
});

test('a block is full when its second has passed', () => {
  const full = (passedS: number): number => flat(card(passedS).shapes).filter((shape) => shape.kind === 'rect' && shape.height === 14 && shape.fill === themes.dark.text).length;
  expect([0, 1, 5, 6].map(full)).toEqual([0, 1, 5, 6]);
});

test('balanced lines are as many as full ones, and leave no word alone that need not be', () => {
  const ask = '두 대 모두 CPU가 한계인데, 방금 LB가 서버를 제외하기 시작했습니다. 가장 먼저 어디를 보시겠습니까?';
  for (const room of [500, 700, 900, 1152]) {
    const [even, full] = [balanced(ask, 48, 700, room), wrapped(ask, 48, 700, room)];
    expect(even).toHaveLength(full.length);
    expect(even.join(' ')).toBe(ask);
    expect(even.every((line) => line.includes(' '))).toBe(true);
  }
});

test('the verdict tells the story in numbers of the run', () => {
  const shown = texts(verdictCard(study, variant, { lang: 'en', theme: 'dark' })).map((text) => text.replaceAll('\u00A0', ' '));
  const { failed } = study.runs[variant].traffic['orders'];
  expect(shown.filter((text) => text.startsWith('order-api #1'))).toEqual([expect.stringMatching(/^order-api #1: CPU at the ceiling from ≈00:22\. “good\s≥\s99\.9%” breaks at 00:23: over the next 10\ss, \d+\/s\soffered, \d+\/s\sgood\.$/)]);
  expect(shown.some((text) => text.startsWith('In the whole run: 2 ejections, ') && text.includes(`${failed['order-api: killed'].toLocaleString('en')} lost in kills`))).toBe(true);
});

test('the verdict compares the variants in the phase that broke, and names once the guesses that all verdicts rest on', () => {
  const untested = { ...study, verdicts: study.verdicts.map((verdict) => ({ ...verdict, sure: 'untested' as const, restsOn: ['values.order-cpu', 'values.boot'] })) };
  const shown = texts(verdictCard(untested, variant, { lang: 'en', theme: 'dark' }));
  const other = study.verdicts.find(({ variant: of, objective, phase }) => of === 'dedicated-health-path' && objective === 'availability' && phase === 'event')!;
  expect(shown.filter((text) => text.includes('with one line changed'))).toEqual([`In the same phase, event, good, with one line changed: dedicated-health-path ${resultValue(other.actual, other.unit, 'en')}`]);
  expect(shown.filter((text) => /order-cpu|boot|≈9|≈20/.test(text))).toEqual(['boot', '≈20\u00a0s', 'order-cpu', '≈9\u00a0ms']);
  expect(shown).toContain('The 2 guesses that it rests on');
  expect(shown).toContain('7\u00a0ms to 12\u00a0ms · 2 of 2 broken rest on it');
});

/** The same study, whose break no resource explains, after these events. */
const unexplained = (events: readonly Partial<LoggedEvent>[]): Study => {
  const run = study.runs[variant];
  const eventLog = events.map((event): LoggedEvent => ({ tMs: 0, kind: 'fault', subject: '', cause: '', basis: 'counted', data: {}, ...event }));
  return { ...study, runs: { ...study.runs, [variant]: { ...run, eventLog, firstToBreak: { ...run.firstToBreak!, resource: null, evidence: {} } } } };
};
const why = (of: Study, lang: 'en' | 'ko' = 'en', frame = landscape): string => texts(verdictCard(of, variant, { lang, theme: 'dark', frame })).join(' ');
const crashed = { kind: 'crashed', subject: 'order-api.2', cause: 'crash', data: { lost: 2, running: 2, queued: 0 } } as const;

test('a break that no resource explains is told with the last grave event of the minute before, and is said once', () => {
  const breakMs = study.runs[variant].firstToBreak!.tMs;
  expect(breakMs).toBe(23_000);
  const told = unexplained([{ ...crashed, tMs: 21_000 }, { tMs: 21_500, kind: 'ejected', subject: 'order-api.2', cause: 'timeout', data: { link: 'alb.order-api', bad: 3, inRotation: 1 } }, { ...crashed, tMs: breakMs, subject: 'order-api.1' }]);
  for (const frame of [landscape, portrait]) {
    expect(why(told, 'en', frame)).toMatch(/Just before, at 00:21: order-api #2 crashed\. .*In the 10\ss after the break, /);
    expect(why(told, 'ko', frame)).toMatch(/직전인 00:21, order-api #2가 비정상 종료되었습니다\./);
  }
  expect(why(told).match(/breaks at 00:23/g)).toHaveLength(1);
  expect(why(told)).not.toContain('saturated');
  expect(why(unexplained([{ ...crashed, kind: 'oom', tMs: 21_000, basis: 'estimated' }]))).toContain('Just before, at ≈00:21: order-api #2 was OOM-killed.');
  expect(why(unexplained([]))).toMatch(/No resource is saturated before that\. In the 10\ss after/);
});

test('a fault on a link is named with what it does to the link', () => {
  const told = unexplained([{ tMs: 2_000, subject: 'blocked', cause: 'blackhole', data: { target: 'membership.partner' } }]);
  expect(why(told)).toContain('Before that, at 00:02: fault blocked begins. Nothing gets through on membership → partner any more.');
  expect(why(told, 'ko')).toContain('그에 앞서 00:02, ');
});

test('what answers to trouble is named only where nothing was done to the system, and nothing from more than a minute before', () => {
  const ejected = { tMs: 90_000, kind: 'ejected' } as LoggedEvent;
  const fault = { tMs: 70_000, kind: 'fault' } as LoggedEvent;
  expect(graveEventBefore([fault, ejected], 100_000)).toBe(fault);
  expect(graveEventBefore([fault, ejected], 131_000)).toBe(ejected);
  expect(graveEventBefore([fault, ejected], 151_000)).toBeUndefined();
  expect(graveEventBefore([{ ...fault, kind: 'ready' }], 100_000)).toBeUndefined();
});

test('verdicts of one phase stand together; where some are left out, those that are not kept come first', () => {
  const run = { phases: { before: {}, event: {} }, system: { objectives: [{ name: 'fast' }, { name: 'available' }] } } as unknown as Run;
  const row = (phase: string | null, objective: string, met: boolean | null) => ({ phase, objective, met }) as Verdict;
  const rows = [row(null, 'available', true), row('before', 'available', true), row('event', 'available', false), row('before', 'fast', true), row('event', 'fast', true)];
  const order = (isCut: boolean): string[] => verdictRows(rows, run, isCut).map(({ phase, objective }) => `${phase ?? 'run'} ${objective}`);
  expect(order(false)).toEqual(['before fast', 'before available', 'event fast', 'event available', 'run available']);
  expect(order(true)).toEqual(['event available', 'before fast', 'before available', 'event fast', 'run available']);
});

test.each(['en', 'ko'] as const)('title and verdict do not say that the film is held (%s)', (lang) => {
  for (const frame of [landscape, portrait]) for (const drawn of [titleCard, verdictCard]) expect(texts(drawn(study, variant, { lang, theme: 'dark', frame }))).not.toContain(stageWords[lang].held);
});

test('an instance without a process is no question, and the caption of a question is veiled wholly', () => {
  const run = study.runs[variant];
  const { tick } = stopsInRun(study, variant)[1];
  const marks = (of: Drawing): number => texts(of).filter((text) => text === '?').length;
  const { instances } = run.ticks.services['order-api'];
  const off = instances.map((instance, i) => (i === 0 ? { ...instance, state: instanceStates.indexOf('off') } : instance));
  const without = { ...study, runs: { ...study.runs, [variant]: { ...run, ticks: { ...run.ticks, services: { ...run.ticks.services, 'order-api': { ...run.ticks.services['order-api'], instances: off } } } } } } as Study;
  const { stop } = stopsInRun(study, variant)[1];
  const asked = (of: Study): Drawing => questionCard(of, variant, { stop: { ...stop, about: 'order-api' }, number: 2, of: 2, tick, passedS: 1 }, { lang: 'en', theme: 'dark' });
  const isOff = ({ state }: (typeof instances)[number]): boolean => instanceStates[numberAt(state, tick)] === 'off';
  expect(isOff(instances[0])).toBe(false);
  expect(marks(asked(study)) - marks(asked(without))).toBe(1);
  const { top, height } = landscape.caption;
  expect(flat(asked(study).shapes).some((shape) => shape.kind === 'rect' && shape.y === top && shape.height === height)).toBe(false);
});

const resting = (restsOn: (index: number) => readonly string[], more: (index: number) => Partial<Study['verdicts'][number]> = () => ({})): Study => ({ ...study, verdicts: study.verdicts.map((verdict, i) => ({ ...verdict, sure: 'untested' as const, ...more(i), restsOn: restsOn(i) })) });
const named = (of: Study, name = variant): string[] => guessesOf(of, name).first.map(({ input }) => input.path.replace('values.', ''));

test('the guesses that matter most are those that the broken verdicts rest on, of those the widest', () => {
  // Of four verdicts of a variant the second and the last are broken.
  const all = resting((i) => ['values.normal-rate', 'values.boot', ...(study.verdicts[i].met === false ? ['values.order-cpu', 'values.event-rate'] : []), 'services.alb.to.order-api.latency']);
  expect(study.verdicts.filter((verdict) => verdict.variant === variant && verdict.met === false)).toHaveLength(2);
  expect(named(all)).toEqual(['boot', 'normal-rate', 'order-cpu']);
  expect(named(resting((i) => (study.verdicts[i].met === false ? ['values.order-cpu', 'values.event-rate'] : ['values.boot', 'values.normal-rate'])))).toEqual(['order-cpu', 'event-rate', 'boot']);
  expect(guessesOf(all, variant)).toMatchObject({ of: 5, isTested: false });
});

test('a guess that turns a verdict comes before all others, and the card says where', () => {
  const turned = { path: 'values.order-cpu', value: 7.5 };
  const moves = [{ path: 'values.boot', low: 0.9, high: 0.4, swing: 0.5 }, { path: 'values.order-cpu', low: 0.8, high: 0.5, swing: 0.3 }];
  const hinging = resting(() => ['values.boot', 'values.order-cpu'], (i) => ({ sure: 'hinges', tested: { met: true, moves, flips: i % 2 === 0 ? [{ ...turned, holdsAt: 7.6, end: 'low' }] : [], corner: null, together: [], unknownAt: [] } }));
  expect(named(hinging)).toEqual(['order-cpu', 'boot']);
  expect(named(resting(() => ['values.order-cpu', 'values.boot'], () => ({ sure: 'firm', tested: { met: true, moves, flips: [], corner: null, together: [], unknownAt: [] } })))).toEqual(['boot', 'order-cpu']);
  const shown = texts(verdictCard(hinging, variant, { lang: 'en', theme: 'dark' }));
  expect(shown).toContain('7\u00a0ms to 12\u00a0ms · a verdict turns at ≈7.5\u00a0ms');
  expect(shown.some((text) => text.includes('not tested yet'))).toBe(false);
});

test('what a variant sets itself is not told with the value of another', () => {
  const all = resting(() => ['values.boot', 'values.order-cpu']);
  const run = { ...all.runs[variant], overrides: [{ path: 'values.boot', value: '1m' }] };
  expect(named({ ...all, runs: { ...all.runs, [variant]: run } })).toEqual(['order-cpu']);
});

test.each([0, 1, 3, 5, 6, 12])('nothing on the verdict overlaps with %i objectives and six variants', (count) => {
  const names = ['as-it-is', 'dedicated-health-path', 'one', 'two', 'three', 'four'];
  const runs = Object.fromEntries(names.map((name) => [name, { ...study.runs[variant], variant: name }]));
  const verdicts = names.flatMap((name) => Array.from({ length: count }, (_, i) => ({ ...study.verdicts[i % 4], variant: name, objective: `objective-${i}`, restsOn: ['values.boot', 'values.order-cpu', 'values.event-rate', 'services.alb.to.order-api.latency'] })));
  for (const alike of [true, false])
    for (const lang of ['en', 'ko'] as const)
      for (const frame of [landscape, portrait]) {
        const of = { ...study, runs, verdicts: alike ? verdicts : verdicts.map((verdict, i) => (i % 2 ? verdict : { ...verdict, restsOn: verdict.restsOn.slice(1) })) };
        const card = verdictCard(of, variant, { lang, theme: 'dark', frame });
        expect(lintDrawing(card, frame === portrait ? (16 * portrait.width) / 1080 : undefined)).toEqual([]);
        if (count === 12) expect(texts(card).some((text) => /^(and|그 밖에) \d+/.test(text))).toBe(true);
      }
});

test('a verdict whose objectives are all kept breaks nothing, and says what was missed for a while', () => {
  const kept = { ...study, verdicts: study.verdicts.map((verdict) => ({ ...verdict, met: true })) };
  const shown = texts(verdictCard(kept, variant, { lang: 'en', theme: 'dark' }));
  expect(shown).toContain('Every objective is kept.');
  expect(shown.filter((text) => text.includes('missed for a while'))).toEqual([expect.stringContaining('seen at 00:23')]);
});

test('a verdict says whose objective it is where there are several, and names guesses by what they are of', () => {
  const run = study.runs[variant];
  const objectives = [...run.system.objectives, { ...run.system.objectives[0], of: 'others' }];
  const two = { ...study, runs: { [variant]: { ...run, system: { ...run.system, objectives } } }, verdicts: study.verdicts.map((verdict) => ({ ...verdict, sure: 'untested' as const, restsOn: ['services.api.handlers.work.0.wait', 'services.api.to.db.latency'] })) };
  const shown = texts(verdictCard(two, variant, { lang: 'en', theme: 'dark' }));
  expect(shown.filter((text) => /^orders good/.test(text)).length).toBeGreaterThan(0);
  expect(shown).toContain('All of them rest on guesses: api.work.wait, api.db.latency');
});

test('a question about a source promises no question marks, and one about all lanes leaves the killed one lit', () => {
  expect(texts(card(1, 'orders'))).not.toContain('What is marked with ? is shown when the film goes on.');
  const frames = (about?: string) => flat(card(1, about).shapes).filter((shape) => shape.kind === 'rect' && shape.radius === 13 && shape.strokeWidth === 2).length;
  expect([frames(), frames('order-api')]).toEqual([2, 1]);
});
