// Adds to summary.md what was filmed, where it is and what was left out; of a check that could not be done, tells how it ended. Appends it to the summary of the step.
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bytesOf, fitting } from './fitting.mjs';

const out = process.env.FAULTREEL_OUT || 'out/faultreel';
const read = (name) => (existsSync(path.join(out, name)) ? readFileSync(path.join(out, name), 'utf8') : null);

/** What GitHub takes of one step. */
const mostBytes = 2 ** 20;
const logLines = 30;

const code = (text) => `\`${text.replaceAll('`', "'").replaceAll('|', '\\|').replace(/\s/g, ' ')}\``;

const undone = () => {
  const lines = (read('check.log') ?? '').trimEnd().split('\n').slice(-logLines).map((line) => `    ${line}`);
  return `## faultreel: the check could not be done (exit code ${(read('exit-code') ?? '?').trim()})\n\n${lines.join('\n')}\n`;
};

/** In an order in which one opens them. */
const shown = ['video.mp4', 'report.pdf', 'replay.html', 'summary.md'];

const filmsText = ({ made, failed, leftOut }) => [
  ...(made.length > 0 ? [`### Filmed\n\n| scenario | because | in the artifact |\n|---|---|---|\n${made.map(({ file, why, variant, folder, files }) => `| ${code(file)}${variant === null ? '' : `, ${code(variant)}`} | ${why} | ${code(folder)}: ${shown.filter((name) => files.includes(name)).join(', ')} |`).join('\n')}`] : []),
  ...(failed.length > 0 ? [`Could not be filmed, the log has the reasons: ${failed.map(({ file }) => code(file)).join(', ')}`] : []),
  ...(leftOut.length > 0 ? [`Not filmed: ${leftOut.map(({ file, why }) => `${code(file)} (${why})`).join(', ')}`] : []),
];

// What the check names there is what a run of the scenario would make; told below is what was made.
const found = (read('summary.md') ?? undone()).replace(/^`faultreel run` makes of it .*\n+/gm, '');
const films = read('films.json');
const parts = [found.trimEnd(), ...(films === null ? [] : filmsText(JSON.parse(films)))];
const file = path.join(out, 'summary.md');
writeFileSync(file, fitting(`${parts.join('\n\n')}\n`, mostBytes - 1, bytesOf, `The rest did not fit here; check.json and films.json in the artifact have it.`));

const step = process.env.GITHUB_STEP_SUMMARY;
if (step) {
  const before = existsSync(step) ? statSync(step).size : 0;
  appendFileSync(step, fitting(readFileSync(file, 'utf8'), mostBytes - before - 1, bytesOf, 'The rest did not fit here; summary.md in the artifact has it.'));
}
