import type { Mark } from '../look/figure.js';
import type { Shape } from '../look/drawing.js';
import type { Lang } from '../../src/study/types.js';
import type { Sheet } from './paper.js';

/**
 * The report before it is a file: pages of shapes, and the tree that says what they mean, in reading order. Pure data, in points, y downwards.
 * The layout makes it, `writeBook` turns it into a PDF; tests read either.
 */
export interface Book {
  readonly lang: Lang;
  readonly title: string;
  readonly subject: string;
  readonly sheet: Sheet;
  readonly pages: number;
  readonly root: Element;
  /** Rules, bands, headers and footers: seen, but not read aloud. */
  readonly artifacts: readonly Ink[];
  readonly bookmarks: readonly Bookmark[];
  /** Where links may lead, by name. */
  readonly places: ReadonlyMap<string, Place>;
  readonly attachments: readonly Attachment[];
}

/** Roles of a tagged PDF that the report uses. */
export type Tag = 'Document' | 'Sect' | 'TOC' | 'TOCI' | 'Link' | 'H1' | 'H2' | 'H3' | 'P' | 'Figure' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'L' | 'LI';

export interface Element {
  readonly tag: Tag;
  /** What a figure shows, in words. */
  readonly alt?: string;
  /** Box of a figure on its page. */
  readonly box?: Box;
  readonly scope?: 'Column' | 'Row';
  readonly title?: string;
  /** Of a table: what it holds, for those who hear it. */
  readonly summary?: string;
  /** Of a link: the name of the place that it leads to, and where it may be clicked. */
  readonly link?: { readonly to: string; readonly areas: readonly Area[] };
  readonly children: (Element | Ink)[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Area {
  readonly page: number;
  readonly box: Box;
}

/** Shapes on one page, moved by `at`. */
export interface Ink {
  /** From 0. */
  readonly page: number;
  readonly at?: { readonly x: number; readonly y: number };
  readonly shapes: readonly InkShape[];
  /** Of an artifact: header or footer, where it is not part of the layout. */
  readonly furniture?: true;
}
export type MarkedShape = Shape | { readonly kind: 'mark'; readonly mark: Mark; readonly shapes: readonly Shape[] };
/** Linked shapes become an element of their own when they are added to the tree. */
export type InkShape = MarkedShape | { readonly kind: 'link'; readonly to: string; readonly box: Box; readonly shapes: readonly MarkedShape[] };

export interface Bookmark {
  readonly level: 1 | 2;
  readonly title: string;
  readonly page: number;
  readonly y: number;
}
export interface Place {
  /** From 0. */
  readonly page: number;
  readonly y: number;
}

export interface Attachment {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly description: string;
}

export const isElement = (node: Element | Ink): node is Element => 'tag' in node;
