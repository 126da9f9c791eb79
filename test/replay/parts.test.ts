import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../renderers/replay/address.js';
import { advance } from '../../renderers/replay/course.js';
import { figuresOf } from '../../renderers/replay/figures.js';
import { hasInstance, instanceAt, instancesByService, placeOf } from '../../renderers/replay/instances.js';
import { timelineOf } from '../../renderers/replay/timeline.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { frameSvg } from '../../renderers/stage/stage.js';
import { numberAt } from '../../src/study/columns.js';
import type { Study } from '../../src/study/types.js';
import { anyStudy } from '../support/any-study.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const scene = sceneOf(study, 'as-it-is');

describe('an address', () => {
  test('reads back what it wrote', () => {
    const address = { t: 4.5, variant: 'a b&c=#', followed: 'order-api.2', lang: 'ko', theme: 'light' } as const;
    expect(readAddress(writeAddress(address))).toEqual(address);
  });

  test('says nothing of what makes no sense', () => {
    expect(readAddress('#t=NaN&lang=de&theme=pink&v=&x=1')).toEqual({});
    expect(readAddress('#t=-1')).toEqual({});
    expect(readAddress('')).toEqual({});
  });
});

describe('advance', () => {
  const pace = { msOf: () => 100, ticks: 10, stops: new Set<number>() };

  test('shows each tick for its time, however the time comes', () => {
    expect(advance({ tick: 0, shownMs: 0 }, 99, pace)).toMatchObject({ tick: 0, shownMs: 99 });
    expect(advance({ tick: 0, shownMs: 99 }, 1, pace)).toMatchObject({ tick: 1, shownMs: 0 });
    expect(advance({ tick: 0, shownMs: 0 }, 350, pace)).toMatchObject({ tick: 3, shownMs: 50 });
    expect(advance({ tick: 2, shownMs: 0 }, 60, { ...pace, msOf: (tick) => tick * 10 })).toMatchObject({ tick: 4, shownMs: 10 });
  });

  test('never passes a question, however fast', () => {
    expect(advance({ tick: 0, shownMs: 0 }, 100_000, { ...pace, stops: new Set([4, 7]) })).toEqual({ tick: 3, shownMs: 0, heldBefore: 4, isOver: false });
    expect(advance({ tick: 4, shownMs: 0 }, 100_000, { ...pace, stops: new Set([4, 7]) })).toMatchObject({ tick: 6, heldBefore: 7 });
  });

  test('is over when the last tick has had its time, not before', () => {
    expect(advance({ tick: 9, shownMs: 0 }, 99, pace)).toMatchObject({ tick: 9, isOver: false });
    expect(advance({ tick: 5, shownMs: 0 }, 500, pace)).toMatchObject({ tick: 9, isOver: true });
  });
});

describe('instances on the stage', () => {
  test('are found where they are drawn, whatever the density and the frame', () => {
    const busy = anyStudy({ users: ['edge'] }, [{ name: 'edge', calls: ['app', 'many'] }, { name: 'app', instances: 5, calls: ['db'] }, { name: 'many', instances: 40 }, { name: 'db' }]);
    for (const one of [scene, ...[landscape, portrait].map((frame) => sceneOf(busy, Object.keys(busy.runs)[0], frame))]) {
      let found = 0;
      for (const { names } of instancesByService(one))
        for (const name of names) {
          const box = placeOf(one, name);
          const hit = box && instanceAt(one, box.x + box.width / 2, box.y + box.height / 2);
          // Several that are told together are nobody.
          if (hit === null) continue;
          expect(hit).toBe(name);
          found++;
        }
      expect(found).toBeGreaterThan(3);
      expect(instanceAt(one, 2, 2)).toBeNull();
    }
  });

  test('are known by their name in the variant', () => {
    expect(['order-api.1', 'order-api.6', 'order-api.7', 'order-api.0', 'order-api', 'nobody.1'].map((name) => hasInstance(scene, name))).toEqual([true, true, false, false, false, false]);
  });
});

describe('figures of an instance', () => {
  const valueOf = (name: string, tick: number, window = { from: tick, to: tick }): string => {
    const { requests, levels } = figuresOf(scene, 'order-api.1', tick, window, 'en');
    return [...requests, ...levels].find((row) => row.name === name)!.now;
  };

  test('are those of the study: sums of requests, means of levels, estimates with their sign', () => {
    const { instances } = study.runs['as-it-is'].ticks.services['order-api'];
    expect(valueOf('arrived', 12)).toBe(String(numberAt(instances[0].arrived, 12)));
    expect(valueOf('arrived', 12, { from: 10, to: 12 })).toBe(String([10, 11, 12].reduce((sum, tick) => sum + numberAt(instances[0].arrived, tick), 0)));
    expect(valueOf('slots', 12)).toBe(`${numberAt(instances[0].slots.mean, 12)} of 40`);
    expect(valueOf('cpu', 12)).toMatch(/^≈\d+%$/);
    expect(valueOf('memory', 12)).toMatch(/^≈/);
  });

  test('are levels as the stage writes them: means over time, not what the last instant of a tick was', () => {
    const run = study.runs['as-it-is'];
    const service = run.ticks.services['order-api'];
    const [first, ...others] = service.instances;
    const uneven = { ...first, slots: { mean: 17, max: 40, end: 3 }, queue: { mean: 23, max: 90, end: 5 } };
    const own: Study = { ...study, runs: { 'as-it-is': { ...run, ticks: { ...run.ticks, services: { ...run.ticks.services, 'order-api': { ...service, instances: [uneven, ...others] } } } } } };
    const { levels } = figuresOf(sceneOf(own, 'as-it-is'), 'order-api.1', 12, { from: 12, to: 12 }, 'en');
    expect(levels.slice(0, 2).map(({ now }) => now)).toEqual(['17 of 40', '23 of 200']);
    const svg = frameSvg(own, 'as-it-is', 12, { lang: 'en', theme: 'dark' });
    for (const shown of ['>17<', '>23<']) expect(svg).toContain(shown);
    for (const instant of ['>3<', '>5<']) expect(svg).not.toContain(instant);
  });

  test('have no levels where there is no process', () => {
    const kill = study.runs['as-it-is'].eventLog.find(({ kind }) => kind === 'oom')!;
    const tick = Math.floor(kill.tMs / 1000);
    const figures = figuresOf(scene, kill.subject, tick, { from: tick, to: tick }, 'en');
    expect(figures.stateText).toBe('OOM-killed');
    expect(figures.levels.map(({ now }) => now)).toEqual(figures.levels.map(() => '–'));
  });
});

describe('the timeline of an instance', () => {
  test('hatches what is estimated and nothing else, and lets no words touch', () => {
    for (const lang of ['en', 'ko'] as const) {
      const drawing = timelineOf(scene, 'order-api.2', lang, 'dark');
      expect(lintDrawing(drawing).filter((flaw) => !/small|16/.test(JSON.stringify(flaw)))).toEqual([]);
      const hatched = drawing.shapes.filter((shape) => shape.kind === 'path' && typeof shape.fill === 'object');
      expect(hatched).toHaveLength(2);
    }
  });
});
