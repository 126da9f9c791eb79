import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { resolveFile, roomOf, rooms, whyNot } from '../../eslint/direction.js';

const root = path.resolve(import.meta.dirname, '../..');

const sourceFiles = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`);

const importsOf = (file: string): string[] => ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);

const files = [...sourceFiles('src'), ...sourceFiles('renderers')];

describe('the direction of dependency', () => {
  it('holds for every import of every source file', () => {
    const wrong = files.flatMap((file) => importsOf(file).flatMap((specifier) => whyNot(file, specifier) ?? []));
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
  });

  it('has a room for every source file', () => {
    expect(files.filter((file) => roomOf(file) === null)).toEqual([]);
  });

  it('has no circle of rooms, as they really import each other', () => {
    const edges = new Map<string, Set<string>>();
    for (const file of files) {
      const from = roomOf(file)!;
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const to = roomOf(resolveFile(file, specifier));
        if (to !== null && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    expect(circleIn(edges)).toBeNull();
    // The finder itself finds one.
    expect(circleIn(new Map([['a', new Set(['b'])], ['b', new Set(['a'])]]))).toEqual(['a', 'b', 'a']);
  });

  it('lets a pure room know pure rooms only', () => {
    const pureTables = Object.entries(rooms).filter(([, room]) => room.pure);
    for (const [name, room] of pureTables) {
      for (const other of room.imports) expect((rooms as Record<string, { pure: boolean }>)[other]?.pure, `${name} → ${other}`).toBe(true);
      expect(room.modules.filter((module) => module.startsWith('node:')), name).toEqual([]);
    }
  });
});

describe('lint', () => {
  const eslint = new ESLint({ cwd: root });
  const rulesBroken = async (filePath: string, code: string): Promise<(string | null)[]> => {
    const results = await eslint.lintText(code, { filePath: path.join(root, filePath) });
    return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
  };
  // Text is linted in the place of a file that is there, since the type-aware rules ask for its project.
  const cases: [string, string, string, string][] = [
    ['a scenario that imports the host', 'src/scenario/model.ts', "export { realHost } from '../host.js';\n", 'faultreel/direction'],
    ['a study that imports a renderer', 'src/study/types.ts', "export * from '../../renderers/look/palette.js';\n", 'faultreel/direction'],
    ['a pure room that reads a file', 'renderers/look/svg.ts', "import { readFileSync } from 'node:fs';\nexport const a = (): string => readFileSync('x', 'utf8');\n", 'faultreel/direction'],
    ['a lazy import in the wrong direction', 'src/scenario/model.ts', "export const a = (): Promise<unknown> => import('../host.js');\n", 'faultreel/direction'],
    ['fluent-ffmpeg outside of the encoder', 'renderers/video/reel.ts', "export { default } from 'fluent-ffmpeg';\n", 'faultreel/direction'],
    ['a clock in a pure room', 'src/study/types.ts', 'export const a = (): number => Date.now();\n', 'no-restricted-globals'],
    ['chance in a pure room', 'src/study/types.ts', 'export const a = (): number => Math.random();\n', 'no-restricted-properties'],
    ["the machine's language in a pure room", 'src/study/types.ts', "export const a = (): number => 'a'.localeCompare('b');\n", 'no-restricted-syntax'],
    ['process outside of its two doors', 'renderers/video/reel.ts', 'export const a = (): string => process.cwd();\n', 'no-restricted-globals'],
    ['any', 'src/study/types.ts', 'export const a: any = 1;\n', '@typescript-eslint/no-explicit-any'],
  ];
  it.each(cases)('refuses %s', async (_name, file, code, rule) => {
    expect(await rulesBroken(file, code)).toContain(rule);
  });

  it('accepts the process in src/host.ts and a clean file elsewhere', async () => {
    expect(await rulesBroken('src/host.ts', 'export const a = (): string => process.cwd();\n')).toEqual([]);
    expect(await rulesBroken('src/study/types.ts', 'export const a = 1;\n')).toEqual([]);
  });
});

/** A circle as the list of its rooms, or null. */
function circleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...trail, node]);
      if (circle) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return null;
}
