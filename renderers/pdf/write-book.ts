import PDFDocument from 'pdfkit';
import { brotliDecompressSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Weight } from '../look/text-width.js';
import { packageFolder } from '../../src/host.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { formWords } from '../../src/text/report-form.js';
import { isElement, type Book, type Element, type Ink } from './book.js';
import { requireGlyphs, wordsOf } from './glyph-check.js';
import { fontName, paintAll, rememberShapes, type Pdf } from './paint.js';

// A PDF wants dates; ours come from nowhere, so that the same study gives the same bytes.
const noDate = new Date(Date.UTC(2000, 0, 1));

/**
 * A book as the bytes of a tagged PDF: fonts embedded as subsets, vectors, bookmarks, attachments. Same book, same bytes.
 * @throws FaultreelError (environment) when the bundled fonts are missing or lack a character.
 */
export const writeBook = async (book: Book): Promise<Uint8Array> => {
  requireGlyphs(book);
  const pdf = await newDocument(book);
  const bytes = collect(pdf);
  for (let page = 0; page < book.pages; page++) pdf.addPage({ size: [book.sheet.width, book.sheet.height], margin: 0 });
  for (const ink of book.artifacts) onPage(pdf, ink, () => paintArtifact(pdf, ink, book));
  nameDestinations(pdf, book);
  addElement(pdf, null, book.root, book);
  addBookmarks(pdf, book);
  for (const { name, bytes: content, description } of book.attachments) attach(pdf, name, content, description);
  pdf.end();
  return bytes;
};

/** Only places that a link leads to become destinations of the file. */
const nameDestinations = (pdf: Pdf, book: Book): void => {
  for (const name of linkedPlaces(book.root)) {
    const place = book.places.get(name);
    if (!place) continue;
    pdf.switchToPage(place.page);
    pdf.addNamedDestination(name, 'XYZ', null, Math.max(0, place.y - 12), null);
  }
};

const linkedPlaces = (element: Element): Set<string> =>
  new Set([...(element.link ? [element.link.to] : []), ...element.children.filter(isElement).flatMap((child) => [...linkedPlaces(child)])]);

const newDocument = async (book: Book): Promise<Pdf> => {
  const pdf = new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    lang: book.lang,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: book.title, Subject: book.subject, Producer: 'faultreel', Creator: 'faultreel', CreationDate: noDate, ModDate: noDate },
  });
  for (const weight of weights) {
    pdf.registerFont(fontName(weight), await fontBytes(weight));
    rememberShapes(pdf, weight);
  }
  return pdf;
};

const weights: readonly Weight[] = [400, 500, 600, 700, 800];
const fontFiles: Readonly<Record<Weight, string>> = { 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold', 800: 'ExtraBold' };
const fontCache = new Map<Weight, Buffer>();

const fontBytes = async (weight: Weight): Promise<Buffer> => {
  const cached = fontCache.get(weight);
  if (cached) return cached;
  const file = path.join(packageFolder(), 'templates/fonts', `Pretendard-${fontFiles[weight]}.ttf.br`);
  const packed = await readFile(file).catch((cause: unknown) => {
    throw new FaultreelError(exitCodes.environment, { message: `expected the bundled font ${file}, found nothing that can be read`, hint: 'Install faultreel again: its templates folder is not whole.' }, { cause });
  });
  const bytes = brotliDecompressSync(packed);
  fontCache.set(weight, bytes);
  return bytes;
};

const collect = (pdf: Pdf): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });

const onPage = (pdf: Pdf, ink: Ink, draw: () => void): void => {
  pdf.switchToPage(ink.page);
  if (!ink.at) return draw();
  pdf.save();
  pdf.translate(ink.at.x, ink.at.y);
  draw();
  pdf.restore();
};

const paintArtifact = (pdf: Pdf, ink: Ink, book: Book): void => {
  pdf.markContent('Artifact', { type: ink.furniture ? 'Pagination' : 'Layout' });
  paintAll(pdf, ink.shapes, book.lang);
  pdf.endMarkedContent();
};

type Struct = ReturnType<Pdf['struct']>;

/** Adds an element and what it holds to the tree, painting as it goes: reading order is painting order. */
const addElement = (pdf: Pdf, parent: Struct | null, element: Element, book: Book): void => {
  const first = firstPage(element);
  if (first !== null) pdf.switchToPage(first);
  const { box } = element;
  const options = {
    ...(element.title === undefined ? {} : { title: element.title }),
    ...(element.alt === undefined ? {} : { alt: element.alt }),
    ...(element.scope === undefined ? {} : { scope: element.scope }),
    ...(box === undefined ? {} : { bbox: [box.x, box.y, box.x + box.width, box.y + box.height] }),
    ...(parent === null ? { lang: book.lang } : {}),
  };
  const struct = pdf.struct(element.tag, options);
  if (element.summary !== undefined) Object.assign((struct as unknown as { dictionary: { data: object } }).dictionary.data, { A: { O: 'Table', Summary: text(element.summary) } });
  if (parent === null) pdf.addStructure(struct);
  else parent.add(struct);
  for (const child of element.children) {
    if (isElement(child)) addElement(pdf, struct, child, book);
    else if (child.shapes.length > 0) onPage(pdf, { page: child.page, shapes: [] }, () => struct.add(() => onPage(pdf, child, () => paintAll(pdf, child.shapes, book.lang))));
  }
  if (element.link) addAnnotations(pdf, struct, element, book);
  struct.end();
};

/** Text of a PDF dictionary: pdfkit takes plain strings for names. */
const text = (value: string): object => Object(value) as object;

/** The boxes of a link that may be clicked, each tied to its element, with words for those who cannot see where it leads. */
const addAnnotations = (pdf: Pdf, struct: Struct, element: Element, book: Book): void => {
  const { to, areas } = element.link!;
  const place = book.places.get(to);
  if (!place) return;
  const words = formWords[book.lang].leadsTo(wordsOf(element), place.page + 1);
  for (const { page, box } of areas) {
    // An annotation's place in the tree is noted for the page that is turned to when the element ends.
    pdf.switchToPage(page);
    pdf.goTo(box.x, box.y, box.width, box.height, to, { structParent: struct, Contents: text(words) } as object);
  }
};


const firstPage = (element: Element): number | null => {
  for (const child of element.children) {
    const page = isElement(child) ? firstPage(child) : child.page;
    if (page !== null) return page;
  }
  return null;
};

const addBookmarks = (pdf: Pdf, book: Book): void => {
  let chapter = pdf.outline;
  for (const { level, title, page, y } of book.bookmarks) {
    pdf.switchToPage(page);
    const parent = level === 1 ? pdf.outline : chapter;
    const options = { expanded: level === 1, top: Math.max(0, y - 12), left: book.sheet.width };
    const item = parent.addItem(title, options);
    if (level === 1) chapter = item;
  }
};

const attach = (pdf: Pdf, name: string, content: Uint8Array, description: string): void => {
  // No file of no bytes: pdfkit refuses it.
  if (content.length === 0) return;
  const source = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  (pdf as unknown as { file: (bytes: Buffer, options: object) => void }).file(source, { name, description, type: mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', creationDate: noDate, modifiedDate: noDate, relationship: 'Data' });
};

const mediaTypes: Readonly<Record<string, string>> = { yaml: 'application/yaml', yml: 'application/yaml', json: 'application/json', csv: 'text/csv' };
