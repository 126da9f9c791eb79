import { Command } from 'commander';
import { dryRender } from '../pipeline/dry-render.js';
import { renderFile } from '../pipeline/render.js';
import { writtenProducts, type Product } from '../pipeline/products.js';
import { parseProducts, usageError } from './options.js';
import type { Context } from './context.js';
import { printRender } from './dry-run.js';
import { lookOf, madeLines, surroundings, withLook, type LookFlags } from './run.js';

export const renderCommand = (context: Context): Command =>
  withLook(
    new Command('render')
      .description('make film, report and replay again from a study.json, without simulating')
      .argument('<study.json>', 'of an earlier run')
      .option('--out <folder>', "where the files go (default: the study's own folder)")
      .option('--only <list>', 'of video, report, replay (default: all)', parseProducts)
      .option('--dry-run', 'check everything and tell what would be made; film and write nothing'),
  )
    .addHelpText('after', '\nExamples:\n  faultreel render out/order-api-spike/study.json\n  faultreel render out/order-api-spike/study.json --only video --theme light --variant dedicated-health-path')
    .action((file: string, flags: RenderFlags) => render(file, flags, context));

interface RenderFlags extends LookFlags {
  readonly out?: string;
  readonly only?: ReadonlySet<Product>;
  readonly dryRun?: boolean;
}

const render = async (file: string, flags: RenderFlags, context: Context): Promise<void> => {
  const { only = writtenProducts } = flags;
  if (only.has('text')) throw usageError('--only: render makes video, report and replay; text is printed by run', 'Write faultreel run SCENARIO --only text --every 5s');
  const options = { ...lookOf(flags), wanted: only, ...(flags.out !== undefined && { out: flags.out }) };
  if (flags.dryRun) return printRender(await dryRender(file, options, context.host), {}, context.host);
  const made = await renderFile(file, options, surroundings(context, flags));
  if (!flags.quiet) context.host.stdout.write(madeLines(made));
};
