import { grouped } from '../grouped.js';
import { bounds as usual, limits } from '../limits.js';
import type { Link, Service, System, Traffic } from '../model.js';
import type { Asking } from './asking.js';

/** What a run would keep in memory, before it is begun: numbers of its record, and what each caller instance knows of each instance it calls. */
export const checkSize = (asking: Asking): void => {
  const { system } = asking;
  const parts = partsOf(system);
  const ticks = system.durationMs / system.tickMs;
  const most = (system.bounds ?? usual).samples;
  const largest = (of: (part: Part) => number): Part => parts.reduce((best, part) => (of(part) > of(best) ? part : best));
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
  if (parts.length === 0) return;
  const stretches = new Set(system.phases.flatMap(({ fromMs, toMs }) => [fromMs, toMs])).size + 1;
  const inTraffic = histogramNumbers * system.traffic.length * (2 * stretches + Math.min(ticks, trailingMs / system.tickMs));
  if (inTraffic > most) {
    const path = system.phases.length > 10 && stretches * 2 > trailingMs / system.tickMs ? 'phases' : 'traffic';
    asking.complainKey(path, `expected a run that keeps at most ${grouped(most)} numbers, found ${grouped(Math.round(inTraffic))}: the latencies of ${grouped(system.traffic.length)} traffics in ${grouped(stretches)} stretches between the ends of phases, and in ticks of ${system.tickMs}ms`, `fewer phases or traffics, or a longer \`tick\`; on a machine with ${grouped(Math.ceil((inTraffic * 8) / 2 ** 30))} GiB to spare: --set bounds.samples=${Math.ceil(inTraffic)}`);
  }
  const samples = sum(({ columns }) => columns) * ticks;
  const pairs = sum((part) => part.pairs);
  if (samples > most) {
    const { path, columns } = largest((part) => part.columns);
    asking.complainKey(path, `expected a run that keeps at most ${grouped(most)} numbers, found ${grouped(Math.round(samples))}: ${grouped(Math.round(ticks))} ticks of ${grouped(sum((part) => part.columns))} columns, ${grouped(columns)} of them for \`${path}\``, `fewer instances, fewer links, a longer \`tick\`, or a shorter run; on a machine with ${grouped(Math.ceil((samples * 8) / 2 ** 30))} GiB to spare: --set bounds.samples=${Math.ceil(samples)}`);
  }
  if (pairs > limits.pairs) {
    const { path, pairs: own } = largest((part) => part.pairs);
    asking.complainKey(path, `expected at most ${grouped(limits.pairs)} pairs of a caller instance and an instance that it calls, found ${grouped(pairs)}, ${grouped(own)} of them for \`${path}\``, 'fewer instances on one side');
  }
};

/** What a distribution of latencies takes, in numbers of eight bytes, and for how long single ticks keep theirs. */
const histogramNumbers = 9_600;
const trailingMs = 10_000;

interface Part {
  readonly path: string;
  readonly columns: number;
  readonly pairs: number;
}

/** Columns that the record has for each: levels have three, ends four. */
const columnsOf = { instance: 24, target: 7, caller: 11, source: 20 } as const;

const partsOf = ({ services, traffic }: System): readonly Part[] => {
  const instances = new Map(services.map((service) => [service.name, mostOf(service)]));
  const linkParts = (links: readonly Link[], callers: number): Part[] =>
    links.map(({ path, callee }) => {
      const targets = instances.get(callee) ?? 0;
      return { path, columns: targets * columnsOf.target + callers * columnsOf.caller, pairs: targets * callers };
    });
  const copies = ({ from }: Traffic): number => (from === undefined ? 1 : (instances.get(from) ?? 1));
  return [
    ...services.flatMap((service) => [{ path: `services.${service.name}`, columns: mostOf(service) * columnsOf.instance, pairs: 0 }, ...linkParts(service.links, mostOf(service))]),
    ...traffic.flatMap((source) => [{ path: `traffic.${source.name}`, columns: columnsOf.source, pairs: 0 }, ...linkParts(source.links, copies(source))]),
  ];
};

const mostOf = ({ instances, autoscale }: Service): number => Math.max(instances.value, autoscale?.max.value ?? 0) || 0;
