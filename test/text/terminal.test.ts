import { describe, expect, it } from 'vitest';
import { cells, plain } from '../../renderers/text/plain.js';
import { tableLines } from '../../renderers/text/table.js';
import { terminalText } from '../../renderers/text/terminal.js';
import { stageWords } from '../../src/text/stage.js';
import { terminalWords } from '../../src/text/terminal.js';
import type { Study } from '../../src/study/types.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const text = (changed: Study = study, lang: 'en' | 'ko' = 'en'): string => terminalText(changed, { variant, lang, everyMs: 10_000 });

describe('the table of a run', () => {
  it('has a row every so often, and its sums are the totals of the run', () => {
    const rows = text().split('\n').filter((line) => /^\d\d:\d\d/.test(line));
    expect(rows).toHaveLength(12);
    const offered = rows.map((row) => Number(row.split(/\s+/)[1].replaceAll(',', '')));
    expect(offered.reduce((a, b) => a + b, 0)).toBe(study.runs[variant].traffic['orders'].offered);
  });

  it('tells every event once, between the rows of its time', () => {
    const lines = text().split('\n');
    const told = lines.filter((line) => /^ {4}\d\d:\d\d {2}/.test(line));
    expect(told).toHaveLength(study.runs[variant].eventLog.length);
    const times = lines.filter((line) => /^( {4})?\d\d:\d\d/.test(line)).map((line) => line.trim().slice(0, 5));
    expect(times).toEqual([...times].sort());
  });

  it('ends with objectives, claims, the first to break and an equality that adds up', () => {
    expect(text()).toContain('First to break: 00:23 availability (event): order-api.1 CPU, saturated since ≈00:22');
    expect(text()).toMatch(/availability {2}event +as-it-is +orders good ≥ 99\.9% +63\.9% {2}broken · as expected · untested/);
    expect(text({ ...study, claims: study.claims.map((claim) => ({ ...claim, held: claim.claim !== 'no-cascade' })) })).toMatch(/cascade .* held\n.* no-cascade .* NOT HELD\n/);
    expect(text()).toMatch(/Conservation: orders: .* in flight: adds up/);
  });

  it('says so when figures do not add up', () => {
    const run = study.runs[variant];
    const orders = { ...run.traffic['orders'], offered: run.traffic['orders'].offered + 1 };
    expect(text({ ...study, runs: { [variant]: { ...run, traffic: { orders } } } })).toContain('DOES NOT ADD UP');
  });

  it('keeps its columns aligned in Korean, whose letters are two cells wide', () => {
    const lines = text(study, 'ko').split('\n');
    const header = lines.findIndex((line) => line.includes('인스턴스'));
    const column = cells(lines[header].slice(0, lines[header].indexOf('인스턴스')));
    const rows = lines.slice(header + 1).filter((line) => /^\d\d:\d\d/.test(line));
    expect(rows).toHaveLength(12);
    for (const row of rows) expect(cells(row.slice(0, row.indexOf('order-api'))), row).toBe(column);
  });

  it('lets no control character of a scenario reach the terminal', () => {
    const title = 'a\u001b[2Jb\u009bc\u202ed';
    const shown = text({ ...study, scenario: { ...study.scenario, title: { en: title, ko: title } } });
    expect(shown.split('\n')[0]).toBe('a␛[2Jb�c�d');
     
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it.each(['en', 'ko'] as const)('names outcomes as the film does (%s)', (lang) => {
    const { offered, good, declined, refused, failed } = terminalWords[lang];
    expect({ offered, good, declined, refused, failed }).toEqual(stageWords[lang].outcome);
  });
});

describe('a table', () => {
  it('aligns by terminal cells', () => {
    const lines = tableLines([{ title: '가나', align: 'left' }, { title: 'n', align: 'right' }], [['a', '1'], ['가나다', '22'], 'a line across']);
    expect(lines).toEqual(['가나     n', 'a        1', '가나다  22', 'a line across']);
  });
});

describe('plain', () => {
  it('turns line breaks and tabs into one space', () => {
    expect(plain('a\r\n\tb')).toBe('a b');
  });
});
