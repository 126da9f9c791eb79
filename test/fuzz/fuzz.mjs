// npm run fuzz -- <seconds of processor time> [seed]: tries changed scenarios on the compiled product (npm run build first). What is found lands in coverage/fuzz and ends it with 1.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { jsonSchema } from '../../dist/src/scenario/index.js';
import { wordsOf } from './mutate.mjs';

const [seconds = 60, firstSeed = 1] = process.argv.slice(2).map(Number);
const root = path.resolve(import.meta.dirname, '../..');
const found = path.join(root, 'coverage/fuzz');
/** A case takes some hundred milliseconds of processor time, which a loaded machine does not stretch. */
const hangAfterMs = 30_000;
const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us / 1_000, 0);

const yamlIn = (folder) => readdirSync(path.join(root, folder), { recursive: true }).filter((file) => String(file).endsWith('.yaml')).sort().map((file) => readFileSync(path.join(root, folder, String(file)), 'utf8'));
const texts = [...yamlIn('test/fuzz/corpus'), ...yamlIn('test/scenario/fixtures'), readFileSync(path.join(root, 'test/support/short.yaml'), 'utf8'), ...yamlIn('scenarios').map((text) => text.replace(/^duration: .*$/m, 'duration: 20m'))];
const words = wordsOf(jsonSchema());

const faults = new Map();
const keep = (fault, text) => {
  const [first] = fault.split('\n');
  if (faults.has(first)) return;
  faults.set(first, text);
  mkdirSync(found, { recursive: true });
  const file = path.join(found, `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.yaml`);
  writeFileSync(file, text);
  process.stdout.write(`${file}\n  ${fault.split('\n').slice(0, 6).join('\n  ')}\n`);
};

const isOver = () => cpuMs() >= seconds * 1_000;
let cases = 0;
let state = { blocks: 0, corpus: 0 };
for (let seed = firstSeed; !isOver(); seed++) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { seed, words, texts }, resourceLimits: { maxOldGenerationSizeMb: 1_500 } });
  let text = '';
  let since = cpuMs();
  await new Promise((resolve) => {
    const end = () => {
      clearInterval(watch);
      void worker.terminate().then(resolve);
    };
    const watch = setInterval(() => {
      if (cpuMs() - since > hangAfterMs) {
        keep('a hang', text);
        end();
      } else if (isOver()) end();
    }, 200);
    worker.on('error', (error) => {
      keep(`the thread ended: ${error.message}`, text);
      end();
    });
    worker.on('message', (message) => {
      since = cpuMs();
      if (message.kind === 'case') text = message.text;
      else {
        cases++;
        state = message;
        if (message.fault) keep(message.fault, message.text);
      }
    });
  });
}
process.stdout.write(`${cases} cases, ${state.blocks} blocks of code reached, ${state.corpus} texts kept, ${faults.size} faults, ${Math.round(cpuMs() / 1_000)} s of processor time\n`);
process.exitCode = faults.size > 0 ? 1 : 0;
