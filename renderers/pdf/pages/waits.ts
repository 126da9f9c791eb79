import { count, latency } from '../../look/numbers.js';
import type { LatencySummary, LockTotals } from '../../../src/study/types.js';
import type { ReportContext } from '../context.js';
import { bold, clean, faint, markOnly } from '../rich.js';
import { drawTable, type Cell, type TableColumn } from '../table.js';
import { namedAnd } from './links.js';

const number = (title: string, width: number): TableColumn => ({ title, width, align: 'end' });

/** Who waited for which lock, in each phase and over the run. */
export const lockTable = ({ flow, run, words, prose }: ReportContext): void => {
  const locks = Object.entries(run.locks);
  if (locks.length === 0) return;
  const { head } = words;
  flow.h2(`${markOnly('counted')}${words.title.locks}`, prose('sections', 'locksNote'));
  const waits = (summary: LatencySummary | null): string[] => [count(summary?.count ?? 0), ...(['mean', 'p95', 'max'] as const).map((key) => (summary ? latency(summary[key]) : words.none))];
  const rowsOf = ([name, totals]: [string, LockTotals]): Cell[][] => {
    const phases = Object.entries(run.phases).flatMap(([phase, { locks: own }]) => (own[name]?.waitMs ? [{ phase, waitMs: own[name].waitMs }] : []));
    return [
      [clean(name), words.wholeRun, count(totals.taken), count(totals.timeouts), ...waits(totals.waitMs), count(totals.waiting.max)],
      ...phases.map(({ phase, waitMs }): Cell[] => [faint(clean(name)), clean(phase), words.none, words.none, ...waits(waitMs), words.none]),
    ];
  };
  drawTable(flow, {
    title: words.title.locks,
    empty: words.nothing,
    size: 7.6,
    columns: namedAnd(head.lock, [{ title: head.phase, width: 84 }, number(head.taken, 50), number(head.notHad, 48), number(head.waits, 48), number(head.meanWait, 54), number('p95', 46), number(head.longest, 48), number(head.mostWaiting, 50)]),
    rows: locks.flatMap(rowsOf),
  });
  flow.space(8);
};

/** Pushes to the sockets of each traffic that has them. */
export const deliveryTable = ({ flow, run, words, prose }: ReportContext): void => {
  const traffics = Object.entries(run.traffic).filter(([, { deliveries }]) => deliveries !== null);
  if (traffics.length === 0) return;
  const { head } = words;
  flow.h2(`${markOnly('counted')}${words.title.deliveries}`, prose('sections', 'deliveriesNote'));
  drawTable(flow, {
    title: words.title.deliveries,
    empty: words.nothing,
    size: 7.6,
    columns: namedAnd(head.traffic, [{ title: head.phase, width: 140 }, number(head.delivered, 80), number(head.missed, 80)]),
    rows: traffics.flatMap(([name, whole]) =>
      [...Object.entries(run.phases).map(([phase, { traffic }]) => [phase, traffic[name]] as const), [words.wholeRun, whole] as const].map(([phase, totals]): Cell[] => [
        clean(name),
        clean(phase),
        ...(totals.deliveries ? [bold(count(totals.deliveries.made)), bold(count(totals.deliveries.missed))] : [words.none, words.none]),
      ]),
    ),
  });
  flow.space(8);
};

/** Sockets that each instance held open. */
export const socketTable = ({ flow, run, words }: ReportContext): void => {
  const rows = Object.entries(run.services).flatMap(([service, { instances }]) =>
    instances.filter(({ connections }) => connections.max > 0).map(({ number: nth, connections }): Cell[] => [`${clean(service)} #${nth}`, count(connections.mean), bold(count(connections.max))]),
  );
  if (rows.length === 0) return;
  flow.space(8);
  flow.h2(`${markOnly('counted')}${words.title.sockets}`);
  drawTable(flow, { title: words.title.sockets, empty: words.nothing, size: 7.6, columns: namedAnd(words.head.instance, [number(words.head.mean, 80), number(words.head.most, 80)]), rows });
};
