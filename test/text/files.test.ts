import { describe, expect, it } from 'vitest';
import { csv, eventsCsv, ticksCsv } from '../../renderers/text/csv.js';
import { markdown, summaryMarkdown } from '../../renderers/text/markdown.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();

describe('CSV', () => {
  it('gives a formula an apostrophe and leaves numbers alone', () => {
    expect(csv([['=1+1', '@x', '+a', '-b', -5, 'a,"b"\nc', '']])).toBe(`'=1+1,'@x,'+a,'-b,-5,"a,""b""\nc",\n`);
  });

  it('has a row a variant and tick, and every row has every column', () => {
    const lines = ticksCsv(study).trimEnd().split('\n');
    const ticks = Object.values(study.runs).reduce((sum, run) => sum + run.ticks.count, 0);
    expect(lines).toHaveLength(1 + ticks);
    const columns = lines[0].split(',');
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([columns.length]));
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns).toEqual(expect.arrayContaining(['traffic.orders.offered', 'services.order-api.2.state', 'links.alb.order-api.target.1.belief', 'services.order-api.1.cpuCores.mean']));
  });

  it('says states in words and the offered column sums to the total', () => {
    const [header, ...rows] = ticksCsv(study).trimEnd().split('\n').map((line) => line.split(','));
    const column = (name: string): string[] => rows.filter(([variant]) => variant === 'as-it-is').map((row) => row[header.indexOf(name)]);
    expect(new Set(column('services.order-api.2.state'))).toEqual(new Set(['up', 'down']));
    expect(column('traffic.orders.offered').reduce((sum, cell) => sum + Number(cell), 0)).toBe(study.runs['as-it-is'].traffic['orders'].offered);
  });

  it('lists every event of every variant', () => {
    const events = Object.values(study.runs).flatMap((run) => run.eventLog);
    expect(eventsCsv(study).trimEnd().split('\n')).toHaveLength(1 + events.length);
    expect(eventsCsv(study)).toContain('as-it-is,31.4,31.4,ejected,order-api.1,queue full,counted,link=alb.order-api; bad=2; inRotation=1\n');
  });
});

describe('summary.md', () => {
  const claims = study.claims.map((claim) => ({ ...claim, held: claim.claim !== 'no-cascade' }));
  const text = summaryMarkdown({ ...study, claims }, { variant: 'as-it-is', lang: 'en' });

  it('holds verdicts, claims, totals and the equality', () => {
    expect(text).toContain('| availability | event | as-it-is | orders good ≥ 99.9% | 63.9% | broken · as expected · untested |');
    expect(text).toMatch(/\| no-cascade \|.*\| NOT HELD \|/);
    expect(text).toMatch(/Conservation: orders: .*: adds up/);
  });

  it('shows the text of a scenario as it is written, never as mark-up', () => {
    expect(markdown('<img src=x> [a](http://b) *c* | d `e` @f # g')).toBe('&lt;img src=x&gt; \\[a\\](http&#58;//b) \\*c\\* \\| d \\`e\\` \\@f \\# g');
    expect(markdown('1. one')).toBe('1\\. one');
    expect(markdown('- one')).toBe('\\- one');
    expect(markdown('a\n\n# b')).toBe('a \\# b');
  });
});
