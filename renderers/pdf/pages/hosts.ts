import { fleetHeight } from '../../charts/fleet.js';
import { hostCpuChart, hostMemoryChart } from '../../charts/hosts.js';
import { drawBasis } from '../../look/basis-marks.js';
import { Canvas, type Drawing } from '../../look/drawing.js';
import { bytes, cores, share, unknown, unlimited } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import { stageWords } from '../../../src/text/stage.js';
import { estimated, shadedPhase, type ReportContext } from '../context.js';
import { column } from '../flow.js';
import { bold, clean, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { namedAnd } from './links.js';

/** CPU and memory of each machine that services share, over time and in a table. */
export const hosts = (report: ReportContext): void => {
  const { flow, run, study, words, prose, lang } = report;
  if (run.system.hosts.length === 0) return;
  for (const { name } of run.system.hosts) {
    flow.h2(`${markOnly('estimated')}${words.title.hosts}`, prose('sections', 'hosts', { host: clean(name) }));
    const drawings = chartsOf(report, name);
    flow.figure(drawings.flat(), { width: column.width, height: 12 + fleetHeight, alt: `${words.title.hosts}: ${clean(name)}, ${stageWords[lang].cpu}, ${stageWords[lang].memory}` });
    flow.space(8);
  }
  const { cpu, memory } = stageWords[lang];
  const end = (title: string, width: number) => ({ title, width, align: 'end' as const });
  drawTable(flow, {
    title: words.title.hosts,
    empty: words.nothing,
    columns: namedAnd(words.head.machine, [end(`${cpu}, ${words.head.mean}`, 76), end(`${cpu}, ${words.head.most}`, 76), end(words.head.coresLimit, 76), end(`${memory}, ${words.head.most}`, 86), end(words.limit, 76)]),
    rows: run.system.hosts.map(({ name, cpus, memoryBytes }): Cell[] => {
      const totals = run.hosts[name];
      // What the host itself does not say is its machine's, a maker's fact.
      const set = (key: string, text: string): string => say(text, study.inputs.find(({ path }) => path === `hosts.${name}.${key}`)?.basis ?? 'spec');
      return [clean(name), estimated(cores(totals.cpuCores.mean)), bold(estimated(cores(totals.cpuCores.max))), cpus === null ? unlimited[lang] : set('cpus', cores(cpus)), totals.memoryBytes.max > 0 ? bold(estimated(bytes(totals.memoryBytes.max))) : unknown[lang], memoryBytes === null ? unlimited[lang] : set('memory', bytes(memoryBytes))];
    }),
  });
  flow.space(10);
};

const chartsOf = ({ run, study, lang, ...report }: ReportContext, host: string): { drawing: Drawing; x: number; y: number }[][] => {
  const { tickMs } = study.scenario;
  const width = (column.width - 12) / 2;
  const { cpu, memory } = stageWords[lang];
  const known = run.hosts[host].memoryBytes.max > 0;
  return [{ title: `≈ ${cpu}`, draw: hostCpuChart }, ...(known ? [{ title: `≈ ${memory}`, draw: hostMemoryChart }] : [])].map(({ title, draw }, index) => {
    const head = new Canvas(width, 12, { fill: print.text, size: 8 });
    drawBasis(head, 'estimated', 4, 5.2, 7, print.text, 0.75);
    head.text(11, 8, title, { weight: 700 });
    const x = index * (width + 12);
    const shaded = shadedPhase({ run, study, lang, ...report });
    return [{ drawing: head.drawing(), x, y: 0 }, { drawing: draw({ run, host, durationMs: run.durationMs, tickMs, width, lang, shaded }), x, y: 12 }];
  });
};

/** Instances whose CPU quota was used up while they had work. */
export const throttling = ({ flow, run, words, prose }: ReportContext): void => {
  const rows = Object.entries(run.services).flatMap(([service, { instances }]) =>
    instances.filter(({ throttled }) => throttled > 0).map(({ number, throttled }): Cell[] => [`${clean(service)} #${number}`, bold(estimated(share(throttled)))]),
  );
  if (rows.length === 0) return;
  flow.h2(`${markOnly('estimated')}${words.title.throttling}`, prose('sections', 'throttlingNote'));
  drawTable(flow, { title: words.title.throttling, empty: words.nothing, columns: namedAnd(words.head.instance, [{ title: words.head.throttled, width: 110, align: 'end' }]), rows });
  flow.space(10);
};
