import { beforeAll, describe, expect, it } from 'vitest';
import { keyMoments } from '../../renderers/pdf/key-moments.js';
import { measureKind } from '../../renderers/pdf/how-to-measure.js';
import { writeReport } from '../../renderers/pdf/report.js';
import type { Study } from '../../src/study/types.js';
import { readPdf } from '../support/pdf-text.js';
import { studied } from '../support/studied.js';

const textOf = async (study: Study, lang: 'en' | 'ko' = 'en'): Promise<string> =>
  readPdf(await writeReport(study, { lang, command: 'faultreel run a.yaml', attachments: [] })).pages.map(({ text }) => text).join('\n').replace(/\s+/g, ' ');

/** One slot that is too slow on the second stair, with a generator that cannot climb and a variant that has other stairs. */
const stairs = (): Study => studied(`
duration: 30s
services: { app: { cpus: 1, slots: 1, handlers: { ask: [{ cpu: { assumed: 60ms, cv: 0, why: a guess } }] } } }
traffic: { users: { to: app, send: ask, open: { arrivals: even, rate: { stairs: [5/s, 30/s], each: 10s, gap: 5s } } } }
objectives: { quick: { of: users, p95: "<= 200ms", in: each } }
variants:
  as-it-is: {}
  faster: { services.app.handlers.ask.0.cpu.assumed: 20ms }
  weak: { traffic.users.limit: 1 }
  gentle: { traffic.users.open.rate: { stairs: [4/s], each: 10s, gap: 5s } }
claims:
  busy: { of: app, cpu: "0.3 ± 20%", in: users-5, says: a third of a core }
  slow: { of: users, p95: "<= 100ms", in: users-30, breaks: true, says: fitted to nothing }
  exact: { of: users, rate: "5/s ± 1%", in: users-5 }`);

describe('variants that are compared by a time', () => {
  let study: Study;
  let en: string;
  beforeAll(async () => {
    study = stairs();
    en = await textOf(study);
  }, 120_000);

  it('are shown by the objective that breaks first, and page 1 tells what it came to', () => {
    const verdictOf = (variant: string) => study.verdicts.find((verdict) => verdict.variant === variant && verdict.phase === 'users-30')!;
    expect(verdictOf('as-it-is').met).toBe(false);
    expect(en).toMatch(/breaks at 00:1\d, in the phase users-30, because app is out of \w+; over that phase it is \d/);
    expect(en).toContain('quick, p95 users-30');
    expect(en).toMatch(/faster ?: p95 \d+ ms in users-30/);
  });

  it('say nothing where the load was not made or the phase is not there', () => {
    expect(study.verdicts.find(({ variant, phase }) => variant === 'weak' && phase === 'users-30')!.blind).toBe(true);
    expect(en).toContain('faster keeps quick in users-30; not so: as-it-is. Nothing can be said of weak and gentle.');
    expect(en).toMatch(/gentle ?: it has no phase users-30\./);
    expect(en).toMatch(/weak ?: .*Its generator did not make the load, so that says nothing\./);
    expect(en).toContain('in weak and gentle that is the load itself');
  });

  it('leave out what happened in none of them', () => {
    const table = en.slice(en.lastIndexOf('What that did'), en.lastIndexOf('Claims of the scenario'));
    expect(table).toContain('dropped');
    expect(table).not.toMatch(/ejections|OOM kills|launches/);
  });

  it('have claims with the marks and names of their metrics, and those that are told not to hold', async () => {
    expect(en).toMatch(/busy a third of a core as-it-is \(users-5\) CPU 0\.3 ± 20% ≈0\.3 held/);
    expect(en).toMatch(/slow fitted to nothing .* not held as the file says/);
    expect(en).toMatch(/good rate 5\/s ± 1% 5\/s held/);
    expect(en).toMatch(/3 of 3 claims of the file \( ?page \d+ ?\) end as it says, 1 of them by not holding\./);
    expect(await textOf(study, 'ko')).toContain('초당 성공 5/s');
  }, 60_000);

  it('begin the story with the saturation that the headline names', () => {
    const run = study.runs['as-it-is'];
    const first = run.firstToBreak!.resource!;
    const earlier = run.eventLog.filter(({ kind }) => kind === 'saturated').map((event) => ({ ...event, tMs: 3000, data: { ...event.data, sinceMs: 2000 } }));
    const letters = keyMoments({ ...run, eventLog: [...earlier, ...run.eventLog] }, 'users', 1000, 'en');
    expect(letters.map(({ tMs }) => tMs)).toContain(first.sinceMs);
    expect(letters.map(({ tMs }) => tMs)).not.toContain(2000);
    expect(letters[0].rest).toBe('Requests wait.');
  });
});

describe('a setting that somebody guessed', () => {
  it('is looked up, whatever its unit, unless its key tells of work or load', () => {
    const input = (path: string) => ({ path, unit: 'ms' as const, value: 1, basis: 'assumed' as const, setting: true });
    expect(measureKind(input('services.api.autoscale.drain'), '')).toBe('setting');
    expect(measureKind(input('services.api.autoscale.boot'), '')).toBe('boot');
  });
});
