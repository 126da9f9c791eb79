import { Command } from 'commander';
import { checkMachine, type Finding } from '../../renderers/video/doctor-checks.js';
import { FaultreelError, exitCodes, printable } from '../errors.js';
import { withSandbox } from '../pipeline/environment.js';
import type { Context } from './context.js';
import { nodeVersion } from './node-version.js';

export const doctorCommand = (context: Context): Command =>
  new Command('doctor')
    .description('tell what of this machine is fit for a film, a report, a table, and what to do about the rest')
    .option('--out <folder>', 'where results would go', 'out')
    .option('--json', 'print the findings as JSON on stdout')
    .option('--no-sandbox', 'start the browser without its sandbox (containers that cannot have one)')
    .addHelpText('after', '\nExamples:\n  faultreel doctor\n  faultreel doctor --out /mnt/results --json')
    .action((flags: DoctorFlags) => doctor(flags, context));

interface DoctorFlags {
  readonly out: string;
  readonly json?: boolean;
  readonly sandbox: boolean;
}

const doctor = async ({ out, json = false, sandbox }: DoctorFlags, { host }: Context): Promise<void> => {
  const findings = await checkMachine(withSandbox(host, sandbox), { folder: out, node: nodeVersion });
  const fits = fitFor(findings);
  host.stdout.write(json ? `${JSON.stringify({ ...fits, findings }, null, 2)}\n` : printable(findings.map(line).join('')));
  const failed = findings.filter(({ level }) => level === 'fail').map(({ name }) => name);
  if (!fits.film) throw new FaultreelError(exitCodes.environment, { message: `${conclusion(fits)} (${failed.join(', ')})` });
  if (!json) host.stdout.write(`${conclusion(fits)}\n`);
};

interface Fits {
  readonly film: boolean;
  readonly report: boolean;
  readonly text: true;
}

/** Browser and encoder are for the film alone. */
const fitFor = (findings: readonly Finding[]): Fits => {
  const failed = findings.filter(({ level }) => level === 'fail');
  return { film: failed.length === 0, report: !failed.some(({ stops }) => stops === 'files'), text: true };
};

const conclusion = ({ film, report }: Fits): string => {
  if (film) return 'Film, report, replay and text work.';
  return report ? 'Report, replay and text work; a film does not' : 'Text in the terminal works; film, report and replay do not';
};

const words = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

/** The fix stands under what it mends. */
const line = ({ name, level, detail, fix }: Finding): string => `${words[level]}  ${name}: ${detail.replace(/\n */g, '\n        ')}\n${fix === undefined ? '' : `      ${fix.replace(/\n */g, '\n      ')}\n`}`;
