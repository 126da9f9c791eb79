import { PassThrough } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { evidenceOf, killOnExit, reasonOf } from '../browser/child.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import type { FoundProgram } from './find-encoder.js';
import { streamHeader, streamPicture } from './picture-stream.js';

/** Makes one film file of pictures. Every call rejects once the program behind it has failed; `abort` leaves nothing running. */
export interface Encoder {
  /** Shows a PNG for so many film frames; resolves when the next one may come. */
  picture(png: Uint8Array, frames: number): Promise<void>;
  /** Resolves when the file is whole. */
  finish(): Promise<void>;
  abort(): Promise<void>;
}

export interface EncoderOptions {
  readonly host: Host;
  readonly program: FoundProgram;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Exact length of the film. */
  readonly frames: number;
  /** An ffmetadata file with title and chapters. */
  readonly metadata: string;
  readonly output: string;
  /** Time in ms without any progress after which the program counts as stuck. */
  readonly stuckMs?: number;
}

/** H.264 as every player shows it: 8 bit 4:2:0, BT.709 converted and tagged, index in front. Two threads and no dates, so that bytes repeat. */
const outputOptions = ({ fps, frames }: EncoderOptions): string[] => [
  ...['-map', '0:v:0', '-map_metadata', '1', '-map_chapters', '1'],
  // Converted before it is repeated: once a picture.
  ...['-vf', `scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p,fps=${fps}`],
  ...['-frames:v', String(frames)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-bf', '0', '-pix_fmt', 'yuv420p', '-threads', '2'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-movflags', '+faststart'],
];

/** Starts ffmpeg. The only place that knows fluent-ffmpeg, which is no longer kept up (fluent-ffmpeg/node-fluent-ffmpeg#1324). */
export const startEncoder = (options: EncoderOptions): Encoder => new FfmpegEncoder(options);

class FfmpegEncoder implements Encoder {
  readonly #input = new PassThrough({ highWaterMark: 4_000_000 });
  readonly #command: ffmpeg.FfmpegCommand;
  readonly #done: Promise<void>;
  /** Settles when the program ends, and rejects also when that is before the film does. */
  readonly #ended: Promise<void>;
  #commandLine: readonly string[] = [];
  #process: Process | null = null;
  #forget: () => void = () => undefined;
  #frame = 0;
  #last: Uint8Array | null = null;
  #settled = false;
  #aborted = false;

  constructor(private readonly options: EncoderOptions) {
    const { program, metadata, output } = options;
    this.#command = ffmpeg().setFfmpegPath(program.path).input(this.#input).input(metadata).inputOptions('-f', 'ffmetadata').outputOptions(outputOptions(options)).output(output);
    this.#done = this.#run();
    this.#ended = this.#done.then(() => {
      // Having all its frames it may stop reading before the last copy.
      if (this.#frame < this.options.frames) throw this.#failure('The encoder ended before the film did', '');
    });
    this.#ended.catch(() => undefined);
    this.#input.write(streamHeader(options));
  }

  async picture(png: Uint8Array, frames: number): Promise<void> {
    await this.#write(streamPicture(png, this.#frame));
    this.#frame += frames;
    this.#last = png;
  }

  async finish(): Promise<void> {
    const { frames, host, output } = this.options;
    if (this.#settled) await this.#ended;
    if (this.#frame !== frames || !this.#last) throw new Error(`The film has ${this.#frame} frames of ${frames}.`);
    // A picture stands until the next one comes: the last one comes once more, where the film is over.
    await this.#write(streamPicture(this.#last, frames));
    this.#input.end();
    await this.#unlessStuck(this.#done);
    if (!(await host.sizeOf(output))) throw this.#failure('The encoder ended with exit code 0 but wrote no film', '');
  }

  async abort(): Promise<void> {
    // fluent-ffmpeg asks the program for its formats first: what has not started yet is killed when it does.
    this.#aborted = true;
    this.#input.destroy();
    if (this.#process && !this.#settled) this.#command.kill('SIGKILL');
    await this.#done.catch(() => undefined);
  }

  /** Settles once, however the program ends. Its streams are ours to end: fluent-ffmpeg leaves a writer waiting for ever. */
  async #run(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#command
          .on('start', (line: string) => {
            this.#commandLine = line.split(' ').slice(1);
            this.#process = (this.#command as unknown as { ffmpegProc: Process }).ffmpegProc;
            this.#forget = killOnExit(this.#process);
            if (this.#aborted) this.#command.kill('SIGKILL');
          })
          .on('end', () => resolve())
          .on('error', (error: Error, _stdout: unknown, stderr: unknown) => reject(this.#failureOf(error, typeof stderr === 'string' ? stderr : '')))
          .run();
      });
    } finally {
      this.#settled = true;
      this.#forget();
      this.#input.destroy();
    }
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#settled) return this.#ended;
    if (this.#input.write(chunk)) return;
    const drained = new Promise<void>((resolve) => this.#input.once('drain', resolve));
    await this.#unlessStuck(Promise.race([drained, this.#ended]));
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
    return this.#failure(`The encoder failed: ${ended ? `ffmpeg ${reasonOf({ code, signal, timedOut: false, spawnError: null })}` : error.message}`, stderr);
  }

  #failure(message: string, stderr: string, exitCode: 6 | 7 = exitCodes.rendering): FaultreelError {
    return new FaultreelError(exitCode, { message, hint: evidenceOf(this.options.program.path, this.#commandLine, stderr) });
  }
}

interface Process {
  readonly pid?: number;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}
