import { subtitleLanguages, subtitleNames } from './encoder-options.js';
import type { Reel } from './reel.js';

/**
 * The captions as an mp4 of one timed-text track (3GPP TS 26.245), to be copied into the film as it is: text at the top, off the strip of the past.
 * ffmpeg's own encoder has no way to say where text stands (in builds before 4.4) or says it to some players only.
 */
export const subtitleTrack = ({ captions, lang, width, height, durationMs }: Pick<Reel, 'captions' | 'lang' | 'width' | 'height'> & { readonly durationMs: number }): Buffer => {
  const samples = samplesOf(captions, Math.floor(durationMs));
  const data = samples.map(({ text }) => sampleBytes(text));
  const lengthMs = samples.reduce((sum, { ms }) => sum + ms, 0);
  const fileType = box('ftyp', latin('isom'), uint32(512), latin('isom'));
  const table = box(
    'stbl',
    fullBox('stsd', 0, uint32(1), textEntry(width, height)),
    fullBox('stts', 0, uint32(samples.length), ...samples.flatMap(({ ms }) => [uint32(1), uint32(ms)])),
    fullBox('stsc', 0, uint32(1), uint32(1), uint32(samples.length), uint32(1)),
    fullBox('stsz', 0, uint32(0), uint32(samples.length), ...data.map(({ length }) => uint32(length))),
    fullBox('stco', 0, uint32(1), uint32(fileType.length + 8)),
  );
  const media = box(
    'mdia',
    fullBox('mdhd', 0, never, uint32(ticksPerS), uint32(lengthMs), packedLanguage(subtitleLanguages[lang]), zeros(2)),
    fullBox('hdlr', 0, zeros(4), latin('sbtl'), zeros(12), Buffer.from(`${subtitleNames[lang]}\0`)),
    box('minf', fullBox('nmhd', 0), box('dinf', fullBox('dref', 0, uint32(1), fullBox('url ', 1))), table),
  );
  const trackHeader = fullBox('tkhd', inMovie, never, uint32(1), zeros(4), uint32(lengthMs), zeros(8), zeros(8), identity, uint32(width * 65_536), uint32(height * 65_536));
  const movieHeader = fullBox('mvhd', 0, never, uint32(ticksPerS), uint32(lengthMs), uint32(65_536), uint16(256), zeros(10), identity, zeros(24), uint32(2));
  return Buffer.concat([fileType, box('mdat', ...data), box('moov', movieHeader, box('trak', trackHeader, media))]);
};

const ticksPerS = 1000;
/** Times of creation and change: none, so that bytes repeat. */
const never = Buffer.alloc(8);
/** Flags of a track header: part of the film, but not switched on. */
const inMovie = 2;

interface Sample {
  readonly ms: number;
  readonly text: string;
}

/** Without gaps, as a track's samples are: where nothing is said, an empty text. Never longer than the film. */
const samplesOf = (captions: Reel['captions'], durationMs: number): Sample[] => {
  const samples: Sample[] = [];
  let at = 0;
  const until = (ms: number, text: string): void => {
    if (ms > at) samples.push({ ms: ms - at, text });
    at = Math.max(at, ms);
  };
  for (const { fromMs, toMs, text } of captions) {
    until(Math.min(Math.round(fromMs), durationMs), '');
    until(Math.min(Math.round(toMs), durationMs), text);
  }
  until(durationMs, '');
  return samples;
};

const sampleBytes = (text: string): Buffer => {
  const bytes = Buffer.from(text.replace(/\r\n?/g, '\n').trim());
  return Buffer.concat([uint16(bytes.length), bytes]);
};

/**
 * How the text looks and where it stands: in a box across the picture, from 5 % of its height on, its first line at the top of it.
 * Players of libavcodec go by the justification, Apple's by the flag.
 */
const textEntry = (width: number, height: number): Buffer => {
  const [top, bottom] = [Math.round(height * 0.05), Math.round(height * 0.25)];
  const style = [uint16(0), uint16(0), uint16(1), uint8(0, fontSize), uint8(255, 255, 255, 255)];
  return box('tx3g', zeros(6), uint16(1), uint32(placedByBox), uint8(justified.centre, justified.top), zeros(4), uint16(top), uint16(0), uint16(bottom), uint16(width), ...style, fonts);
};
/** Of Apple's: the text box of the sample counts, not the bottom of the picture. */
const placedByBox = 0x2000_0000;
const justified = { centre: 1, top: 0 };
/** As in every file of ffmpeg's: players take a size of their own. */
const fontSize = 18;

const zeros = (length: number): Buffer => Buffer.alloc(length);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const uint8 = (...values: readonly number[]): Buffer => Buffer.from(values);
const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => Buffer.concat([uint32(8 + content.reduce((sum, part) => sum + part.length, 0)), latin(type), ...content]);

/** Version 0 and flags in one number. */
const fullBox = (type: string, flags: number, ...content: readonly Uint8Array[]): Buffer => box(type, uint32(flags), ...content);

/** Three letters of five bits. */
const packedLanguage = (code: string): Buffer => uint16([...code].reduce((bits, letter) => (bits << 5) | (letter.charCodeAt(0) - 0x60), 0));

const identity = Buffer.concat([65_536, 0, 0, 0, 65_536, 0, 0, 0, 0x4000_0000].map(uint32));

const fonts = box('ftab', uint16(1), uint16(1), uint8(10), latin('Sans-Serif'));
