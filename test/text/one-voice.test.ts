import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { figure } from '../../renderers/look/figure.js';
import { clock, count, money, resultValue } from '../../renderers/look/numbers.js';
import { settlingFirst } from '../../renderers/look/settling.js';
import { intervalText, whySure } from '../../renderers/look/sureness.js';
import { writeReport } from '../../renderers/pdf/report.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { summaryMarkdown } from '../../renderers/text/markdown.js';
import { terminalText } from '../../renderers/text/terminal.js';
import { webVtt } from '../../renderers/video/captions.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import { planSweeps } from '../../src/pipeline/load.js';
import { silent } from '../../src/pipeline/progress.js';
import { makeStudy } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { beganAtMs } from '../../src/study/events.js';
import { readStudy } from '../../src/study/read.js';
import type { Lang, Study, Verdict } from '../../src/study/types.js';
import { writeStudy } from '../../src/study/write.js';
import { testHost } from '../support/host.js';
import { readPdf } from '../support/pdf-text.js';
import { textsOf } from '../support/shapes.js';

const file = 'short.yaml';
const text = readFileSync(new URL('../support/short.yaml', import.meta.url), 'utf8');
const variant = 'as-it-is';

/** As one text: marks, line breaks and kinds of space are how each of them is laid out. */
const plain = (written: string): string => written.replace(/\\([\\`*_[\]#!|~@-])/g, '$1').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replace(/\s+/g, ' ');

interface Voices {
  readonly terminal: string;
  readonly markdown: string;
  readonly pdf: string;
  readonly card: string;
  readonly captions: string;
}

const voicesOf = async (study: Study, lang: Lang): Promise<Voices> => {
  const pdf = readPdf(await writeReport(study, { lang, attachments: [], command: 'faultreel run short.yaml' }));
  return {
    terminal: plain(terminalText(study, { variant, lang, everyMs: 1000 })),
    markdown: plain(summaryMarkdown(study, { variant, lang })),
    pdf: plain(pdf.pages.map((page) => page.text).join(' ')),
    card: plain(textsOf(verdictCard(study, variant, { lang, theme: 'dark' })).join(' ')),
    captions: plain(webVtt(storyboard(study, { variant, lang, theme: 'dark' }))),
  };
};

describe.each(['en', 'ko'] as const)('terminal, JSON, Markdown, report and film say the same (%s)', (lang) => {
  let study: Study;
  let voices: Voices;
  beforeAll(async () => {
    const scenario = parseScenario(text, { file });
    const sweeps = planSweeps(scenario, [{ path: 'values.normal', from: '10/s', to: '40/s', points: 4 }], { set: [] });
    study = await makeStudy(scenario, { seeds: 6, sensitivity: 'ends', sweeps, threads: 1 }, { host: testHost([]), progress: silent, signal: new AbortController().signal });
    voices = await voicesOf(study, lang);
  }, 120_000);

  const own = (): Verdict[] => study.verdicts.filter((verdict) => verdict.variant === variant);
  const said = (of: keyof Voices, words: string): void => expect(voices[of].includes(plain(words)), `${of} says ${words}`).toBe(true);

  it('of each objective: what it came to, over the seeds, and why it is as sure as it is', () => {
    expect(own().map(({ seeds }) => seeds?.of)).toEqual([6, 6]);
    for (const verdict of own()) {
      const result = figure(resultValue(verdict.actual, verdict.unit, lang), verdict.basis).text;
      for (const voice of ['terminal', 'markdown', 'pdf', 'card'] as const) said(voice, result);
      for (const voice of ['terminal', 'markdown', 'pdf'] as const) said(voice, intervalText(verdict.seeds!, verdict.unit, lang));
      for (const voice of ['terminal', 'markdown'] as const) said(voice, whySure(verdict, study.inputs, lang));
      for (const number of whySure(verdict, study.inputs, lang).match(/[\d.,]*\d/g) ?? []) said('pdf', number);
    }
  });

  it('of the guesses to measure first: which, and in which order', () => {
    const names = settlingFirst(study, variant).map(({ input }) => input.path.split('.').at(-1)!);
    expect(names[0]).toBe('order-cpu');
    for (const voice of Object.keys(voices) as (keyof Voices)[]) {
      if (voice === 'captions') continue;
      for (const name of names) said(voice, name);
    }
  });

  it('of the traffic: how many ended in which way', () => {
    const { offered, good } = study.runs[variant].traffic['orders'];
    for (const value of [offered, good]) for (const voice of ['terminal', 'markdown', 'pdf'] as const) said(voice, count(value));
  });

  it('of what broke first, when, and since when its cause was full', () => {
    const { tMs, resource } = study.runs[variant].firstToBreak!;
    for (const voice of ['terminal', 'markdown', 'pdf'] as const) said(voice, clock(tMs));
    for (const voice of ['terminal', 'markdown', 'pdf', 'card'] as const) said(voice, clock(resource!.sinceMs));
  });

  it('of the fault and of each kill and ejection: when', () => {
    const events = study.runs[variant].eventLog.filter(({ kind }) => kind === 'fault' || kind === 'oom' || kind === 'crashed');
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) for (const voice of ['terminal', 'pdf'] as const) said(voice, clock(beganAtMs(event)));
    said('captions', '#2');
  });

  it('of the cost', () => {
    const { amount, currency } = study.runs[variant].cost;
    for (const voice of ['terminal', 'markdown', 'pdf'] as const) said(voice, `≈${money(amount!, currency!)}`);
  });

  it('of the sweep: its values and its figures', () => {
    const [sweep] = study.sweeps;
    expect(sweep.values).toEqual([10, 20, 30, 40]);
    for (const value of sweep.values) for (const voice of ['terminal', 'markdown'] as const) said(voice, `${value}/s`);
  });

  it('of study.json: read back, it says all of that again', async () => {
    expect(await voicesOf(readStudy(writeStudy(study), 'study.json'), lang)).toEqual(voices);
  });
});
