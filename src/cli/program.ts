import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { FaultreelError, describeError, errnoOf, exitCodes, machineAdvice, printable, type ExitCode } from '../errors.js';
import type { Host } from '../host.js';
import { toolVersion } from '../pipeline/version.js';
import { checkCommand } from './check.js';
import { compareCommand } from './compare.js';
import { Verdict, type Context } from './context.js';
import { doctorCommand } from './doctor.js';
import { initCommand } from './init.js';
import { renderCommand } from './render.js';
import { runCommand } from './run.js';
import { schemaCommand } from './schema.js';
import { stillCommand } from './still.js';
import { validateCommand } from './validate.js';

/** Runs the command line of `host.argv`; prints an error once and returns what the process ends with. */
export const main = async (host: Host): Promise<ExitCode> => {
  const interrupt = new AbortController();
  const stopListening = host.onInterrupt(() => interrupt.abort());
  try {
    await program({ host, signal: interrupt.signal }).parseAsync(host.argv, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return report(error, host, interrupt.signal.aborted);
  } finally {
    stopListening();
  }
};

const program = (context: Context): Command => {
  const { stdout, stderr } = context.host;
  const root = new Command('faultreel')
    .description('One scenario file becomes an incident-rehearsal film and a design-review report.')
    .version(toolVersion, '-v, --version')
    .option('--debug', 'print the stack of an error')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns,
      getErrHelpWidth: () => stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .showHelpAfterError('(faultreel --help lists commands and options)')
    .addHelpText('after', '\nStart here:\n  faultreel run scenarios/order-api-spike.yaml')
    .exitOverride();
  for (const make of [initCommand, runCommand, checkCommand, compareCommand, renderCommand, stillCommand, validateCommand, schemaCommand, doctorCommand]) root.addCommand(make(context).copyInheritedSettings(root));
  return root;
};

const report = (error: unknown, host: Host, interrupted: boolean): ExitCode => {
  // Commander has printed its own message, help or version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof Verdict) return error.exitCode;
  const debug = host.argv.includes('--debug');
  if (debug && error instanceof Error) host.stderr.write(`${withCauses(error)}\n`);
  if (interrupted) {
    host.stderr.write('Interrupted: what was not finished was not replaced.\n');
    return exitCodes.interrupted;
  }
  if (error instanceof FaultreelError) {
    host.stderr.write(`${describeError(error)}\n`);
    return error.exitCode;
  }
  const said = printable(error instanceof Error ? error.message : String(error));
  const advice = isGone(error) ? 'Somebody removed the folder in which the results were being made: run again' : machineAdvice(errnoOf(error), isTemporary(error, host) ? 'TMPDIR' : '--out');
  if (advice !== null) {
    host.stderr.write(`${said}\n  ${advice}. Nothing was replaced.\n`);
    return exitCodes.environment;
  }
  host.stderr.write(`Internal error: ${said}\n${debug ? '' : '  Run again with --debug for the stack, and report it with the scenario.\n'}`);
  return exitCodes.internal;
};

const withCauses = (error: Error): string => {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\nCaused by: ${withCauses(error.cause)}` : stack;
};

/** A folder of our own that was there when the work began. */
const isGone = (error: unknown): boolean => errnoOf(error) === 'ENOENT' && error instanceof Error && 'path' in error && String(error.path).includes('.partial-');

/** At a file of the browser's, not of the results. */
const isTemporary = (error: unknown, { tmpdir }: Host): boolean => error instanceof Error && 'path' in error && String(error.path).startsWith(path.join(tmpdir, 'faultreel-browser'));
