import path from 'node:path';
import { evidenceOf, reasonOf, runChild } from '../browser/child.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { diskTroubleIn } from './encoder.js';
import { joinOptions } from './encoder-options.js';
import type { FoundProgram } from './find-encoder.js';
import { switchSubtitlesOff } from './track-flags.js';
import type { Reel } from './reel.js';

export interface JoinOptions {
  readonly host: Host;
  readonly program: FoundProgram;
  readonly fps: number;
  /** Files in their order, and how many frames each has; all in the folder of `list`, under names of letters, digits, dots and hyphens. */
  readonly parts: readonly { readonly file: string; readonly frames: number }[];
  /** Where the list for the program is written. */
  readonly list: string;
  readonly metadata: string;
  /** With the language of the captions. */
  readonly captions: { readonly file: string; readonly lang: Reel['lang'] } | null;
  readonly output: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Joins the segments of a film, with title, chapters and captions. Pictures are copied as they were encoded.
 * @throws FaultreelError with exit code 5 (full disk), 6 (rendering), 7 (stuck)
 */
export const joinParts = async ({ host, program, fps, parts, list, metadata, captions, output, signal }: JoinOptions): Promise<void> => {
  await host.write(list, partList(parts, fps));
  const args = ['-y', '-auto_convert', '0', '-f', 'concat', '-i', list, '-f', 'ffmetadata', '-i', metadata, ...(captions ? ['-i', captions.file] : []), ...joinOptions(captions?.lang ?? null), output];
  const ending = await runChild(program.path, args, { deadlineMs, signal });
  signal?.throwIfAborted();
  if (ending.code !== 0) {
    throw diskTroubleIn(ending.stderr) ?? new FaultreelError(ending.timedOut ? exitCodes.timedOut : exitCodes.rendering, { message: `The parts of the film cannot be joined: ffmpeg ${reasonOf(ending)}`, hint: evidenceOf(program.path, args, ending.stderr) });
  }
  if (captions) await switchSubtitlesOff(output);
};

/** It only copies: the film of a whole day is there sooner. */
const deadlineMs = 600_000;

/**
 * A list as ffmpeg reads it. It goes by what we say of each length, since the files tell theirs in whole ms; and it knows µs, so that each is the difference
 * of two rounded times: no error adds up, and every frame keeps its exact time.
 */
const partList = (parts: JoinOptions['parts'], fps: number): string => {
  let frames = 0;
  const microseconds = (): number => Math.round((frames * 1e6) / fps);
  const lines = parts.flatMap((part) => {
    const from = microseconds();
    frames += part.frames;
    return [`file ${path.basename(part.file)}`, `duration ${((microseconds() - from) / 1e6).toFixed(6)}`];
  });
  return ['ffconcat version 1.0', ...lines, ''].join('\n');
};
