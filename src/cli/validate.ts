import { Command } from 'commander';
import { FaultreelError, exitCodes, type Problem } from '../errors.js';
import type { Host } from '../host.js';
import { loadScenario } from '../pipeline/load.js';
import type { Context } from './context.js';

export const validateCommand = (context: Context): Command =>
  new Command('validate')
    .description('check scenario files and list everything that is wrong in them')
    .argument('<scenario...>', 'scenario files')
    .option('--json', 'print the findings as JSON on stdout')
    .addHelpText('after', '\nExamples:\n  faultreel validate scenarios/*.yaml\n  faultreel validate scenarios/order-api-spike.yaml --json')
    .action((files: string[], { json = false }: { json?: boolean }) => validate(files, json, context));

interface Finding {
  readonly file: string;
  readonly valid: boolean;
  readonly problems: readonly Problem[];
}

const validate = async (files: readonly string[], json: boolean, { host }: Context): Promise<void> => {
  const findings: Finding[] = [];
  for (const file of files) findings.push(await findingOf(file, host));
  if (json) host.stdout.write(`${JSON.stringify(findings.map(asJson), null, 2)}\n`);
  else for (const { file, valid } of findings) if (valid) host.stdout.write(`${file}: valid\n`);
  const problems = findings.flatMap((finding) => finding.problems);
  if (problems.length > 0) throw new FaultreelError(exitCodes.invalidScenario, problems);
};

const findingOf = async (file: string, host: Host): Promise<Finding> => {
  try {
    await loadScenario(file, {}, host);
    return { file, valid: true, problems: [] };
  } catch (error) {
    if (!(error instanceof FaultreelError) || error.exitCode !== exitCodes.invalidScenario) throw error;
    return { file, valid: false, problems: error.problems };
  }
};

const asJson = ({ file, valid, problems }: Finding): unknown => ({
  file,
  valid,
  problems: problems.map(({ message, hint, where }) => ({ message, hint: hint ?? null, line: where?.line ?? null, column: where?.column ?? null })),
});
