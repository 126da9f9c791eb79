import { Command } from 'commander';
import { checkMachine } from '../../renderers/video/doctor-checks.js';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Context } from './context.js';

export const doctorCommand = ({ host }: Context): Command =>
  new Command('doctor')
    .description('check that browser, encoder, fonts and folder are fit for a film')
    .addHelpText('after', '\nExample:\n  faultreel doctor')
    .action(async () => {
      const findings = await checkMachine(host);
      for (const { name, ok, detail } of findings) host.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}\n`);
      const problems = findings.filter(({ ok }) => !ok).map(({ name, detail, fix }) => ({ message: `${name}: ${detail}`, ...(fix !== undefined && { hint: fix }) }));
      if (problems.length > 0) throw new FaultreelError(exitCodes.environment, problems);
    });
