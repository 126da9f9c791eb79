// One thread of the fuzzer: makes texts, tries them, and keeps those that reach code which no text before has reached.
import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { parse, simulate } from '../../dist/src/index.js';
import { FaultreelError } from '../../dist/src/errors.js';
import { faultIn } from './check.mjs';
import { mutator, randomOf } from './mutate.mjs';

const { seed, words, texts } = workerData;
const random = randomOf(seed);
const mutate = mutator(random, words);
const corpus = [...texts];

const session = new Session();
session.connect();
const ask = (method, options) => {
  let answer;
  session.post(method, options, (error, result) => (answer = result));
  return answer;
};
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const seen = new Set();
const reachesMore = () => {
  let more = false;
  for (const { url, functions } of ask('Profiler.takePreciseCoverage').result) {
    if (!url.includes('/dist/src/')) continue;
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) {
        const key = `${url}:${startOffset}:${endOffset}`;
        if (count > 0 && !seen.has(key)) {
          seen.add(key);
          more = true;
        }
      }
    }
  }
  return more;
};

for (let done = 0; ; done++) {
  const text = done < texts.length ? texts[done] : mutate(corpus[Math.floor(random() * corpus.length)]);
  parentPort.postMessage({ kind: 'case', text });
  const fault = faultIn(text, { parse, simulate, FaultreelError });
  const isNew = reachesMore();
  if (isNew && done >= texts.length) corpus.push(text);
  parentPort.postMessage({ kind: 'done', fault, text: fault ? text : '', blocks: seen.size, corpus: corpus.length });
}
