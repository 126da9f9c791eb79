import { clock, count } from '../../renderers/look/numbers.js';
import type { Host } from '../host.js';
import type { Lang } from '../study/types.js';
import type { DryRun } from '../pipeline/dry-run.js';
import type { DryRender } from '../pipeline/dry-render.js';
import type { Span } from '../pipeline/estimates.js';
import type { ExpectedRequests } from '../pipeline/expected-requests.js';

/** Prints what would be done, for people or as JSON. */
export const printPlans = (plans: readonly DryRun[], { json = false, lang }: { readonly json?: boolean; readonly lang: Lang }, { stdout }: Pick<Host, 'stdout'>): void => {
  if (json) stdout.write(`${JSON.stringify(plans, null, 2)}\n`);
  else stdout.write(`${plans.map((plan) => dryRunText(plan, lang)).join('\n')}\n${closing}`);
};

/** Prints what `render` or `compare` would make. */
export const printRender = (plan: DryRender, { json = false }: { readonly json?: boolean }, { stdout }: Pick<Host, 'stdout'>): void => {
  if (json) return stdout.write(`${JSON.stringify(plan, null, 2)}\n`);
  const simulated = plan.simulated.map(({ file, variants }) => `${file} (${variants.join(', ')})`).join(', ');
  const writes = plan.files.map(({ file, replaces }, i) => [i === 0 ? 'writes' : '', `${file}${replaces ? ' (replaced)' : ''}`] as const);
  stdout.write([...rows([['shown', plan.shown.join(' against ')], ['simulated', simulated === '' ? 'nothing' : simulated], ['film', filmText(plan)], ...(writes.length > 0 ? writes : [['writes', 'nothing'] as const])]), '', closing].join('\n'));
};

const closing = 'Nothing was simulated, filmed or written; browser and encoder were not looked at (faultreel doctor does).\n';

/** A dry run as the terminal shows it: what is known, and with "about" what is estimated. */
export const dryRunText = (plan: DryRun, lang: Lang): string =>
  [
    `${plan.file}: ${plan.title[lang]}`,
    ...rows([
      ['variants', plan.variants.map((name) => (name === plan.variant && plan.variants.length > 1 ? `${name} (shown)` : name)).join(', ')],
      ['simulated', `${clock(plan.durationMs)} in ${count(plan.ticks)} ticks of ${plan.tickMs / 1000} s, ${plan.seeds.length === 1 ? `seed ${plan.seeds[0]}` : `${count(plan.seeds.length)} seeds from ${plan.seeds[0]} on`}`],
      ['runs', runsText(plan)],
      ['requests', requestsText(plan)],
      ['film', filmText(plan)],
      ['time', timeText(plan)],
      ...writesRows(plan),
    ]),
    '',
  ].join('\n');

const rows = (pairs: readonly (readonly [string, string])[]): string[] => pairs.map(([name, text]) => `  ${name.padEnd(10)} ${text}`);

const runsText = ({ runs, seeds }: DryRun): string => {
  const parts = [
    `${count(runs.shown)} shown${seeds.length > 1 ? ' and by seed' : ''}`,
    ...(runs.ends > 0 ? [`${count(runs.ends)} for both ends of the ranges`] : []),
    ...(runs.sweeps > 0 ? [`${count(runs.sweeps)} for the sweeps`] : []),
  ];
  const further = runs.testedVerdicts > 0 ? `; then a few more for each of ${count(runs.testedVerdicts)} verdicts, where one turns or for its worst corner` : '';
  return `${count(runs.shown + runs.ends + runs.sweeps)}: ${parts.join(', ')}${further}`;
};

/** Variants that expect the same are told once. */
const requestsText = ({ requests }: DryRun): string => {
  const byText = new Map<string, string[]>();
  for (const { variant, traffic } of requests) {
    const text = traffic.map(requestText).join(', ');
    byText.set(text, [...(byText.get(text) ?? []), variant]);
  }
  return [...byText].map(([text, variants]) => `${text} a run${byText.size > 1 ? ` (${variants.join(', ')})` : ''}`).join('; ');
};

const requestText = ({ traffic, count: sent, is }: ExpectedRequests): string => (sent === null ? `${traffic} as many as the answers allow` : `${traffic} ${is === 'most' ? 'at most about' : 'about'} ${count(sent)}`);

const filmText = ({ film }: Pick<DryRun, 'film'>): string => {
  if (film === null) return 'none';
  const { width, height, fps, frames, seconds } = film;
  const size = `${fps}/s, ${width}x${height}`;
  if (frames.least === frames.most) return `${clock(seconds.least * 1000)}, ${count(frames.least)} frames (${size})`;
  return `${clock(seconds.least * 1000)} to ${clock(seconds.most * 1000)}, ${count(frames.least)} to ${count(frames.most)} frames (${size}): from all quiet to all incident, which only a run tells; --duration fixes it`;
};

const timeText = ({ estimates: { seconds } }: DryRun): string => {
  const parts = [['simulate', seconds.simulate], ['report', seconds.report], ['replay', seconds.replay], ['film', seconds.film]] as const;
  const shown = parts.map(([name, value]) => [name, typeof value === 'number' ? { least: value, most: value } : value] as const).filter(([, { most }]) => most > 0);
  return `about ${spanText(seconds.total)}${shown.length > 1 ? ` (${shown.map(([name, span]) => `${name} ${spanText(span)}`).join(', ')})` : ''}; by constants of another machine, so a guess`;
};

const spanText = ({ least, most }: Span): string => {
  const [from, to] = [least, most].map(secondsText);
  return from === to ? from : `${from} to ${to}`;
};

/** Not finer than it is known. */
const secondsText = (seconds: number): string => {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 100 ? `${Math.round(seconds / 5) * 5} s` : `${Math.round(seconds / 60)} min`;
};

const writesRows = ({ folder, files, mayGo }: DryRun): (readonly [string, string])[] => {
  if (folder === null) return [['writes', 'nothing']];
  return [
    ...files.map(({ file, replaces, aboutBytes }, i) => [i === 0 ? 'writes' : '', `${file}${replaces ? ' (replaced)' : ''}, about ${sizeText(aboutBytes)}`] as const),
    ...mayGo.map((file, i) => [i === 0 ? 'removes' : '', `${file}, unless the study comes out the same`] as const),
  ];
};

/** Two digits are more than is known. */
const sizeText = (bytes: number): string => {
  const rounded = Number(bytes.toPrecision(1));
  return rounded >= 1e6 ? `${count(rounded / 1e6)} MB` : `${count(Math.max(1, rounded / 1000))} kB`;
};
