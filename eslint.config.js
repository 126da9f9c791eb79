import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { directionRule, rooms } from './eslint/direction.js';

const pureFiles = Object.entries(rooms)
  .filter(([, room]) => room.pure)
  .map(([name]) => (name.endsWith('.ts') ? name : `${name}/**/*.ts`));

const outside = 'The world outside is reached through Host (src/host.ts).';
const processDoor = { name: 'process', message: outside };
/** What would let a clock, the network, a page or chance into a pure room. */
const impureGlobals = [
  ...['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch', 'crypto', 'document', 'window', 'navigator', 'globalThis', 'global', 'console', 'Buffer', 'Intl'].map(
    (name) => ({ name, message: 'This room is pure: the same input gives the same output, in Node and in a browser.' }),
  ),
  processDoor,
];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'out/', 'node_modules/', '**/*-changed.svg']),
  {
    files: ['src/**/*.ts', 'renderers/**/*.ts', 'test/**/*.ts', 'vitest.config.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts'] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Indexing a typed array or a matched group is known to be there; the compiler cannot know.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      '@typescript-eslint/no-unused-expressions': ['error', { allowShortCircuit: true }],
      // A step of a `switch` over drawing commands may return what it calls.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // An actor that only listens to events is its constructor.
      '@typescript-eslint/no-extraneous-class': 'off',
      // Records are indexed by names from a file: a type says "there", the file may say otherwise.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Code points are what is meant: fonts map them, one by one.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  {
    files: ['src/**/*.ts', 'renderers/**/*.ts'],
    plugins: { faultreel: { rules: { direction: directionRule } } },
    rules: {
      'faultreel/direction': 'error',
      'no-restricted-globals': ['error', processDoor],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: pureFiles,
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: 'Randomness is keyed and seeded: see the draws of the engine.' }],
      // Sorting and letter case by the machine's language would change bytes from one machine to the next.
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^(toLocale\\w*|localeCompare)$/]',
          message: "The machine's language must not reach a result.",
        },
      ],
    },
  },
  { files: ['src/host.ts', 'src/cli/bin.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
);
