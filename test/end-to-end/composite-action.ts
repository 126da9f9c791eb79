import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly run?: string;
  readonly shell?: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const readAction = (root: string): Action => parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;

export interface Ended {
  readonly code: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Values that other actions were given, by the name of the step. */
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly stepSummary: string;
}

/** Does the steps of a composite action that are commands, one after the other, as a runner would; those that are other actions are only told. */
export const runAction = (root: string, inputs: Readonly<Record<string, string>>, { cwd, env, token, temp }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly token: string; readonly temp: string }): Ended => {
  const action = readAction(root);
  const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const outputs = new Map<string, Readonly<Record<string, string>>>([['cache', { 'cache-hit': '' }]]);
  const known = (expression: string): string => {
    const [, input, step, output] = /^(?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.([\w-]+))$/.exec(expression) ?? [];
    if (expression === 'github.token') return token;
    const value = input === undefined ? outputs.get(step)?.[output] : (inputs[input] ?? filled(action.inputs[input]?.default));
    if (value === undefined) throw new Error(`unknown expression ${expression}`);
    return value;
  };
  const filled = (text: string | undefined): string | undefined => text?.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => known(expression));
  const isWanted = (condition: string | undefined): boolean => {
    if (condition === undefined) return true;
    const [, expression, other] = /^\$\{\{ (\S+) != '(\w*)' \}\}$/.exec(condition) ?? [];
    if (expression === undefined) throw new Error(`unknown condition ${condition}`);
    return known(expression) !== other;
  };

  const stepSummary = path.join(temp, 'step-summary');
  writeFileSync(stepSummary, '');
  const used: Record<string, Record<string, string>> = {};
  let code = 0;
  let log = '';
  for (const step of action.runs.steps) {
    if (code !== 0) break;
    if (!isWanted(step.if)) continue;
    if (step.uses !== undefined) used[step.name] = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(String(value))!]));
    if (step.run === undefined) continue;
    const folder = mkdtempSync(path.join(temp, 'step-'));
    const [script, output] = ['script.sh', 'output'].map((name) => path.join(folder, name));
    writeFileSync(script, step.run);
    writeFileSync(output, '');
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)!]));
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: path.resolve(cwd, filled(step['working-directory']) ?? '.'),
      env: { ...env, GITHUB_WORKSPACE: cwd, GITHUB_ACTION_PATH: root, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: stepSummary, RUNNER_TEMP: temp, ...own },
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    log += `${stdout}${stderr}`;
    code = status ?? -1;
    if (step.id !== undefined) outputs.set(step.id, outputsIn(readFileSync(output, 'utf8')));
  }
  const values = outputs.has('check') ? Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)!])) : {};
  return { code, log, outputs: values, used, stepSummary: readFileSync(stepSummary, 'utf8') };
};

const outputsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.trimEnd().split('\n').map((line) => {
      const [, name, value] = /^([a-z]+)=(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no output: ${line}`);
      return [name, value] as const;
    }),
  );
