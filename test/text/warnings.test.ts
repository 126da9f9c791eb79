import { describe, expect, it } from 'vitest';
import { ticksCsv } from '../../renderers/text/csv.js';
import { summaryMarkdown } from '../../renderers/text/markdown.js';
import { terminalText } from '../../renderers/text/terminal.js';
import type { Study, Warning } from '../../src/study/types.js';
import { comparedText } from '../../src/text/compared.js';
import { placedReasonText } from '../../src/text/reasons.js';
import { warningTexts } from '../../src/text/warnings.js';
import { scriptedStudy } from '../support/scripted-study.js';

const formats = { subject: (name: string) => name, count: String, share: (value: number) => `${value * 100}%`, setting: (text: string) => text };
const dropped = (phase: string | null, share: number): Warning => ({ kind: 'dropped', subject: 'orders', phase, data: { dropped: 120, share } });

describe('a warning', () => {
  it('of dropped arrivals is one sentence a traffic, with each phase and its share', () => {
    const texts = warningTexts([dropped(null, 0.1), dropped('rush', 0.25), dropped('peak', 0.5)], 'en', formats);
    expect(texts).toEqual(['orders: the load generator dropped 120 arrivals, 10% of those that the file asks for, in rush (25%) and peak (50%). Those phases say nothing about the system.']);
    expect(warningTexts([dropped(null, 0.1)], 'en', formats)[0]).toContain('While it did, figures say nothing about the system.');
    expect(warningTexts([dropped(null, 0.1), dropped('rush', 0.25)], 'ko', formats)[0]).toContain('구간별로는 rush (25%)입니다.');
  });

  it('of an outlier detection that never ejects says why', () => {
    const warning: Warning = { kind: 'outlier-never', subject: 'alb.order-api', phase: null, data: { targets: 3, maxEjected: 0.1 } };
    expect(warningTexts([warning], 'en', formats)).toEqual(['alb.order-api: outlier detection can never eject anybody: 10% of 3 instances, the most that may be out at once, is less than one.']);
    expect(warningTexts([warning], 'ko', formats)[0]).toContain('인스턴스 3대');
  });
});

const study = scriptedStudy();
const variant = 'as-it-is';
const base = study.runs[variant];
const short: Study = {
  ...study,
  runs: {
    [variant]: {
      ...base,
      warnings: [dropped(null, 0.1), dropped('event', 0.25)],
      traffic: { orders: { ...base.traffic['orders'], dropped: 120, deliveries: { made: 500, missed: 7 } } },
      ticks: { ...base.ticks, traffic: { orders: { ...base.ticks.traffic['orders'], dropped: 1, present: 40, deliveries: { made: 5, missed: 0 } } } },
    },
  },
  verdicts: study.verdicts.filter((verdict) => verdict.variant === variant).map((verdict) => (verdict.phase === 'event' ? { ...verdict, blind: true } : verdict)),
};

describe('a run whose load was not made', () => {
  const terminal = terminalText(short, { variant, lang: 'en', everyMs: 10_000 });

  it('says so before any figure, in the terminal and in summary.md', () => {
    expect(terminal).toContain('Warning: orders: the load generator dropped 120 arrivals');
    expect(terminal.indexOf('Warning:')).toBeLessThan(terminal.indexOf('Totals'));
    const summary = summaryMarkdown(short, { variant, lang: 'en' });
    expect(summary.indexOf('- Warning: orders: the load generator dropped 120 arrivals')).toBeGreaterThan(0);
    expect(summary.indexOf('- Warning:')).toBeLessThan(summary.indexOf('## Objectives'));
  });

  it('has verdicts that say nothing there, and its usual ones elsewhere', () => {
    expect(terminal).toMatch(/availability {2}event +.* 63\.9% {2}says nothing: load not made\n/);
    expect(terminal).toMatch(/availability {2}before +.* kept · as expected · untested\n/);
  });

  it('counts what was dropped in each row of the table, and only then', () => {
    expect(terminal).toMatch(/in flight +dropped +p95/);
    const rows = terminal.split('\n').filter((line) => /^\d\d:\d\d/.test(line));
    const cells = rows.map((row) => Number(row.trim().split(/\s{2,}/)[7]));
    expect(cells.reduce((sum, cell) => sum + cell, 0)).toBe(base.ticks.count);
    expect(terminalText(study, { variant, lang: 'en', everyMs: 10_000 })).not.toMatch(/in flight +dropped +p95/);
  });

  it('tells pushes that arrived and those that did not', () => {
    expect(terminal).toContain('orders: 500 pushes delivered, 7 missed');
    expect(ticksCsv(short).split('\n')[0]).toContain('traffic.orders.deliveries.made,traffic.orders.deliveries.missed');
  });
});

describe('a figure compared with another', () => {
  it('names only what is different there', () => {
    const own = { phase: 'treatment', variant: 'as-it-is' };
    expect(comparedText('≤ 2x', { phase: 'control', variant: 'as-it-is' }, own, 'en')).toBe('≤ 2x of control');
    expect(comparedText('≤ 2x', { phase: 'treatment', variant: 'fast' }, own, 'en')).toBe('≤ 2x of fast');
    expect(comparedText('≤ 2x', { phase: 'control', variant: 'fast' }, own, 'ko')).toBe('≤ 2x (fast, control 대비)');
    expect(comparedText('≤ 2x', null, own, 'en')).toBe('≤ 2x');
  });
});

describe('a reason that names a lock or a stock', () => {
  it('is said in words', () => {
    expect(placedReasonText('mysql: lock seat', 'en')).toBe('mysql: waited too long for the lock seat');
    expect(placedReasonText('mysql: lock seat', 'ko')).toBe('mysql: 잠금 seat 대기 시간 초과');
    expect(placedReasonText('backend: no seat', 'ko')).toBe('backend: seat 없음');
    expect(placedReasonText('backend: no', 'ko')).toBe('backend: no');
  });
});
