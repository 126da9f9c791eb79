import type { Writable } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { evidenceOf, killOnExit, lastLines, reasonOf } from '../browser/child.js';
import { exitCodes, FaultreelError, machineAdvice } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { outputOptions, type FilmFormat } from './encoder-options.js';
import { LongPromise } from '../browser/long-promise.js';
import type { FoundProgram } from './find-encoder.js';
import { pictureHead, streamHeader } from './picture-stream.js';
import { switchSubtitlesOff } from './track-flags.js';

/** Makes one film file of pictures. Every call rejects once the program behind it has failed; `abort` leaves nothing running. */
export interface Encoder {
  /** Shows a picture for so many film frames; resolves when the program has taken its bytes, which are the caller's again. */
  picture(bytes: Uint8Array, frames: number): Promise<void>;
  /** Resolves when the file is whole. */
  finish(): Promise<void>;
  abort(): Promise<void>;
  /** It failed by itself, of nothing that is known to come again. */
  readonly hasDied: boolean;
}

export interface EncoderOptions extends Omit<FilmFormat, 'isPart'> {
  readonly host: Host;
  readonly program: FoundProgram;
  readonly width: number;
  readonly height: number;
  /** An ffmetadata file with title and chapters; without it this is a part of a film, to be joined with others. */
  readonly metadata?: string;
  /** The file of the captions' track; there when `subtitles` names a language. */
  readonly captions?: string;
  readonly output: string;
  /** Time in ms without any progress after which the program counts as stuck. */
  readonly stuckMs?: number;
}

/** Starts ffmpeg. The only place that knows fluent-ffmpeg, which is no longer kept up (fluent-ffmpeg/node-fluent-ffmpeg#1324). */
export const startEncoder = (options: EncoderOptions): Encoder => new FfmpegEncoder(options);

class FfmpegEncoder implements Encoder {
  readonly #command: ffmpeg.FfmpegCommand;
  readonly #done: Promise<void>;
  /** Settles when the program ends, and rejects also when that is before the film does. */
  readonly #ended: LongPromise<void>;
  /** The program's own input: a stream that fluent-ffmpeg pipes into it would hold pictures which the camera already draws over. */
  readonly #input: Promise<Writable>;
  #commandLine: readonly string[] = [];
  #process: Process | null = null;
  #forget: () => void = () => undefined;
  #frame = 0;
  #last: Buffer | null = null;
  #settled = false;
  #aborted = false;
  #died = false;

  constructor(private readonly options: EncoderOptions) {
    const { program, metadata, captions, output } = options;
    this.#command = ffmpeg().setFfmpegPath(program.path).input('pipe:0');
    if (metadata) this.#command.input(metadata).inputOptions('-f', 'ffmetadata');
    if (captions) this.#command.input(captions);
    this.#command.outputOptions([...outputOptions({ ...options, isPart: metadata === undefined })]).output(output);
    let opened: (input: Writable) => void;
    this.#input = new Promise((resolve) => (opened = resolve));
    this.#done = this.#run((input) => {
      // How it ends is told by the program's end; writing to one that is gone must not end this process.
      input.on('error', () => undefined);
      input.write(streamHeader(options));
      opened(input);
    });
    this.#ended = new LongPromise(
      this.#done.then(() => {
        // Having all its frames it may stop reading before the last copy.
        if (this.#frame < this.options.frames) throw this.#failure('The encoder ended before the film did', '');
      }),
    );
  }

  get hasDied(): boolean {
    return this.#died;
  }

  async picture(bytes: Uint8Array, frames: number): Promise<void> {
    await this.#write(bytes);
    this.#frame += frames;
    // Shown once more at the very end, when the camera may have drawn over it.
    if (this.#frame === this.options.frames) this.#last = Buffer.from(bytes);
  }

  async finish(): Promise<void> {
    const { frames, host, output, subtitles } = this.options;
    if (this.#settled) await this.#ended.promise;
    if (this.#frame !== frames || !this.#last) throw new Error(`The film has ${this.#frame} frames of ${frames}.`);
    // A picture stands until the next one comes: the last one comes once more, where the film is over.
    await this.#write(this.#last);
    (await this.#input).end();
    await this.#unlessStuck(this.#done);
    if (!(await host.sizeOf(output))) throw this.#failure('The encoder ended with exit code 0 but wrote no film', '');
    if (subtitles) await switchSubtitlesOff(output);
  }

  async abort(): Promise<void> {
    // fluent-ffmpeg asks the program for its formats first: what has not started yet is killed when it does.
    this.#aborted = true;
    if (this.#process && !this.#settled) this.#command.kill('SIGKILL');
    await this.#done.catch(() => undefined);
  }

  /** Settles once, however the program ends. */
  async #run(onInput: (input: Writable) => void): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#command
          .on('start', (line: string) => {
            this.#commandLine = line.split(' ').slice(1);
            const started = (this.#command as unknown as { ffmpegProc: Process }).ffmpegProc;
            this.#process = started;
            this.#forget = killOnExit(started);
            if (this.#aborted) this.#command.kill('SIGKILL');
            onInput(started.stdin);
          })
          .on('end', () => resolve())
          .on('error', (error: Error, _stdout: unknown, stderr: unknown) => reject(this.#failureOf(error, typeof stderr === 'string' ? stderr : '')))
          .run();
      });
    } finally {
      this.#settled = true;
      this.#forget();
      this.#process?.stdin.destroy();
    }
  }

  /** Resolves when all is in the program's pipe: that, and not a buffer of ours, is what holds the camera back. */
  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#settled) return this.#ended.promise;
    const taken = this.#input.then((input) => new Promise<void>((resolve) => {
      input.write(pictureHead(bytes.length, this.#frame));
      input.write(bytes, (error) => {
        // An error is told by the program's end.
        if (!error) resolve();
      });
    }));
    await this.#unlessStuck(this.#ended.race(taken));
  }

  async #unlessStuck(work: Promise<void>): Promise<void> {
    const { stuckMs = 120_000 } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), stuckMs)));
    try {
      if ((await Promise.race([work, late])) !== 'late') return;
    } finally {
      clearTimeout(timer);
    }
    await this.abort();
    throw this.#failure(`The encoder made no progress for ${stuckMs / 1000} s`, '', exitCodes.timedOut);
  }

  #failureOf(error: Error, stderr: string): FaultreelError {
    const { exitCode: code = null, signalCode: signal = null } = this.#process ?? {};
    const ended = code !== null || signal !== null;
    const trouble = diskTroubleIn(stderr);
    if (trouble) return trouble;
    return this.#failure(`The encoder failed: ${ended ? `ffmpeg ${reasonOf({ code, signal, timedOut: false, spawnError: null })}` : error.message}`, stderr);
  }

  #failure(message: string, stderr: string, exitCode: 6 | 7 = exitCodes.rendering): FaultreelError {
    this.#died ||= exitCode === exitCodes.rendering && !this.#aborted;
    return new FaultreelError(exitCode, { message, hint: evidenceOf(this.options.program.path, this.#commandLine, stderr) });
  }
}

/** As any other writing on such a disk is told, if the last lines say so; ffmpeg's command line would say nothing more. */
export const diskTroubleIn = (stderr: string): FaultreelError | null => {
  for (const line of lastLines(stderr).reverse()) {
    const [errno] = diskTroubles.find(([, words]) => words.test(line)) ?? [];
    if (errno !== undefined) return new FaultreelError(exitCodes.environment, { message: `The film cannot be written: ${line}`, hint: `${machineAdvice(errno)}. Nothing was replaced.` });
  }
  return null;
};
const diskTroubles = [
  ['ENOSPC', /No space left on device/i],
  ['EDQUOT', /Disk quota exceeded/i],
  ['EROFS', /Read-only file system/i],
] as const;

interface Process {
  readonly pid?: number;
  readonly stdin: Writable;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}
