import { cpuChart, fleetChart, fleetHeight, memoryChart, type FleetChart } from '../../charts/fleet.js';
import { estimatedInstances, estimatedRows, launchedNumbers } from '../../charts/instances.js';
import { highest } from '../../charts/sampling.js';
import { drawBasis } from '../../look/basis-marks.js';
import { Canvas, type Drawing } from '../../look/drawing.js';
import { print } from '../../look/palette.js';
import type { PictureService, Run } from '../../../src/study/types.js';
import { listed } from '../../../src/text/events.js';
import { stageWords } from '../../../src/text/stage.js';
import { shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { clean, markOnly } from '../rich.js';
import { lettersOf } from '../key-moments.js';

interface Panel {
  readonly title: string;
  readonly draw: (chart: FleetChart) => Drawing;
}

const gap = 12;
const perRow = 3;
const width = (column.width - (perRow - 1) * gap) / perRow;
const height = 12 + fleetHeight;

/** CPU, memory and scaling of each service, as formulas made them. Services of one instance stand together: what is true of the service is true of the instance. */
export const estimates = (report: ReportContext): void => {
  const { flow, run, words, prose, lang } = report;
  const services = run.system.services.map((service) => ({ service, panels: panelsOf(report, service) })).filter(({ panels }) => panels.length > 0);
  const isSingle = ({ service }: { service: PictureService }): boolean => launchedNumbers(run, service.name).length <= 1;
  for (const { service, panels } of services.filter((own) => !isSingle(own))) fleet(report, service, panels);
  const singles = services.filter(isSingle).flatMap(({ service, panels }) => panels.map(({ title, draw }) => ({ service: service.name, title: `${clean(service.name)} ${title}`, draw })));
  if (singles.length > 0) {
    flow.h2(`${markOnly('estimated')}${words.title.estimates}`, prose('sections', 'estimates', {}));
    for (let from = 0; from < singles.length; from += perRow) {
      row(report, singles.slice(from, from + perRow));
      flow.space(6);
    }
    flow.space(4);
  }
  const unknown = run.system.services.filter(({ name }) => highestOf(run, name, 'memoryBytes') === 0 && highestOf(run, name, 'cpuCores') > 0);
  if (unknown.length > 0) {
    flow.paragraph(prose('sections', 'memoryUnknown', { services: listed(unknown.map(({ name }) => clean(name)), lang) }), styles.small);
    flow.space(10);
  }
};

/** What is nothing all the time is left out: nobody said anything of it. */
const panelsOf = ({ run, lang }: ReportContext, { name, cpus, memoryLimitBytes, autoscale }: PictureService): Panel[] => {
  const { cpu, memory, autoscaler } = stageWords[lang];
  return [
    ...(cpus !== null && highestOf(run, name, 'cpuCores') > 0 ? [{ title: `≈ ${cpu}`, draw: cpuChart }] : []),
    ...(memoryLimitBytes !== null && highestOf(run, name, 'memoryBytes') > 0 ? [{ title: `≈ ${memory}`, draw: memoryChart }] : []),
    ...(autoscale ? [{ title: `≈ ${autoscaler}`, draw: fleetChart }] : []),
  ];
};

const highestOf = (run: Run, service: string, key: 'cpuCores' | 'memoryBytes'): number =>
  Math.max(0, ...(run.ticks.services[service]?.instances ?? []).map((instance) => highest(instance[key].max, run.ticks.count)));

const commonOf = (report: ReportContext): Omit<FleetChart, 'service' | 'width'> => {
  const { run, study, lang } = report;
  return { run, durationMs: run.durationMs, tickMs: study.scenario.tickMs, lang, shaded: shadedPhase(report), events: lettersOf(report) };
};

/** Panels beside each other, each under its title. */
const row = (report: ReportContext, panels: readonly (Panel & { readonly service: string })[]): void => {
  const common = commonOf(report);
  const parts = panels.flatMap(({ service, title, draw }, index) => {
    const head = new Canvas(width, 12, { fill: print.text, size: 8 });
    drawBasis(head, 'estimated', 4, 5.2, 7, print.text, 0.75);
    head.text(11, 8, title, { weight: 700 });
    const x = index * (width + gap);
    return [{ drawing: head.drawing(), x, y: 0 }, { drawing: report.remember(`estimated ${service} ${title}`, () => draw({ ...common, service, width })), x, y: 12 }];
  });
  report.flow.figure(parts, { width: column.width, height, alt: `${report.words.title.estimates}: ${panels.map(({ title }) => title).join(', ')}` });
};

/** A service of several instances: their panels, then each of them. */
const fleet = (report: ReportContext, { name }: PictureService, panels: readonly Panel[]): void => {
  const { flow, run, words, prose } = report;
  flow.h2(`${markOnly('estimated')}${words.title.estimates}`, prose('sections', 'estimates', { service: clean(name) }), height + 60);
  row(report, panels.map((panel) => ({ ...panel, service: name })));
  flow.space(8);
  const numbers = launchedNumbers(run, name);
  for (let from = 0; from < numbers.length; ) {
    // As many rows as the page still takes, so that a tall picture does not leave half a page free.
    const fitting = estimatedRows(flow.left);
    const rows = numbers.slice(from, from + (fitting < 2 ? 6 : Math.min(6, fitting)));
    from += rows.length;
    const times = from >= numbers.length;
    flow.drawing(report.remember(`estimated ${name} ${rows.join(' ')} ${times}`, () => estimatedInstances({ ...commonOf(report), service: name, numbers: rows, width: column.width, times })), `${words.title.estimatedInstances}: ${clean(name)} ${rows.map((number) => `#${number}`).join(', ')}`);
  }
  flow.space(10);
};
