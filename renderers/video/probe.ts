import { evidenceOf, reasonOf, runChild } from '../browser/child.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { subtitleLanguages, subtitleNames } from './encoder-options.js';
import type { FoundProgram } from './find-encoder.js';
import { frameCount, type Reel } from './reel.js';

/** What ffprobe says of a film; only what is checked. */
export interface ProbedFilm {
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: string;
  readonly frames: number;
  /** Exact, as a fraction of seconds. */
  readonly duration: { readonly ticks: number; readonly ticksPerS: number };
  readonly color: { readonly range: string; readonly space: string; readonly primaries: string; readonly transfer: string };
  readonly title: string;
  readonly comment: string;
  /** The captions' track: ISO 639-2 language, name in a menu, and whether a player switches it on by itself. */
  readonly subtitles: { readonly codec: string; readonly language: string; readonly name: string; readonly on: boolean } | null;
  readonly chapters: readonly { readonly title: string; readonly fromMs: number; readonly toMs: number }[];
}

/** Reads a film's own description. Throws FaultreelError with exit code 6 when it cannot be read. */
export const probeFilm = async (program: FoundProgram, file: string, signal?: AbortSignal): Promise<ProbedFilm> => {
  const args = ['-v', 'error', '-print_format', 'json', '-show_streams', '-show_format', '-show_chapters', file];
  const ending = await runChild(program.path, args, { deadlineMs: 60_000, signal });
  if (ending.code !== 0) throw new FaultreelError(exitCodes.rendering, { message: `The film cannot be read back: ffprobe ${reasonOf(ending)}`, hint: evidenceOf(program.path, args, ending.stderr) });
  const { streams = [], format, chapters = [] } = JSON.parse(ending.stdout) as RawProbe;
  const video = streams.find((stream) => stream.codec_type === 'video');
  if (!video) throw new FaultreelError(exitCodes.rendering, { message: 'The film has no picture.', hint: evidenceOf(program.path, args, ending.stderr) });
  const subtitles = streams.find((stream) => stream.codec_type === 'subtitle');
  const [num, den] = (video.time_base ?? '0/1').split('/').map(Number) as [number, number];
  return {
    codec: video.codec_name ?? '',
    width: video.width ?? 0,
    height: video.height ?? 0,
    pixelFormat: video.pix_fmt ?? '',
    frames: Number(video.nb_frames),
    duration: { ticks: (video.duration_ts ?? 0) * num, ticksPerS: den },
    color: { range: video.color_range ?? '', space: video.color_space ?? '', primaries: video.color_primaries ?? '', transfer: video.color_transfer ?? '' },
    title: format?.tags?.title ?? '',
    comment: format?.tags?.comment ?? '',
    subtitles: subtitles ? { codec: subtitles.codec_name ?? '', language: subtitles.tags?.language ?? '', name: subtitles.tags?.handler_name ?? '', on: subtitles.disposition?.default === 1 } : null,
    chapters: chapters.map((chapter) => ({ title: chapter.tags?.title ?? '', fromMs: Math.round(Number(chapter.start_time) * 1000), toMs: Math.round(Number(chapter.end_time) * 1000) })),
  };
};

/** Throws FaultreelError with exit code 6 that lists all in which a film is not the reel. */
export const checkFilm = (film: ProbedFilm, reel: Reel): void => {
  const frames = frameCount(reel);
  const problems: { readonly message: string }[] = [];
  const expect = (what: string, wanted: string | number, found: string | number): void => {
    if (wanted !== found) problems.push({ message: `The film is not what was asked for: expected ${what} ${wanted}, found ${found}` });
  };
  expect('codec', 'h264', film.codec);
  expect('size', `${reel.width}x${reel.height}`, `${film.width}x${film.height}`);
  expect('pixel format', 'yuv420p', film.pixelFormat);
  expect('frames', frames, film.frames);
  // Compared as fractions: no rounding can hide a frame.
  if (film.duration.ticks * reel.fps !== frames * film.duration.ticksPerS) expect('duration in s', frames / reel.fps, film.duration.ticks / film.duration.ticksPerS);
  expect('colours', 'tv bt709 bt709 bt709', [film.color.range, film.color.space, film.color.primaries, film.color.transfer].join(' '));
  expect('subtitles', subtitleText(wantedSubtitles(reel)), subtitleText(film.subtitles));
  expect('chapters', chapterText(reel.chapters), chapterText(film.chapters));
  if (problems.length > 0) throw new FaultreelError(exitCodes.rendering, problems);
};

const wantedSubtitles = ({ captions, lang }: Reel): ProbedFilm['subtitles'] => (captions.length === 0 ? null : { codec: 'mov_text', language: subtitleLanguages[lang], name: subtitleNames[lang], on: false });

const subtitleText = (subtitles: ProbedFilm['subtitles']): string => (subtitles ? `${subtitles.codec} ${subtitles.language} ${subtitles.name}, ${subtitles.on ? 'on' : 'off'}` : 'none');

const chapterText = (chapters: Reel['chapters']): string => chapters.map(({ fromMs, title }) => `${Math.round(fromMs)} ms ${title.trim()}`).join(', ') || 'none';

interface RawProbe {
  readonly streams?: readonly {
    readonly codec_type?: string;
    readonly codec_name?: string;
    readonly width?: number;
    readonly height?: number;
    readonly pix_fmt?: string;
    readonly nb_frames?: string;
    readonly time_base?: string;
    readonly duration_ts?: number;
    readonly color_range?: string;
    readonly color_space?: string;
    readonly color_primaries?: string;
    readonly color_transfer?: string;
    readonly disposition?: { readonly default?: number };
    readonly tags?: { readonly language?: string; readonly handler_name?: string };
  }[];
  readonly format?: { readonly tags?: { readonly title?: string; readonly comment?: string } };
  readonly chapters?: readonly { readonly start_time?: string; readonly end_time?: string; readonly tags?: { readonly title?: string } }[];
}
