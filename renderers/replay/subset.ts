import { createRequire } from 'node:module';
import type { Host } from '../../src/host.js';

/** Cuts a font down to the glyphs of some characters; everything that shapes them stays as it was. */
export type Subsetter = (font: Uint8Array, characters: Iterable<string>) => Uint8Array;

/** What Chromium applies to a text by itself, and the tabular figures that every picture asks for. */
const features = ['ccmp', 'locl', 'rlig', 'liga', 'clig', 'calt', 'kern', 'mark', 'mkmk', 'ljmo', 'vjmo', 'tjmo', 'tnum'];
/** Copyright and licence; a part of a font may not carry the reserved name of the whole. */
const nameIds = [0, 13, 14];

/** Loads HarfBuzz as WebAssembly: the same bytes on every machine. TrueType in, TrueType out, without hints. */
export const loadSubsetter = async (host: Pick<Host, 'readBytes'>): Promise<Subsetter> => {
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  const { instance } = await WebAssembly.instantiate(await host.readBytes(file));
  const hb = instance.exports as HarfBuzz;
  hb._initialize();
  return (font, characters) => subset(hb, font, characters);
};

/** Node has it; its types come with those of a page only. */
declare const WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }> };

/** Functions of hb-subset.h and their like; numbers are addresses. */
interface HarfBuzz {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_get_flags(input: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const memoryModeWritable = 2;
const flagNoHinting = 1;
const sets = { nameIds: 4, layoutFeatures: 6 } as const;

const subset = (hb: HarfBuzz, font: Uint8Array, characters: Iterable<string>): Uint8Array => {
  const data = hb.malloc(font.length);
  // Its memory may grow, and then is another buffer: looked up each time.
  new Uint8Array(hb.memory.buffer).set(font, data);
  const whole = hb.hb_blob_create(data, font.length, memoryModeWritable, 0, 0);
  const face = hb.hb_face_create(whole, 0);
  const input = inputOf(hb, characters);
  const part = hb.hb_subset_or_fail(face, input);
  if (part === 0) throw new Error('HarfBuzz cannot subset the bundled font');
  const result = hb.hb_face_reference_blob(part);
  const at = hb.hb_blob_get_data(result, 0);
  const bytes = new Uint8Array(hb.memory.buffer).slice(at, at + hb.hb_blob_get_length(result));
  hb.hb_blob_destroy(result);
  hb.hb_face_destroy(part);
  hb.hb_subset_input_destroy(input);
  hb.hb_face_destroy(face);
  hb.hb_blob_destroy(whole);
  hb.free(data);
  return bytes;
};

const inputOf = (hb: HarfBuzz, characters: Iterable<string>): number => {
  const input = hb.hb_subset_input_create_or_fail();
  const fill = (set: number, values: Iterable<number>): void => {
    hb.hb_set_clear(set);
    for (const value of values) hb.hb_set_add(set, value);
  };
  hb.hb_subset_input_set_flags(input, hb.hb_subset_input_get_flags(input) | flagNoHinting);
  fill(hb.hb_subset_input_set(input, sets.layoutFeatures), features.map(tagOf));
  fill(hb.hb_subset_input_set(input, sets.nameIds), nameIds);
  fill(hb.hb_subset_input_unicode_set(input), Array.from(characters, (character) => character.codePointAt(0)!));
  return input;
};

const tagOf = (tag: string): number => [...tag].reduce((number, char) => number * 256 + char.charCodeAt(0), 0);
