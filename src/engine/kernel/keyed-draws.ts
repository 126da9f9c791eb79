/**
 * Keyed draws: a value is a function of (seed, source, request, step, occurrence), not "the next one of a stream". So a changed slot count or an
 * added service changes no arrival and no draw elsewhere, and variants can be compared under common random numbers.
 *
 * The function is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC11), which needs
 * only 32-bit additions, rotations and exclusive ors.
 */

/** Both words of the last block, unsigned when read through `uniform`. */
export const block = new Int32Array(2);

/** Enciphers the counter (c0, c1) under the key (k0, k1) into `block`. */
export const encipher = (k0: number, k1: number, c0: number, c1: number): void => {
  const k2 = 0x1bd11bda ^ k0 ^ k1;
  // Each sum is cut to 32 bits before the next is added to it: more would be done in doubles.
  let x0 = ((c0 | 0) + k0) | 0;
  let x1 = ((c1 | 0) + k1) | 0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 15) | (x1 >>> 17)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 26) | (x1 >>> 6)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
  x0 = (x0 + k1) | 0; x1 = (((x1 + k2) | 0) + 1) | 0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 17) | (x1 >>> 15)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 29) | (x1 >>> 3)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 16) | (x1 >>> 16)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 24) | (x1 >>> 8)) ^ x0;
  x0 = (x0 + k2) | 0; x1 = (((x1 + k0) | 0) + 2) | 0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 15) | (x1 >>> 17)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 26) | (x1 >>> 6)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
  x0 = (x0 + k0) | 0; x1 = (((x1 + k1) | 0) + 3) | 0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 17) | (x1 >>> 15)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 29) | (x1 >>> 3)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 16) | (x1 >>> 16)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 24) | (x1 >>> 8)) ^ x0;
  x0 = (x0 + k1) | 0; x1 = (((x1 + k2) | 0) + 4) | 0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 15) | (x1 >>> 17)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 26) | (x1 >>> 6)) ^ x0;
  x0 = (x0 + x1) | 0; x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
  block[0] = (x0 + k2) | 0;
  block[1] = (((x1 + k0) | 0) + 5) | 0;
};

/** A draw from (0, 1), 53 bits, never 0 or 1. */
export const uniform = (k0: number, k1: number, site: number, occurrence: number): number => {
  encipher(k0, k1, site, occurrence);
  return ((block[0] >>> 5) * 67108864 + (block[1] >>> 6) + 0.5) / 9007199254740992;
};

/** A whole number from 0 to n − 1; its bias is below n / 2^53. */
export const pick = (n: number, k0: number, k1: number, site: number, occurrence: number): number => Math.floor(uniform(k0, k1, site, occurrence) * n);

/** 32 bits that stand for a name (FNV-1a over UTF-16 code units): the site of a draw, or a source in a key. */
export const siteOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash;
};
