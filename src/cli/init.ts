import path from 'node:path';
import { Command } from 'commander';
import { FaultreelError, exitCodes } from '../errors.js';
import { packageFolder } from '../host.js';
import { namePattern } from '../scenario/grammar/basic.js';
import type { Lang } from '../study/types.js';
import type { Context } from './context.js';
import { parseLang, usageError } from './options.js';

export const initCommand = (context: Context): Command =>
  new Command('init')
    .description('write a commented scenario of a service of yours, which runs as it is')
    .argument('[name]', 'of the file: small letters, digits and hyphens', defaultName)
    .option('--lang <lang>', 'of its comments, en or ko', parseLang, 'en')
    .addHelpText('after', '\nExamples:\n  faultreel init order-api\n  faultreel init order-api --lang ko')
    .action((name: string, { lang }: { lang: Lang }) => init(name, lang, context));

const defaultName = 'my-service';

/** Longer ones do not fit where the title is shown. */
const longestName = 40;

const init = async (written: string, lang: Lang, { host }: Context): Promise<void> => {
  const name = checkedName(written.replace(/\.ya?ml$/i, ''));
  const file = `${name}.yaml`;
  if ((await host.sizeOf(file)) !== null || (await host.isLink(path.resolve(host.cwd, file)))) {
    throw usageError(`${file} is there already, and is left as it is`, `Give another name: faultreel init ${name === defaultName ? 'order-api' : defaultName}, or move ${file} away`);
  }
  const template = await host.readText(path.join(packageFolder(), 'templates', 'init', `${lang}.yaml`));
  await host.write(file, template.replaceAll('{{name}}', name)).catch((cause: unknown) => {
    throw new FaultreelError(exitCodes.environment, { message: `cannot write ${file} into ${host.cwd}: ${cause instanceof Error ? cause.message : String(cause)}`, hint: 'Go to a folder that you may write and that has room, and run it again' }, { cause });
  });
  host.stdout.write(`${file}\n`);
  host.stderr.write(closing[lang](file));
};

const checkedName = (name: string): string => {
  if (namePattern.test(name) && name.length <= longestName) return name;
  const repaired = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+/, '').slice(0, longestName).replace(/-+$/, '');
  throw usageError(`expected a name of small letters, digits and hyphens, beginning with a letter, of ${longestName} characters at most, found "${name}"`, `Write faultreel init ${repaired === '' ? defaultName : repaired}; the file is written into this folder`);
};

const closing: Readonly<Record<Lang, (file: string) => string>> = {
  en: (file) => `It runs as it is. Next:\n  npx faultreel run ${file} --only text --every 10s   a table in the terminal, in seconds\n  npx faultreel run ${file}                           film, report and replay\n`,
  ko: (file) => `이대로 실행됩니다. 다음 명령:\n  npx faultreel run ${file} --only text --every 10s   터미널에 표로 (몇 초)\n  npx faultreel run ${file} --lang ko                 영상, 보고서, 리플레이\n`,
};
