import { Argument, Command } from 'commander';
import { jsonSchema } from '../scenario/index.js';
import { studySchema } from '../study/schema.js';
import type { Context } from './context.js';

export const schemaCommand = ({ host }: Context): Command =>
  new Command('schema')
    .description('print the JSON Schema of scenarios, or of study.json')
    .addArgument(new Argument('[of]', 'whose schema').choices(['scenario', 'study']).default('scenario'))
    .addHelpText('after', '\nExamples:\n  faultreel schema > faultreel.schema.json\n  faultreel schema study')
    .action((of: 'scenario' | 'study') => host.stdout.write(`${JSON.stringify(of === 'study' ? studySchema : jsonSchema(), null, 2)}\n`));
