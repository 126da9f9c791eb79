/**
 * `toI420` as a WebAssembly module of 128-bit SIMD (https://webassembly.github.io/spec/core/binary/instructions.html), eight pixels of two rows at a time: the same samples, to the bit.
 * It exports `memory` of `bytes` and `convert(pixels, planes, width, height)`, addresses in bytes, the width a multiple of 8.
 * Before, the factors of luma, blue and red difference lie at 0, 16 and 32: 16-bit integers for the four bytes of a pixel, twice.
 */
export const i420Module = (bytes: number): readonly number[] => {
  const type = [0x60, ...vector([i32, i32, i32, i32]), ...vector([])];
  const memory = [0x00, ...unsigned(Math.ceil(bytes / pageBytes))];
  const named = (name: string, kind: number): number[] => [...vector([...new TextEncoder().encode(name)]), kind, 0];
  const locals = [[...unsigned(intLocals), i32], [...unsigned(vectorLocals), v128]];
  const body = [...list(locals), ...convert(), end];
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([type])),
    ...section(3, vector([0])),
    ...section(5, list([memory])),
    ...section(7, list([named('memory', 2), named('convert', 0)])),
    ...section(10, list([[...unsigned(body.length), ...body]])),
  ];
};

/** Instructions that leave one value, or none. */
type Code = readonly number[];

const pageBytes = 65_536;
const [i32, v128, end] = [0x7f, 0x7b, 0x0b];
const factors = { luma: 0, blue: 16, red: 32 } as const;
const [pixels, planes, width, height, upper, rowEnd, pictureEnd, rowBytes, atY, atU, atV] = Array.from({ length: 11 }, (_, index) => index);
const intLocals = 7;
const [upperLeft, upperRight, lowerLeft, lowerRight, one, other, left, right] = Array.from({ length: 8 }, (_, index) => 11 + index);
const vectorLocals = 8;

const convert = (): Code => [
  ...set(rowBytes, multiplied(get(width), constant(4))),
  ...set(upper, get(pixels)),
  ...set(pictureEnd, added(get(pixels), multiplied(get(rowBytes), get(height)))),
  ...set(atY, get(planes)),
  ...set(atU, added(get(planes), multiplied(get(width), get(height)))),
  ...set(atV, added(get(atU), quartered(multiplied(get(width), get(height))))),
  ...repeatWhileLess(upper, pictureEnd, [
    ...set(rowEnd, added(get(upper), get(rowBytes))),
    ...repeatWhileLess(upper, rowEnd, [
      ...set(upperLeft, load(get(upper))),
      ...set(upperRight, load(get(upper), 16)),
      ...set(lowerLeft, load(added(get(upper), get(rowBytes)))),
      ...set(lowerRight, load(added(get(upper), get(rowBytes)), 16)),
      ...store8(get(atY), luma(upperLeft, upperRight)),
      ...store8(added(get(atY), get(width)), luma(lowerLeft, lowerRight)),
      ...set(left, blockSums(upperLeft, lowerLeft)),
      ...set(right, blockSums(upperRight, lowerRight)),
      ...store4(get(atU), chroma(factors.blue)),
      ...store4(get(atV), chroma(factors.red)),
      ...set(upper, added(get(upper), constant(32))),
      ...set(atY, added(get(atY), constant(8))),
      ...set(atU, added(get(atU), constant(4))),
      ...set(atV, added(get(atV), constant(4))),
    ]),
    ...set(upper, added(get(upper), get(rowBytes))),
    ...set(atY, added(get(atY), get(width))),
  ]),
];

/** Luma of eight pixels, as bytes. */
const luma = (first: number, second: number): Code => {
  const fourOf = (four: number): Code => scaled(weighted(lowBytes(get(four)), highBytes(get(four)), factors.luma), 540_672, 15);
  return narrow(fourOf(first), fourOf(second));
};

/** Channels of two blocks of 2 × 2 pixels, added up. */
const blockSums = (top: number, bottom: number): Code => [
  ...set(one, sum16(lowBytes(get(top)), lowBytes(get(bottom)))),
  ...set(other, sum16(highBytes(get(top)), highBytes(get(bottom)))),
  ...sum16(shuffled(get(one), get(other), 8, [0, 2]), shuffled(get(one), get(other), 8, [1, 3])),
];

/** Of the four blocks in `left` and `right`, as bytes. */
const chroma = (factor: number): Code => {
  const four = scaled(weighted(get(left), get(right), factor), 16_842_752, 17);
  return narrow(four, four);
};

/** Four sums of weighted channels, of twice two pixels. */
const weighted = (two: Code, nextTwo: Code, factor: number): Code => [
  ...set(one, simd(0xba, two, load(constant(factor)))),
  ...set(other, simd(0xba, nextTwo, load(constant(factor)))),
  ...sum32(shuffled(get(one), get(other), 4, [0, 2, 4, 6]), shuffled(get(one), get(other), 4, [1, 3, 5, 7])),
];

const scaled = (four: Code, bias: number, bits: number): Code => [...sum32(four, simd(0x11, constant(bias))), ...constant(bits), ...simd(0xac)];
const narrow = (four: Code, nextFour: Code): Code => {
  const words = simd(0x85, four, nextFour);
  return [...set(one, words), ...simd(0x66, get(one), get(one))];
};
const lowBytes = (bytes: Code): Code => simd(0x89, bytes);
const highBytes = (bytes: Code): Code => simd(0x8a, bytes);
const sum16 = (a: Code, b: Code): Code => simd(0x8e, a, b);
const sum32 = (a: Code, b: Code): Code => simd(0xae, a, b);
/** Lanes of `size` bytes out of those of two vectors. */
const shuffled = (a: Code, b: Code, size: number, lanes: readonly number[]): Code => [...simd(0x0d, a, b), ...lanes.flatMap((lane) => Array.from({ length: size }, (_, byte) => lane * size + byte))];
const load = (address: Code, offset = 0): Code => [...simd(0x00, address), 0, ...unsigned(offset)];
const store8 = (address: Code, value: Code): Code => [...simd(0x5b, address, value), 0, 0, 0];
const store4 = (address: Code, value: Code): Code => [...simd(0x5a, address, value), 0, 0, 0];
const simd = (instruction: number, ...operands: readonly Code[]): Code => [...operands.flat(), 0xfd, ...unsigned(instruction)];

const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
const constant = (value: number): Code => [0x41, ...signed(value)];
const added = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const multiplied = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
const quartered = (a: Code): Code => [...a, ...constant(2), 0x76];
const repeatWhileLess = (local: number, limit: number, body: Code): Code => [0x03, 0x40, ...body, ...get(local), ...get(limit), 0x49, 0x0d, 0, end];

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
const vector = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const list = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];

/** LEB128. */
const unsigned = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
const signed = (value: number): number[] => (value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]);

/** What of WebAssembly is used here and in the worker of a page. */
export interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** Memory for one picture and its planes, and what turns one into the other. */
export interface Converter {
  readonly pixels: Uint8Array;
  readonly planes: Uint8Array;
  readonly convert: (order: 'RGB' | 'BGR') => void;
}

/** Of the bytes of `i420Module`. Throws where there is no SIMD. Knows nothing around it: the same text runs here and in the worker of a page. */
export function simdConverter(bytes: readonly number[], { Module, Instance }: Assembly, width: number, height: number): Converter {
  const { memory, convert } = new Instance(new Module(Uint8Array.from(bytes))).exports as { readonly memory: { readonly buffer: ArrayBuffer }; readonly convert: (pixels: number, planes: number, width: number, height: number) => void };
  const factors = new Int16Array(memory.buffer, 0, 24);
  const start = 64;
  const planesAt = start + width * height * 4;
  return {
    pixels: new Uint8Array(memory.buffer, start, width * height * 4),
    planes: new Uint8Array(memory.buffer, planesAt, (width * height * 3) / 2),
    convert(order) {
      const [red, green, blue] = [[5983, -3298, 14392], [20127, -11094, -13072], [2032, 14392, -1320]];
      const [first, third] = order === 'RGB' ? [red, blue] : [blue, red];
      for (let plane = 0; plane < 3; plane++) for (const half of [0, 4]) factors.set([first[plane], green[plane], third[plane], 0], plane * 8 + half);
      convert(start, planesAt, width, height);
    },
  };
}

/** Bytes of memory that a picture takes in the module. */
export const i420MemoryBytes = (width: number, height: number): number => 64 + (width * height * 11) / 2;
