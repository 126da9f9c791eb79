import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Hands, parse, realHost, study, writeStudy, type OpenExecutor, type ResultOf, type Job } from '../../src/index.js';

/** Sends jobs as text, as a network would, and does them elsewhere. */
const elsewhere = (sent: string[]): OpenExecutor => ({ host, signal }) => {
  const hands = new Hands(host);
  return {
    async runJobs<J extends Job>(jobs: readonly (() => J)[]) {
      const results: ResultOf<J>[] = [];
      for (const job of jobs) {
        const made = job();
        sent.push(made.kind);
        results.push(structuredClone(await hands.do(structuredClone(made), { signal, onProgress: () => undefined, onNotice: () => undefined })));
      }
      return results;
    },
    close: () => hands.close(),
  };
};

it('the library studies through an executor of the caller, and comes to the same', async () => {
  const scenario = parse(readFileSync(path.resolve(import.meta.dirname, '../support/short.yaml'), 'utf8'), { file: 'shop.yaml' });
  const sent: string[] = [];
  const options = { seeds: 2, threads: 1, host: { ...realHost(), cores: 1 } };
  const [ours, theirs] = [await study(scenario, options), await study(scenario, { ...options, openExecutor: elsewhere(sent) })];
  expect(writeStudy(theirs)).toBe(writeStudy(ours));
  expect(sent).toEqual(['simulate', 'simulate', 'simulate', 'simulate']);
});
