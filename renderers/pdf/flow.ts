import type { Canvas, Drawing } from '../look/drawing.js';
import { print } from '../look/palette.js';
import type { Lang } from '../../src/study/types.js';
import { drawBand, type BandKind } from './band.js';
import type { Bookmark, Element, Ink, InkShape, Place, Tag } from './book.js';
import { baselineOf, drawn, lineShapes } from './line-ink.js';
import { withLinks } from './linked-ink.js';
import { headingPlace, noOutline, type Outline } from './outline.js';
import { papers, type Paper, type Sheet } from './paper.js';
import { bold, breakLines, linkTo, markedOnce, plainText, type TextStyle, withoutMarks } from './rich.js';
import { formWords } from '../../src/text/report-form.js';

/** Where text may stand on a page, whatever the paper; the spine and the furniture are outside of it. Its lower end is `Flow.bottom`. */
export const column = { left: 54, right: 555, width: 501, top: 54 } as const;

/** Below the text: the footer. */
const footerHeight = 49.89;

/** Of a mark in running text, pt: it stands once a sentence, and small. */
const markSize = 5;

export const styles = {
  h1: { size: 24, weight: 800, lineHeight: 29 },
  h2: { size: 11, weight: 700, lineHeight: 14 },
  lead: { size: 9.5, lineHeight: 13.6, fill: print.text2, markSize },
  body: { size: 8.5, lineHeight: 12, fill: print.text, markSize },
  note: { size: 8, lineHeight: 11.2, fill: print.text2, markSize },
  small: { size: 7.5, lineHeight: 10, fill: print.text3 },
} as const satisfies Record<string, TextStyle>;

const h2Height = 18;

/** A title, and how much there was before it. */
interface Title {
  readonly height: number;
  readonly draw: () => void;
  readonly y: number;
  readonly elements: number;
  readonly bookmarks: number;
}

/** Lays blocks one under the other, turns pages, and keeps the tree of what each block means. */
export class Flow {
  readonly artifacts: Ink[] = [];
  readonly bookmarks: Bookmark[] = [];
  /** Where links may lead, by name. */
  readonly places = new Map<string, Place>();
  readonly root: Element = { tag: 'Document', children: [] };
  y: number = column.top;
  page = 0;
  #parent: Element = this.root;
  #box: { readonly x: number; readonly width: number } = { x: column.left, width: column.width };
  #band: { kind: BandKind; label: string; from: number } | null = null;
  /** Titles under which nothing stands yet. */
  #titles: Title[] = [];

  readonly sheet: Sheet;
  /** Lower end of the text on every page. */
  readonly bottom: number;

  /** `before` is what the last laying found: page numbers come from there. */
  constructor(readonly lang: Lang, readonly paper: Paper = 'a4', readonly before: Outline = noOutline) {
    this.sheet = papers[paper];
    this.bottom = this.sheet.height - footerHeight;
  }

  /** What is left of this page, pt. */
  get left(): number {
    return this.bottom - this.y;
  }

  /** Height of the text of a whole page. */
  get height(): number {
    return this.bottom - column.top;
  }

  /** Names this place, so that `linkTo(name, words)` in any text leads here. */
  anchor(name: string): void {
    if (!this.places.has(name)) this.places.set(name, { page: this.page, y: this.y });
  }

  /** Whether the report has a place of this name: for a link to what is not in every report. */
  has(name: string): boolean {
    return this.before.places.has(name) || this.places.has(name);
  }

  /** `page 5`, or `Timeline: page 5`, as a link; nothing where there is no such place. */
  pageRef(name: string, title = ''): string {
    const place = this.before.places.get(name);
    if (!place) return '';
    const page = formWords[this.lang].page(place.page + 1).replaceAll(' ', '\u00A0');
    return linkTo(name, title ? `${title}: ${page}` : page);
  }

  /** A new page, unless nothing stands on this one yet: no page stays empty. Titles go along with what they are the title of. */
  turn(): void {
    if (this.y <= column.top) return;
    const titles = this.#takeTitles();
    const isBandBelow = this.#band !== null && this.#band.from > this.y;
    this.#paintBand();
    // What was named with nothing drawn since begins on the next page.
    const late = [...this.places].filter(([, { page, y }]) => page === this.page && y >= this.y);
    this.page++;
    this.y = column.top;
    for (const [name] of late) this.places.set(name, { page: this.page, y: this.y });
    for (const { height, draw } of titles) this.#title(height, draw);
    if (this.#band) this.#band.from = isBandBelow ? this.y : column.top;
  }

  /** Turns the page when `height` does not fit any more. True when it turned. */
  need(height: number): boolean {
    if (height <= this.left || this.y <= column.top) return false;
    this.turn();
    return true;
  }

  space(height: number): void {
    if (this.y > column.top) this.y = Math.min(this.bottom, this.y + height);
  }

  /** Everything drawn in `body` stands beside a band on the outer margin. */
  band(kind: BandKind, label: string, body: () => void): void {
    this.#band = { kind, label, from: this.y };
    body();
    this.#paintBand();
    this.#band = null;
  }

  /** A part of the report, a place of its own name. It begins on a new page, unless at least `room` points are left on this one. */
  section(name: string, title: string, room: number, body: () => void): void {
    if (this.left < room) this.turn();
    else this.space(24);
    this.anchor(name);
    const section: Element = { tag: 'Sect', title: plainText(title), children: [] };
    this.append(section);
    const before = this.#parent;
    this.#parent = section;
    body();
    this.#parent = before;
    this.#titles = [];
  }

  h1(markup: string): void {
    const lines = breakLines(withoutMarks(markup), this.#box.width, styles.h1).length;
    this.#title(lines * styles.h1.lineHeight, () => {
      this.#heading(1, markup);
      this.paragraph(markup, styles.h1, 'H1');
      this.y += 3;
    });
  }

  /** Parts beside each other in columns of equal width, at least `room` points high; where they do not fit on what is left of this page, one under the other. */
  beside(room: number, bodies: readonly (() => void)[]): void {
    this.need(room);
    const [page, takeBack] = [this.page, this.#remembered()];
    this.#columns(bodies);
    if (this.page === page) return;
    takeBack();
    for (const [index, body] of bodies.entries()) {
      if (index > 0) this.space(5);
      body();
    }
  }

  #columns(bodies: readonly (() => void)[]): void {
    const gap = 18;
    const [top, before, width] = [this.y, this.#box, (column.width - gap * (bodies.length - 1)) / bodies.length];
    const ends = bodies.map((body, index) => {
      this.y = top;
      this.#box = { x: column.left + index * (width + gap), width };
      body();
      return this.y;
    });
    this.#box = before;
    this.y = Math.max(...ends);
  }

  /** Takes back all that is laid after now. A title above is settled until then, so that nothing from before now is lost. */
  #remembered(): () => void {
    const [page, y, titles, band, places] = [this.page, this.y, this.#titles, this.#band && { ...this.#band }, [...this.places]];
    const lists = ([this.#parent.children, this.bookmarks, this.artifacts] as unknown[][]).map((list) => ({ list, length: list.length }));
    this.#titles = [];
    return () => {
      [this.page, this.y, this.#titles, this.#band] = [page, y, titles, band];
      for (const { list, length } of lists) list.length = length;
      this.places.clear();
      for (const [name, place] of places) this.places.set(name, place);
    };
  }

  /** A heading, with a few words beside it. `keep`: how much of what follows stays on its page, where that is more than the first block. */
  h2(markup: string, under = '', keep = 0): void {
    this.need(h2Height + keep);
    this.#title(h2Height, () => this.#drawH2(markup, under));
  }

  #drawH2(markup: string, under: string): void {
    this.#heading(2, markup);
    const { x, width } = this.#box;
    const line = breakLines(markup, width, styles.h2)[0];
    const sub = under ? breakLines(under, width - (line?.width ?? 0) - 8, styles.note)[0] : undefined;
    const baseline = this.y + 11;
    const ink: InkShape[] = line ? lineShapes(line, x, baseline, styles.h2) : [];
    this.add('H2', [{ page: this.page, shapes: ink }]);
    if (sub) this.add('P', [{ page: this.page, shapes: lineShapes(sub, x + (line?.width ?? 0) + 8, baseline, { ...styles.note, fill: print.text3 }) }]);
    this.y += h2Height;
  }

  /** A small heading that belongs to what is above it. */
  h3(markup: string): void {
    this.#title(styles.note.lineHeight, () => this.paragraph(bold(markup), { ...styles.note, fill: print.text }, 'H3'));
  }

  paragraph(markup: string, style: TextStyle = styles.body, tag: Tag = 'P', box: { x?: number; width?: number } = {}): void {
    const x = box.x ?? this.#box.x;
    const lines = breakLines(tag === 'H1' ? withoutMarks(markup) : markedOnce(markup), box.width ?? this.#box.width, style);
    if (lines.length === 0) return;
    const lineHeight = style.lineHeight ?? style.size * 1.3;
    this.need(Math.min(lines.length, 3) * lineHeight);
    // From here on text stands below the titles: a page that turns leaves them where they are.
    this.#titles = [];
    const inks: Ink[] = [];
    let shapes: InkShape[] = [];
    for (const line of lines) {
      if (lineHeight > this.left && this.y > column.top) {
        inks.push({ page: this.page, shapes });
        shapes = [];
        this.turn();
      }
      shapes.push(...lineShapes(line, x, this.y + baselineOf(style.size, lineHeight), style));
      this.y += lineHeight;
    }
    inks.push({ page: this.page, shapes });
    this.add(tag, inks);
  }

  /** A drawing as a figure with its words; it is never cut. */
  drawing(drawing: Drawing, alt: string, x: number = column.left): void {
    this.figure([{ drawing, x: x - column.left, y: 0 }], { width: drawing.width, height: drawing.height, alt });
  }

  /** Several drawings as one figure, each at its place from the figure's corner. */
  figure(parts: readonly { readonly drawing: Drawing; readonly x: number; readonly y: number }[], { width, height, alt }: { readonly width: number; readonly height: number; readonly alt: string }): void {
    this.need(height);
    const corner = { x: column.left, y: this.y };
    const children = parts.map(({ drawing, x, y }) => ({ page: this.page, at: { x: corner.x + x, y: corner.y + y }, shapes: drawing.shapes }));
    this.append({ tag: 'Figure', alt: plainText(alt), box: { ...corner, width, height }, children });
    this.y += height;
  }

  /** Shapes at their place on the page, as one element. */
  add(tag: Tag, inks: readonly Ink[], more: Partial<Element> = {}): void {
    this.append({ tag, ...more, children: withLinks(inks) });
  }

  append(element: Element): void {
    this.#parent.children.push(element);
    this.#titles = [];
  }

  rule(y: number, weight: 'hair' | 'strong' = 'hair'): void {
    this.artifact((canvas) => canvas.line(column.left, y, column.right, y, weight === 'hair' ? { stroke: print.line, strokeWidth: 0.5 } : { stroke: print.text, strokeWidth: 0.8 }));
  }

  artifact(draw: (canvas: Canvas) => void): void {
    this.artifacts.push({ page: this.page, shapes: drawn(draw) });
  }

  /** Draws a title; until something else is added it is not settled which page it is on. */
  #title(height: number, draw: () => void): void {
    this.need(height);
    const titles = [...this.#titles, { height, draw, y: this.y, elements: this.#parent.children.length, bookmarks: this.bookmarks.length }];
    draw();
    this.#titles = titles;
  }

  /** Takes back the titles under which nothing stands, to draw them again on the next page; not where this page has nothing else. */
  #takeTitles(): readonly Title[] {
    const titles = this.#titles;
    this.#titles = [];
    const [first] = titles;
    if (!first || first.y <= column.top) return [];
    this.#parent.children.length = first.elements;
    this.bookmarks.length = first.bookmarks;
    this.y = first.y;
    return titles;
  }

  #heading(level: Bookmark['level'], markup: string): void {
    this.anchor(headingPlace(this.bookmarks.length));
    this.bookmarks.push({ level, title: plainText(markup), page: this.page, y: this.y });
  }

  #paintBand(): void {
    const band = this.#band;
    if (!band || this.y <= band.from + 2) return;
    this.artifact((canvas) => drawBand(canvas, band.kind, band.label, band.from, Math.min(this.y, this.bottom)));
  }
}
