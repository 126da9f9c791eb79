import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** The pages whose blocks are held against the program. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => /^(README.*|AGENTS)\.md$/.test(name)),
  ...readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

export const read = (page: string): string => readFileSync(path.join(root, page), 'utf8');

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Every fenced block of a page. */
export const blocksOf = (page: string): readonly Block[] => {
  const text = read(page);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({ page, line: text.slice(0, match.index).split('\n').length, language: match[1], text: match[2] }));
};

/** Whole scenarios; other YAML is a part of one. */
export const scenarioBlocks = (page: string): readonly Block[] => blocksOf(page).filter(({ language, text }) => language === 'yaml' && /^(#.*\n)*faultreel: 1$/m.test(text.split('\n').slice(0, 5).join('\n')));

export interface CommandLine {
  readonly at: string;
  readonly args: readonly string[];
}

/** Every `faultreel …` line of a page's blocks, without what stands behind two or more spaces (it is what the line does) or goes into a file. */
export const commandLines = (page: string): readonly CommandLine[] =>
  blocksOf(page)
    .filter(({ language }) => ['', 'sh', 'bash'].includes(language))
    .flatMap(({ line, text }) =>
      text.split('\n').flatMap((row, i) => {
        const command = /^(?:\$ )?(?:npm ci && )?(?:npx )?faultreel (.+)$/.exec(row)?.[1];
        return command === undefined ? [] : [{ at: `${page}:${line + 1 + i}`, args: wordsOf(command.replace(/ {2,}.*$/, '').replace(/ > \S+$/, '')) }];
      }),
    );

/** Words as a shell would part them. */
export const wordsOf = (command: string): readonly string[] => [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
