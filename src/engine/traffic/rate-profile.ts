import type { Profile } from '../../scenario/model.js';
import { pointsOf, type ProfilePoint } from './profile-points.js';

interface Piece {
  readonly fromNs: number;
  readonly toNs: number;
  /** Expected arrivals before the piece. */
  readonly before: number;
  /** Rates at both ends, per ns. */
  readonly fromRate: number;
  readonly toRate: number;
}

/**
 * A rate over time as expected arrivals since the start, and the inverse of that: the time at which a given number of arrivals is expected.
 * Drawing arrivals by the inverse makes a ramp exact, and a jump from 0 is not late (rule 44).
 */
export class RateProfile {
  private readonly pieces: readonly Piece[];
  private current = 0;

  /** Stairs begin at `startNs`, as their phases do; a ramp says its own times, of which those before `startNs` are cut off. `stopNs` ends both. */
  constructor(profile: Profile, startNs: number, stopNs: number) {
    this.pieces = integrated(pointsOf(profile, startNs, stopNs), startNs, stopNs);
  }

  /**
   * Time at which `expected` arrivals are due, ns; Infinity when the profile never makes so many. Must be asked in ascending order.
   * A piece is without its end, as a phase is: what would fall on it opens the next piece in which anything comes.
   */
  timeOf(expected: number): number {
    while (this.current < this.pieces.length) {
      const piece = this.pieces[this.current];
      const within = arrivalsIn(piece);
      if (within > 0 && expected < (piece.before + within) * (1 - roundingShare)) return piece.fromNs + solve(piece, Math.max(0, expected - piece.before));
      this.current++;
    }
    return Infinity;
  }
}

const nsPerS = 1e9;
/** How far sums of expected arrivals may be off by rounding. */
const roundingShare = 1e-12;

const integrated = (points: readonly ProfilePoint[], startNs: number, stopNs: number): Piece[] => {
  const pieces: Piece[] = [];
  let before = 0;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1];
    const b = points[i];
    const fromNs = Math.max(a.atNs, startNs);
    const toNs_ = Math.min(b.atNs, stopNs);
    if (toNs_ <= fromNs) continue;
    const from = a.value / nsPerS;
    const to = b.value / nsPerS;
    const rateAt = (ns: number): number => from + ((to - from) * (ns - a.atNs)) / (b.atNs - a.atNs);
    const piece = { fromNs, toNs: toNs_, before, fromRate: rateAt(fromNs), toRate: rateAt(toNs_) };
    pieces.push(piece);
    before += arrivalsIn(piece);
  }
  return pieces;
};

const arrivalsIn = ({ fromNs, toNs: untilNs, fromRate, toRate }: Piece): number => ((fromRate + toRate) / 2) * (untilNs - fromNs);

/** ns into the piece after which `arrivals` are expected: the smaller root of r·t + s·t²/2 = arrivals, in the form that does not cancel. */
const solve = ({ fromNs, toNs: untilNs, fromRate, toRate }: Piece, arrivals: number): number => {
  if (fromRate === toRate) return fromRate === 0 ? 0 : arrivals / fromRate;
  const slope = (toRate - fromRate) / (untilNs - fromNs);
  const root = Math.sqrt(Math.max(0, fromRate * fromRate + 2 * slope * arrivals));
  return fromRate + root === 0 ? 0 : (2 * arrivals) / (fromRate + root);
};
