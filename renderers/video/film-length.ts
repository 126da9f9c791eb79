/** Cards of a film of its natural length, ms. */
const natural = { titleMs: 4_000, verdictMs: 8_000 } as const;
/** What cards of a short film still need to be read, ms. */
const least = { titleMs: 1_500, verdictMs: 3_000, stopMs: 2_000 } as const;
/** Most that the cards at both ends, and the questions, take of a film. */
const shareOf = { title: 0.07, verdict: 0.14, stops: 0.3 } as const;

/** A film shorter than this tells nothing, ms. */
export const shortestFilmMs = 10_000;

export interface CardLengths {
  readonly titleMs: number;
  readonly verdictMs: number;
  /** Of each stop, in order; 0 for one that is left out. */
  readonly stopMs: readonly number[];
}

/** How long cards stand in a film of `durationMs`: shorter in a short film, and the last questions left out where not all can be read. */
export const fitCards = (holdsMs: readonly number[], durationMs: number | undefined): CardLengths => {
  if (durationMs === undefined) return { ...natural, stopMs: holdsMs };
  const room = durationMs * shareOf.stops;
  const shown = Math.min(holdsMs.length, Math.floor(room / least.stopMs));
  const wished = holdsMs.slice(0, shown).reduce((sum, ms) => sum + ms, 0);
  const part = wished > room ? room / wished : 1;
  return {
    titleMs: between(least.titleMs, durationMs * shareOf.title, natural.titleMs),
    verdictMs: between(least.verdictMs, durationMs * shareOf.verdict, natural.verdictMs),
    stopMs: holdsMs.map((ms, i) => (i < shown ? Math.max(Math.min(ms, least.stopMs), ms * part) : 0)),
  };
};

const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));
