import type { Mark } from '../look/figure.js';
import type { Shape } from '../look/drawing.js';
import type { Lang } from '../../src/study/types.js';

/**
 * The report before it is a file: pages of shapes, and the tree that says what they mean, in reading order. Pure data, in points, y downwards.
 * The layout makes it, `writeBook` turns it into a PDF; tests read either.
 */
export interface Book {
  readonly lang: Lang;
  readonly title: string;
  readonly subject: string;
  readonly pages: number;
  readonly root: Element;
  /** Rules, bands, headers and footers: seen, but not read aloud. */
  readonly artifacts: readonly Ink[];
  readonly bookmarks: readonly Bookmark[];
  readonly links: readonly Link[];
  readonly attachments: readonly Attachment[];
}

export const pageSize = { width: 595.28, height: 841.89 } as const;

/** Roles of a tagged PDF that the report uses. */
export type Tag = 'Document' | 'Sect' | 'H1' | 'H2' | 'H3' | 'P' | 'Figure' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'L' | 'LI';

export interface Element {
  readonly tag: Tag;
  /** What a figure shows, in words. */
  readonly alt?: string;
  /** Box of a figure on its page. */
  readonly box?: Box;
  readonly scope?: 'Column' | 'Row';
  readonly title?: string;
  readonly children: (Element | Ink)[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Shapes on one page, moved by `at`. */
export interface Ink {
  /** From 0. */
  readonly page: number;
  readonly at?: { readonly x: number; readonly y: number };
  readonly shapes: readonly InkShape[];
}
export type InkShape = Shape | { readonly kind: 'mark'; readonly mark: Mark; readonly shapes: readonly Shape[] };

export interface Bookmark {
  readonly level: 1 | 2;
  readonly title: string;
  readonly page: number;
  readonly y: number;
}
/** A box that leads to a place in the report. */
export interface Link {
  readonly page: number;
  readonly box: Box;
  readonly toPage: number;
}

export interface Attachment {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly description: string;
}

export const isElement = (node: Element | Ink): node is Element => 'tag' in node;
