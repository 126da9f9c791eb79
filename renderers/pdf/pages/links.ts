import { count, latency, unknown } from '../../look/numbers.js';
import type { LinkTotals } from '../../../src/study/types.js';
import { sumOfReasons, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { linkName } from '../link-name.js';
import { markOnly } from '../rich.js';
import { drawTable, type Cell, type TableColumn } from '../table.js';
import { warningParagraphs } from '../warning-text.js';

/** How the attempts on every link ended, and how its connections were used. */
export const linkTables = (report: ReportContext): void => {
  attempts(report);
  warningParagraphs(report, ({ kind }) => kind === 'outlier-never', styles.note);
  connections(report);
};

interface Part {
  readonly title: string;
  readonly width: number;
  readonly cell: (link: LinkTotals) => string;
  /** Left out when it says nothing of any link. */
  readonly shown: (link: LinkTotals) => boolean;
}

const always = (): boolean => true;

const attempts = ({ flow, run, words, prose, lang }: ReportContext): void => {
  const { head } = words;
  const checked = ({ probes, ejections }: LinkTotals): boolean => probes.sent > 0 || ejections > 0;
  const time = (key: 'p50' | 'p95') => ({ latencyMs }: LinkTotals): string => (latencyMs ? latency(latencyMs[key]) : unknown[lang]);
  const all: readonly Part[] = [
    { title: head.sent, width: 50, cell: ({ sent }) => count(sent), shown: always },
    { title: head.good, width: 50, cell: ({ good }) => count(good), shown: always },
    { title: head.declined, width: 44, cell: ({ declined }) => count(declined), shown: ({ declined }) => declined > 0 },
    { title: head.refused, width: 48, cell: ({ refused }) => count(sumOfReasons(refused)), shown: always },
    { title: head.failed, width: 46, cell: ({ failed }) => count(sumOfReasons(failed)), shown: always },
    { title: head.retries, width: 44, cell: ({ retries }) => count(retries), shown: ({ retries }) => retries > 0 },
    { title: 'p50', width: 46, cell: time('p50'), shown: always },
    { title: 'p95', width: 46, cell: time('p95'), shown: always },
    { title: head.badProbes, width: 52, cell: (link) => (link.probes.sent > 0 ? count(link.probes.bad) : words.none), shown: checked },
    { title: head.ejections, width: 38, cell: (link) => (checked(link) ? count(link.ejections) : words.none), shown: checked },
  ];
  const links = Object.entries(run.links);
  const parts = all.filter(({ shown }) => links.some(([, link]) => shown(link)));
  flow.h2(`${markOnly('counted')}${words.title.links}`, prose('sections', 'linksNote'));
  drawTable(flow, {
    title: words.title.links,
    empty: words.nothing,
    size: 7.6,
    columns: namedAnd(head.link, parts.map(({ title, width }) => ({ title, width, align: 'end' }))),
    rows: links.map(([name, link]): Cell[] => [linkName(name, run.system.links), ...parts.map(({ cell }) => cell(link))]),
  });
};

/** Pools: what was in use, what opening and waiting came to. */
const connections = ({ flow, run, words, prose }: ReportContext): void => {
  const { head } = words;
  const pools = Object.entries(run.links).flatMap(([name, { pool }]) => (pool ? [{ name, pool, max: run.system.links.find((link) => `${link.caller}.${link.callee}` === name)?.pool?.max ?? null }] : []));
  if (pools.length === 0) return;
  const number = (title: string, width: number): TableColumn => ({ title, width, align: 'end' });
  flow.space(8);
  flow.h2(`${markOnly('counted')}${words.title.pools}`, prose('sections', 'poolsNote'));
  drawTable(flow, {
    title: words.title.pools,
    empty: words.nothing,
    size: 7.6,
    columns: namedAnd(head.link, [number(head.mostInUse, 62), number(head.mostWaiting, 62), number(head.opened, 56), number(head.waits, 52), number(head.meanWait, 58), number('p95', 46), number(head.longest, 50)]),
    rows: pools.map(({ name, pool, max }): Cell[] => [
      linkName(name, run.system.links),
      max === null ? count(pool.inUse.max) : words.outOf(count(pool.inUse.max), count(max)),
      ...[pool.waiting.max, pool.opened, pool.waitMs?.count ?? 0].map(count),
      ...(['mean', 'p95', 'max'] as const).map((key) => (pool.waitMs ? latency(pool.waitMs[key]) : words.none)),
    ]),
  });
};

/** The column of names takes what the numbers leave. */
export const namedAnd = (title: string, numbers: readonly TableColumn[]): TableColumn[] => [
  { title, width: column.width - numbers.reduce((sum, { width }) => sum + width, 0), weight: 600 },
  ...numbers,
];
