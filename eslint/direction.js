import { builtinModules } from 'node:module';
import path from 'node:path';

/**
 * The one table of who may import whom; the lint rule and test/habits read it.
 * A room is a folder; `imports` names the rooms that it may know besides itself, `modules` the packages and node modules that it may load.
 */
export const rooms = {
  'src/errors.ts': { pure: true, imports: [], modules: [] },
  'src/host.ts': { pure: false, imports: ['src/errors.ts'], modules: ['node:*'] },
  'src/scenario': { pure: true, imports: ['src/errors.ts'], modules: ['yaml'] },
  'src/study': { pure: true, imports: ['src/scenario', 'src/errors.ts'], modules: [] },
  'src/text': { pure: true, imports: ['src/study', 'src/scenario', 'src/errors.ts'], modules: [] },
  'src/engine': { pure: true, imports: ['src/study', 'src/scenario', 'src/errors.ts'], modules: [] },
  'src/analysis': { pure: true, imports: ['src/engine', 'src/study', 'src/scenario', 'src/text', 'src/errors.ts'], modules: [] },
  'src/interop': { pure: true, imports: ['src/scenario', 'src/errors.ts'], modules: ['yaml'] },
  'renderers/look': { pure: true, imports: ['src/text', 'src/study', 'src/scenario', 'src/errors.ts'], modules: ['d3'] },
  'renderers/charts': { pure: true, imports: ['renderers/look', 'src/text', 'src/study', 'src/errors.ts'], modules: ['d3'] },
  'renderers/stage': { pure: true, imports: ['renderers/look', 'renderers/charts', 'src/text', 'src/study', 'src/errors.ts'], modules: ['d3'] },
  'renderers/text': { pure: true, imports: ['renderers/look', 'src/text', 'src/study', 'src/errors.ts'], modules: [] },
  'renderers/browser': { pure: false, imports: ['src/host.ts', 'src/errors.ts'], modules: ['node:*', 'puppeteer-core', '@sparticuz/chromium'] },
  'renderers/video': {
    pure: false,
    imports: ['renderers/browser', 'renderers/stage', 'renderers/charts', 'renderers/look', 'src/text', 'src/study', 'src/host.ts', 'src/errors.ts'],
    modules: ['node:*', 'd3', 'handlebars', '@ffmpeg-installer/ffmpeg', '@ffprobe-installer/ffprobe'],
  },
  'renderers/pdf': {
    pure: false,
    imports: ['renderers/stage', 'renderers/charts', 'renderers/look', 'renderers/text', 'src/text', 'src/study', 'src/host.ts', 'src/errors.ts'],
    modules: ['node:*', 'd3', 'handlebars', 'pdfkit'],
  },
  'renderers/replay': {
    pure: false,
    imports: ['renderers/stage', 'renderers/charts', 'renderers/look', 'src/text', 'src/study', 'src/host.ts', 'src/errors.ts'],
    modules: ['node:crypto', 'node:module', 'node:path', 'node:zlib', 'handlebars'],
  },
  'src/pipeline': {
    pure: false,
    imports: ['renderers/*', 'src/analysis', 'src/engine', 'src/interop', 'src/scenario', 'src/study', 'src/text', 'src/host.ts', 'src/errors.ts'],
    modules: ['node:path', 'node:crypto', 'node:v8', 'node:worker_threads'],
  },
  'src/index.ts': {
    pure: false,
    imports: ['src/pipeline', 'renderers/*', 'src/analysis', 'src/engine', 'src/scenario', 'src/study', 'src/text', 'src/host.ts', 'src/errors.ts'],
    modules: [],
  },
  'src/cli': {
    pure: false,
    imports: ['src/pipeline', 'renderers/*', 'src/interop', 'src/scenario', 'src/study', 'src/text', 'src/host.ts', 'src/errors.ts'],
    modules: ['node:path', 'commander'],
  },
};

/** Files that may do what their room may not; each is one door. */
const doors = {
  'fluent-ffmpeg': ['renderers/video/encoder.ts'],
  // Children are killed with their whole group, and when we exit; the carried browser asks for the kind of processor; doctor tells Node's version.
  'node:process': ['renderers/browser/child.ts', 'renderers/browser/carried.ts', 'src/cli/node-version.ts'],
};

/** Room of a file given relative to the project's folder, with `/`; null outside of `src` and `renderers`. */
export const roomOf = (file) => {
  if (rooms[file]) return file;
  const folder = file.split('/').slice(0, 2).join('/');
  return rooms[folder] ? folder : null;
};

/** Why `file` may not import `specifier`, or null when it may. `file` is relative to the project's folder. */
export const whyNot = (file, specifier) => {
  const from = roomOf(file);
  if (from === null) return /^(src|renderers)\//.test(file) ? `${file} is in no room of eslint/direction.js` : null;
  return specifier.startsWith('.') ? whyNotFile(from, resolveFile(file, specifier)) : whyNotModule(file, from, specifier);
};

/** The source file, relative to the project's folder, that a relative import names. */
export const resolveFile = (file, specifier) => path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');

const whyNotFile = (from, target) => {
  const to = roomOf(target);
  if (to === null) return `${from} may not import ${target}: it is outside of src and renderers`;
  const allowed = to === from || rooms[from].imports.some((name) => (name.endsWith('/*') ? to.startsWith(name.slice(0, -1)) : name === to));
  return allowed ? null : `${from} may not import ${to}: the direction is cli → pipeline → renderers → study ← analysis, engine ← scenario`;
};

const whyNotModule = (file, from, specifier) => {
  const name = builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
  if (doors[name]) return doors[name].includes(file) ? null : `${specifier} is imported in ${doors[name].join(' and ')} only`;
  if (from === 'src/cli' && file === 'src/cli/bin.ts' && name.startsWith('node:')) return null;
  const allowed = rooms[from].modules.some((module) => (module === 'node:*' ? name.startsWith('node:') : name === module));
  return allowed ? null : `${from} may not load ${specifier}${rooms[from].pure ? ': it is pure' : ''}`;
};

/** The lint rule: every import, export-from and `import()` goes in the allowed direction. */
export const directionRule = {
  meta: { type: 'problem', docs: { description: 'imports follow the direction of dependency' }, schema: [], messages: { direction: '{{why}}' } },
  create: (context) => {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const check = (node) => {
      if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') return;
      const why = whyNot(file, node.source.value);
      if (why) context.report({ node: node.source, messageId: 'direction', data: { why } });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
