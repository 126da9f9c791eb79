import Handlebars from 'handlebars';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { packageFolder } from '../../src/host.js';
import type { Lang } from '../../src/study/types.js';
import { withBold } from './rich.js';

const files = ['verdict', 'sections', 'measure', 'charts', 'frames', 'cost', 'sensitivity'] as const;
type File = (typeof files)[number];

/** Values of a template: markup, flags, and groups of both. Text from a scenario is cleaned before it gets here. */
export interface Facts {
  readonly [name: string]: string | number | boolean | undefined | null | Facts;
}

/** Says a part of the report's prose: `say('verdict', 'headline', facts)`. */
export type Prose = (file: File, part: string, facts?: Facts) => string;

/**
 * The sentences of the report in one language, from `templates/report/<lang>/*.hbs`. A file holds several parts, each under a comment with its name.
 * @throws FaultreelError (environment) when a template is missing.
 */
export const loadProse = (lang: Lang): Promise<Prose> => {
  const known = loaded.get(lang) ?? compileProse(lang);
  loaded.set(lang, known);
  return known;
};

/** Compiled once a process. */
const loaded = new Map<Lang, Promise<Prose>>();

const compileProse = async (lang: Lang): Promise<Prose> => {
  const parts = new Map<string, Handlebars.TemplateDelegate>();
  for (const file of files) {
    for (const [name, source] of partsOf(await readTemplate(lang, file))) {
      parts.set(`${file}/${name}`, Handlebars.compile(withBold(source), { noEscape: true, strict: false, knownHelpersOnly: true }));
    }
  }
  return (file, part, facts = {}) => {
    const template = parts.get(`${file}/${part}`);
    if (!template) throw new Error(`no part ${part} in templates/report/${lang}/${file}.hbs`);
    return template(facts).replace(/\s*\n\s*/g, ' ').replace(/ {2,}/g, ' ').trim();
  };
};

/** Names of the parts of a template file and their texts. */
export const partsOf = (text: string): [string, string][] => {
  const pieces = text.split(/^\{\{!-- ([\w-]+) --\}\}$/m).slice(1);
  return Array.from({ length: pieces.length / 2 }, (_, i): [string, string] => [pieces[2 * i], pieces[2 * i + 1].trim()]);
};

const readTemplate = async (lang: Lang, file: File): Promise<string> => {
  const name = path.join(packageFolder(), 'templates/report', lang, `${file}.hbs`);
  return readFile(name, 'utf8').catch((cause: unknown) => {
    throw new FaultreelError(exitCodes.environment, { message: `expected the template ${name}, found nothing that can be read`, hint: 'Install faultreel again: its templates folder is not whole.' }, { cause });
  });
};
