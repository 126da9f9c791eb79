import { beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '../../renderers/pdf/report.js';
import type { Study } from '../../src/study/types.js';
import { readPdf, type PdfRead } from '../support/pdf-text.js';
import { studied } from '../support/studied.js';

const report = async (study: Study, lang: 'en' | 'ko'): Promise<PdfRead> => readPdf(await writeReport(study, { lang, command: 'faultreel run a.yaml', attachments: [] }));
const textOf = (pdf: PdfRead): string => pdf.pages.map(({ text }) => text).join('\n').replace(/\s+/g, ' ');

/** One box with an app, whose requests take a seat under a lock of the database, on stairs that its generator cannot climb. */
const box = (): Study => studied(`
duration: 50s
hosts: { box: { cpus: 2, memory: 2GiB } }
services:
  app:
    host: box
    cpus: 0.5
    throttle: cfs
    slots: 60
    memory: { base: 200MiB, perConnection: 64KiB }
    handlers:
      join: [{ cpu: { assumed: 12ms, cv: 0, why: a guess } }, { transaction: db, steps: [{ lock: row, wait: 500ms }, { call: db.write }, { take: seat }], orElse: [{ decline: full }] }]
      open: []
      talk: [{ push: rooms, count: 3 }]
    to: { db: { pool: { max: 8 }, retries: { max: 1 }, outlier: {} } }
  db: { host: box, instances: 2, memory: { base: 300MiB }, stock: { seat: 450 }, handlers: { write: [{ wait: { assumed: 30ms, cv: 0, why: a guess } }] } }
traffic:
  joins: { to: app, send: join, keys: 1, limit: 10, open: { arrivals: even, rate: { stairs: [5/s, 20/s, 60/s], each: 10s, gap: 5s } } }
  rooms: { to: app, send: talk, sockets: { connect: 2/s, hold: 60s, max: 8, opening: open, every: 5s } }
faults: { shaky: { at: 30s, for: 5s, target: db, errors: 40% } }
phases: { calm: [0s, 10s], end: [40s, 50s] }
objectives:
  quick: { of: joins, p95: "<= 100ms", in: each }
  steady: { of: joins, mean: "<= 2x", vs: { in: calm }, in: end }
variants: { as-it-is: {}, longer: { duration: 60s } }
claims: { slower: { of: joins, mean: ">= 1x", vs: { variant: longer }, in: calm, says: alike } }`);

describe('the report of a box with locks, pools, sockets and a weak generator', () => {
  let study: Study;
  let en: PdfRead;
  let ko: PdfRead;
  beforeAll(async () => {
    study = box();
    [en, ko] = [await report(study, 'en'), await report(study, 'ko')];
  }, 120_000);
  const run = () => study.runs['as-it-is'];

  it('warns on its first page before the objectives, and again beside the figures', () => {
    const first = en.pages[0].text.replace(/\s+/g, ' ');
    expect(first).toContain('Warning: joins: the load generator dropped');
    expect(first).toContain('Warning: app → db: outlier detection can never eject anybody');
    expect(first.indexOf('Warning:')).toBeLessThan(first.indexOf('Objectives'));
    expect(textOf(en).split('Warning: joins:')).toHaveLength(3);
    expect(ko.pages[0].text).toContain('경고');
  });

  it('says that verdicts on a load that was not made say nothing', () => {
    expect(study.verdicts.some(({ blind }) => blind)).toBe(true);
    expect(en.pages[0].text.replace(/\s+/g, ' ')).toContain('says nothing');
    expect(ko.pages[0].text.replace(/\s+/g, ' ')).toContain('판단 불가');
  });

  it('names the first stair that breaks, and shows it with the one below it alone', () => {
    const quick = study.verdicts.filter(({ objective, variant }) => objective === 'quick' && variant === 'as-it-is');
    expect(quick.map(({ met }) => met)).toEqual([true, true, false]);
    const first = en.pages[0].text.replace(/\s+/g, ' ');
    expect(first).toMatch(/quick ?: joins-60 is the first of 3 stairs that breaks it; 2 keep it, but the load of that stair was not made/);
    const table = first.slice(first.indexOf('Objectives'), first.indexOf('What happened'));
    expect(table).toContain('joins-20 p95');
    expect(table).not.toContain('joins-5 p95');
  });

  it('counts no stair as kept whose load was not made', async () => {
    const kept: Study = { ...study, verdicts: study.verdicts.map((verdict) => (verdict.objective === 'quick' ? { ...verdict, met: true } : verdict)) };
    const first = (await report(kept, 'en')).pages[0].text.replace(/\s+/g, ' ');
    expect(first).toMatch(/quick ?: 2 of 3 stairs keep it, the others say nothing/);
    expect(first).toContain('joins-20 p95');
    expect(first).toContain('joins-60 p95');
  });

  it('says what a factor is told of', () => {
    expect(textOf(en)).toMatch(/mean latency ≤ 2x of calm/);
    expect(textOf(en)).toContain('≥ 1x of');
    expect(textOf(ko)).toMatch(/≤ 2x \(calm 대비\)/);
  });

  it('counts waits for locks by phase, connections, pushes, sockets, retries, declines and drops', () => {
    const text = textOf(en);
    const lock = run().locks['db.row'];
    expect(text).toMatch(new RegExp(`Waiting for locks.*db\\.row whole run ${lock.taken.toLocaleString('en')} ${lock.timeouts} ${lock.waitMs!.count}`));
    expect(text).toMatch(/db\.row joins-60 – – \d+/);
    const { pool } = run().links['app.db'];
    expect(text).toMatch(new RegExp(`Connections.*app → db ${pool!.inUse.max} of 8 ${pool!.waiting.max} ${pool!.opened}`));
    const deliveries = run().traffic['rooms'].deliveries!;
    expect(deliveries.made).toBeGreaterThan(0);
    expect(text).toMatch(new RegExp(`rooms whole run ${deliveries.made} ${deliveries.missed}`));
    expect(text).toMatch(/Open sockets instance mean most app #1 \d+ 8/);
    expect(run().links['app.db'].retries).toBeGreaterThan(0);
    expect(text).toContain('retries');
    const { offered, declined, dropped } = run().phases['joins-60'].traffic['joins'];
    const full = declined['app: full'];
    expect(text).toMatch(new RegExp(`joins-60 ${offered} \\d+ ${full} \\(${(Math.floor((full / offered) * 1000 + 1e-9) / 10).toFixed(1)}%\\) \\d+ \\d+ \\d+ ${dropped} `));
  });

  it('estimates the CPU and memory of the host, and says where a quota was used up', () => {
    const text = textOf(en);
    expect(text).toContain('Machines that services share box: all that runs on it');
    expect(text).toMatch(/box ≈0\.\d+ ≈\d+(\.\d+)? 2 ≈80\d MiB 2 GiB/);
    expect(run().services['app'].instances[0].throttled).toBeGreaterThan(0);
    expect(text).toMatch(/CPU quota used up.*app #1 ≈\d+\.\d%/);
  });
});

describe('the report of a box that ends up without a lock', () => {
  it('says in its headline that everybody waits for the lock', async () => {
    const study = studied(`
duration: 40s
services: { app: { handlers: { join: [{ lock: seat, wait: 50s }, { wait: { assumed: 100ms, cv: 0, why: a guess } }] } } }
traffic: { joins: { to: app, send: join, keys: 1, open: { rate: 20/s, arrivals: even } } }
objectives: { quick: { of: joins, p95: "<= 3s" } }`);
    expect(textOf(await report(study, 'en'))).toContain('Requests wait all the time for the lock app.seat first, from 00:00 on.');
    expect(textOf(await report(study, 'ko'))).toContain('먼저 한계에 닿는 곳: 잠금 app.seat, 00:00');
  }, 60_000);

  it('judges a longer variant on its own axis', async () => {
    const study = studied(`
duration: 10s
services: { app: { slots: 5, handlers: { ask: [{ wait: 1ms }] } } }
traffic: { users: { to: app, send: ask, open: { rate: 5/s } } }
objectives: { quick: { of: users, p95: "<= 3s" } }
variants: { short: {}, long: { duration: 95s } }`);
    const long = readPdf(await writeReport(study, { lang: 'en', variant: 'long', command: 'faultreel', attachments: [] }));
    expect(long.pages[0].text).toContain('01:35');
    expect(long.pages[0].text.replace(/\s+/g, ' ')).toContain('one seed, 1 min 35 s');
  }, 60_000);
});
