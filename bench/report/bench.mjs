// npm run bench:report [-- --scenario scenarios/mesh/screen-api.yaml --rounds 7]
// A report against pdfkit asked for exactly the same: rounds of each, one after the other, and ratios within a round.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { record, replay } from './record.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { values: flags } = parseArgs({
  options: {
    scenario: { type: 'string', default: path.join(root, 'scenarios/order-api-spike.yaml') },
    study: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    dist: { type: 'string', default: path.join(root, 'dist') },
  },
});
const load = (file) => import(path.join(path.resolve(flags.dist), file));

const goal = 1.5;

const studyOf = async () => {
  const { parse, simulate, readStudy } = await load('src/index.js');
  return flags.study ? readStudy(readFileSync(flags.study, 'utf8'), flags.study) : simulate(parse(readFileSync(flags.scenario, 'utf8'), { file: flags.scenario }));
};

const timed = async (run) => {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const range = (values, digits = 0) => `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

const figuresIn = (element) => (element.tag === 'Figure' && element.box.height > 30 ? 1 : 0) + (element.children ?? []).reduce((sum, child) => sum + (child.tag ? figuresIn(child) : 0), 0);

const study = await studyOf();
const [{ layReport, writeReport }, { writeBook }, { reportOf }] = [await load('renderers/pdf/report.js'), await load('renderers/pdf/write-book.js'), await load('src/pipeline/produce.js')];
const options = { lang: 'en', command: 'faultreel run', attachments: [] };

const cold = await timed(() => writeReport(study, options));
const book = await layReport(study, options);
const calls = await record(() => writeBook(book));
process.stdout.write(`${os.cpus()[0].model}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}; Node ${process.version}\n`);
process.stdout.write(`${book.pages} pages, ${figuresIn(book.root)} figures, ${(cold.result.length / 1024).toFixed(0)} KiB; the first in this process: ${cold.ms.toFixed(0)} ms\n`);
const same = await replay(calls);
if (Math.abs(same.length - cold.result.length) > cold.result.length * 0.02) throw new Error(`the same calls gave ${same.length} bytes where the report has ${cold.result.length}`);

const variant = Object.keys(study.runs)[0];
const subjects = {
  report: () => writeReport(study, options),
  layout: () => layReport(study, options),
  pdfkit: () => replay(calls),
  'pdfkit, each text shaped once': () => replay(calls, { keepShapes: true }),
  'with attachments': () => reportOf(study, { lang: 'en', variant }),
};
const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
for (let round = 0; round < Number(flags.rounds); round++) for (const [name, run] of Object.entries(subjects)) times[name].push((await timed(run)).ms);

for (const [name, values] of Object.entries(times)) process.stdout.write(`${name.padEnd(32)}${range(values)} ms\n`);
for (const against of ['pdfkit', 'pdfkit, each text shaped once']) {
  const ratios = times.report.map((ms, round) => ms / times[against][round]);
  process.stdout.write(`${`report / ${against}`.padEnd(40)}${range(ratios, 2)}, goal ${goal}: ${median(ratios) <= goal ? 'kept' : 'broken'}\n`);
}
