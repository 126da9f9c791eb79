// node test/mutation/run.mjs [--rule 12]… breaks the rules of the engine one at a time, in a copy, and tells which test notices (broken-rules.json).
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compilerOf } from './compiler.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** A broken engine may run for ever: its tests end after so much processor time, which a loaded machine does not stretch. The sound ones take seconds. */
const cpuSecondsABreak = 120;
const cpuSecondsUnbroken = 1_200;

const { values } = parseArgs({ options: { rule: { type: 'string', multiple: true } } });
const all = JSON.parse(readFileSync(path.join(root, 'test/mutation/broken-rules.json'), 'utf8'));
const chosen = all.breaks.filter(({ rule }) => !values.rule || values.rule.includes(String(rule)));
if (chosen.length === 0) throw new Error(`no break of rule ${values.rule?.join(', ')}; there are rules 1 to ${Object.keys(all.rules).length}`);

const copy = mkdtempSync(path.join(os.tmpdir(), 'faultreel-broken-rules-'));
let child = null;
/** Ends every process of the tests that run now. */
const stop = () => {
  try {
    if (child !== null) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', () => {
  stop();
  rmSync(copy, { recursive: true, force: true });
});

/**
 * Runs tests in the copy, in one process: `failed` is the first test that fails, or the file of tests whose scenarios the engine refuses, null when all pass;
 * `trouble` is what kept them from being run at all, or from coming to an end.
 */
const runTests = async (tests, cpuSeconds) => {
  const report = path.join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const words = ['run', '--project', 'unit', '--bail', '1', '--maxWorkers', '1', '--no-isolate', '--reporter', 'json', '--outputFile.json', report, ...tests];
  child = spawn('sh', ['-c', `ulimit -t ${cpuSeconds} && exec "$@"`, 'sh', process.execPath, vitest, ...words], { cwd: copy, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  child = null;
  const { testResults } = reportIn(report);
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed')?.fullName ?? null;
  if (failed !== null) return { failed, trouble: null };
  const passed = testResults.filter(({ status }) => status === 'passed').length;
  if (code === 0 && passed === tests.length) return { failed, trouble: null };
  // Vitest says nothing of a worker that has been ended: no test of the report has.
  if (code !== 0 && testResults.length > 0 && testResults.every(({ status }) => status !== 'failed')) return { failed, trouble: noEnd };
  const refused = testResults.find(({ status, message }) => status === 'failed' && message !== '');
  if (refused && !notCode.test(refused.message)) return { failed: `${path.relative(copy, refused.name)}: ${firstLine(refused.message)}`, trouble: null };
  return { failed, trouble: refused?.message || said.trim() || `vitest ended with ${code}` };
};

const noEnd = 'comes to no end';

/** What Vite says of a file that it cannot load. */
const notCode = /transform failed|parse failure|failed to (parse|resolve|load)|cannot find (module|package)|does not provide an export/i;

const reportIn = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { testResults: [] };
  }
};

const firstLine = (text) => text.split('\n').find((line) => line.trim() !== '') ?? '';
const say = ({ rule, what }, end) => process.stdout.write(`${String(rule).padStart(2)} | ${what} | ${end}\n`);

for (const name of ['src', 'test', 'renderers', 'scenarios', 'vitest.config.ts', 'package.json', 'tsconfig.json']) cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

const unbroken = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))], cpuSecondsUnbroken);
if (unbroken.failed ?? unbroken.trouble) throw new Error(`the engine as it is fails already: ${unbroken.failed ?? unbroken.trouble}`);

const complaintOf = compilerOf(root);
const wrong = { survived: [], invalid: [] };
for (const one of chosen) {
  const sound = readFileSync(path.join(root, one.file), 'utf8');
  const parts = sound.split(one.text);
  const broken = parts.join(one.by);
  const complaint = parts.length === 2 ? complaintOf(one.file, broken) : `its text occurs ${parts.length - 1} times in ${one.file}`;
  if (complaint !== null) {
    wrong.invalid.push(one);
    say(one, `NO BREAK: ${complaint}`);
    continue;
  }
  writeFileSync(path.join(copy, one.file), broken);
  const { failed, trouble } = await runTests(one.tests, cpuSecondsABreak);
  writeFileSync(path.join(copy, one.file), sound);
  if (failed !== null) say(one, failed);
  else if (trouble === noEnd) say(one, `${noEnd}: its process ran out of memory, or of ${cpuSecondsABreak} s of processor time`);
  else {
    wrong[trouble === null ? 'survived' : 'invalid'].push(one);
    say(one, trouble === null ? 'SURVIVED' : `NO BREAK: ${firstLine(trouble)}`);
  }
}

const { survived, invalid } = wrong;
process.stdout.write(`${chosen.length} breaks of ${new Set(chosen.map(({ rule }) => rule)).size} rules: ${chosen.length - survived.length - invalid.length} killed, ${survived.length} survived, ${invalid.length} are none\n`);
process.exitCode = survived.length + invalid.length > 0 ? 1 : 0;
