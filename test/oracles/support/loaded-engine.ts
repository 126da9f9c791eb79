import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import * as source from './engine.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly engineFile?: string;
  }
}

/**
 * The engine as one file where `bundle.ts` has made it: a test runner that follows every import by itself makes hundred million requests twice as slow.
 * Else, as in the quick tests, the sources as they are.
 */
const file = inject('engineFile');
export const { simulate, parseScenario, numberAt } = file === undefined ? source : ((await import(pathToFileURL(file).href)) as typeof source);
