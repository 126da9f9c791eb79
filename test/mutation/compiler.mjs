import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** What a break may leave behind: names that nothing reads any more. */
const harmless = new Set([6133, 6138, 6192, 6196, 6198]);

/** Says what the compiler has against a file of this project with another text; null: nothing. */
export const compilerOf = (root) => {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['src/index.ts'] }, ts.sys, root);
  const texts = new Map();
  let version = 0;
  const versions = new Map();
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getScriptFileNames: () => [path.join(root, 'src/index.ts')],
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot: (file) => (texts.has(file) || existsSync(file) ? ts.ScriptSnapshot.fromString(texts.get(file) ?? readFileSync(file, 'utf8')) : undefined),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (all) => ts.getDefaultLibFilePath(all),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (name, text) => {
    const file = path.join(root, name);
    texts.set(file, text);
    versions.set(file, ++version);
    const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].filter(({ code }) => !harmless.has(code));
    texts.delete(file);
    versions.set(file, ++version);
    return found.length === 0 ? null : ts.flattenDiagnosticMessageText(found[0].messageText, ' ');
  };
};
