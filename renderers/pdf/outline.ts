import type { Bookmark, Place } from './book.js';

/** What one laying of the report knows of the one before it: its headings, and on which page each named place is. */
export interface Outline {
  readonly headings: readonly Bookmark[];
  readonly places: ReadonlyMap<string, Place>;
}

export const noOutline: Outline = { headings: [], places: new Map() };

/** Name of the place of the nth heading. */
export const headingPlace = (index: number): string => `heading-${index}`;

/** Whether every page number that the later laying prints is right. */
export const agree = (before: Outline, after: Outline): boolean =>
  before.headings.length === after.headings.length && before.places.size === after.places.size && [...after.places].every(([name, { page }]) => before.places.get(name)?.page === page);
