import type { PixelFormat } from '../browser/camera.js';
import type { Reel } from './reel.js';

/** What a film is made of besides its pictures, as far as the command line says it. */
export interface FilmFormat {
  readonly format: PixelFormat;
  readonly fps: number;
  /** Exact length of the film. */
  readonly frames: number;
  /** Language of the captions' track, null without captions. */
  readonly subtitles: Reel['lang'] | null;
  /** Only pictures, to be joined with others. */
  readonly isPart: boolean;
}

/**
 * H.264 as every player shows it: 8 bit 4:2:0, BT.709 converted and tagged. Two threads and no dates, so that bytes repeat.
 * Inputs: 0 the pictures; of a whole film also 1 title and chapters, 2 the captions' track.
 */
export const outputOptions = ({ format, fps, frames, subtitles, isPart }: FilmFormat): readonly string[] => [
  ...(isPart ? ['-map', '0:v:0', '-map_metadata', '-1'] : filmMaps(subtitles)),
  // PNG is converted before it is repeated: once a picture. Planes come as they are wanted.
  ...['-vf', `${format === 'png' ? 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p,' : ''}fps=${fps}`],
  ...['-frames:v', String(frames)],
  // Nothing moves between pictures: a search for where parts of them went finds little, and costs a quarter of what a picture that stays costs. The film is 6 % larger.
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', 'subme=0:me=dia', '-crf', '18', '-bf', '0', '-pix_fmt', 'yuv420p', '-threads', '2'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
  ...(isPart ? quiet : filmContainer(subtitles)),
];

/**
 * Segments to one film, without touching a picture.
 * Inputs: 0 the list of segments, 1 title and chapters, 2 the captions' track.
 */
export const joinOptions = (subtitles: FilmFormat['subtitles']): readonly string[] => [...filmMaps(subtitles), '-c:v', 'copy', ...filmContainer(subtitles)];

/** Pictures speak no language; a stream of Matroska would be English. */
const filmMaps = (subtitles: FilmFormat['subtitles']): string[] => ['-map', '0:v:0', ...(subtitles ? ['-map', '2:s:0'] : []), '-map_metadata', '1', '-map_chapters', '1', '-metadata:s:v:0', 'language=und'];

/** Without the first a full disk is no failure, without the second its reason is not among the last lines; without the others bytes do not repeat. */
const quiet = ['-xerror', '-loglevel', 'warning', '-fflags', '+bitexact', '-flags:v', '+bitexact'];

/** What stands around the pictures of a whole film: the captions, and the index in front. */
const filmContainer = (subtitles: FilmFormat['subtitles']): string[] => [
  // Copied as it is: no encoder of ffmpeg's could say that the words stand at the top.
  ...(subtitles ? ['-c:s', 'copy', '-metadata:s:s:0', `language=${subtitleLanguages[subtitles]}`, '-metadata:s:s:0', `handler_name=${subtitleNames[subtitles]}`] : []),
  ...quiet,
  ...['-movflags', '+faststart'],
];

/** ISO 639-2. */
export const subtitleLanguages: Record<Reel['lang'], string> = { en: 'eng', ko: 'kor' };
/** The track's name in a player's menu. */
export const subtitleNames: Record<Reel['lang'], string> = { en: 'Captions', ko: '자막' };
