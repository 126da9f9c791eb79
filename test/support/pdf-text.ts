import { inflateSync } from 'node:zlib';

/** One run of text on a page, in the order in which it was drawn, and the spoken words of the mark drawn directly before it. */
export interface PdfText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly mark: string | null;
  readonly artifact: boolean;
}
export interface PdfRead {
  readonly pages: readonly { readonly items: readonly PdfText[]; readonly text: string }[];
  /** Dictionaries of all objects, as text, streams apart. */
  readonly dictionaries: readonly string[];
}

/** Reads back what pdfkit wrote: the text of each page through the fonts' ToUnicode maps. Knows just enough PDF for that. */
export const readPdf = (bytes: Uint8Array): PdfRead => {
  const file = new PdfFile(Buffer.from(bytes));
  const root = file.dictionary(referenceIn(file.trailer, 'Root'));
  const kids = file.dictionary(referenceIn(root, 'Pages')).match(/\/Kids \[([^\]]*)\]/)![1];
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => readPage(file, Number(id)));
  return { pages, dictionaries: file.ids.map((id) => file.dictionary(id)) };
};

class PdfFile {
  readonly ids: number[] = [];
  readonly trailer: string;
  readonly #offsets = new Map<number, number>();
  readonly #text: string;

  constructor(readonly bytes: Buffer) {
    this.#text = bytes.toString('latin1');
    const table = Number(/startxref\s+(\d+)/.exec(this.#text.slice(-64))![1]);
    const rows = this.#text.slice(table).match(/\d{10} \d{5} [nf]/g)!;
    rows.forEach((row, id) => {
      if (!row.endsWith('n')) return;
      this.#offsets.set(id, Number(row.slice(0, 10)));
      this.ids.push(id);
    });
    this.trailer = this.#text.slice(this.#text.indexOf('trailer', table));
  }

  dictionary(id: number): string {
    const from = this.#offsets.get(id)!;
    const ends = [this.#text.indexOf('endobj', from), this.#text.indexOf('\nstream', from)].filter((end) => end > 0);
    return this.#text.slice(from, Math.min(...ends));
  }

  stream(id: number): string {
    const dictionary = this.dictionary(id);
    const from = this.#offsets.get(id)! + dictionary.length + '\nstream\n'.length;
    const length = Number(/\/Length (\d+)/.exec(dictionary)![1]);
    const content = this.bytes.subarray(from, from + length);
    return (dictionary.includes('/FlateDecode') ? inflateSync(content) : content).toString('latin1');
  }
}

const referenceIn = (dictionary: string, key: string): number => Number(new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)![1]);

const readPage = (file: PdfFile, id: number): PdfRead['pages'][number] => {
  const page = file.dictionary(id);
  const resources = file.dictionary(referenceIn(page, 'Resources'));
  const fonts = new Map<string, Map<string, string>>();
  for (const [, name, font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) fonts.set(name, unicodeOf(file, Number(font)));
  const items = readContent(file.stream(referenceIn(page, 'Contents')), fonts);
  return { items, text: items.map(({ text }) => text).join('\n') };
};

const unicodeOf = (file: PdfFile, font: number): Map<string, string> => {
  const map = new Map<string, string>();
  const cmap = file.stream(referenceIn(file.dictionary(font), 'ToUnicode'));
  for (const [, first, list] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    [...list.matchAll(/<([0-9a-f]*)>/gi)].forEach(([, hex], index) => {
      const units = hex.match(/.{4}/g) ?? [];
      map.set((Number.parseInt(first, 16) + index).toString(16).padStart(4, '0'), String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
    });
  }
  return map;
};

const readContent = (content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): PdfText[] => {
  const items: PdfText[] = [];
  let font: ReadonlyMap<string, string> = new Map();
  let [x, y] = [0, 0];
  let mark: string | null = null;
  let depth = 0;
  let opened = '';
  let artifactAt: number | null = null;
  for (const line of content.split('\n')) {
    const chosen = /\/(F\d+) [\d.]+ Tf/.exec(line);
    if (chosen) font = fonts.get(chosen[1])!;
    const moved = /^1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm/.exec(line);
    if (moved) [x, y] = [Number(moved[1]), Number(moved[2])];
    // A mark of content with properties takes several lines: `/Span <<`, `/Alt (…)`, `>> BDC`.
    opened = /^\/(\w+) (<<|BMC)/.exec(line)?.[1] ?? opened;
    const spoken = /^\/Alt \((.*)\)$/.exec(line);
    if (spoken) mark = decodeString(spoken[1]);
    if (/ B[DM]C$/.test(line)) {
      depth++;
      if (opened === 'Artifact') artifactAt = depth;
    }
    if (line === 'EMC') {
      if (artifactAt === depth) artifactAt = null;
      depth--;
    }
    const shown = /^\[(.*)\] TJ$/.exec(line);
    if (!shown) continue;
    const text = [...shown[1].matchAll(/<([0-9a-f]+)>/g)].map(([, hex]) => hex.match(/.{4}/g)!.map((glyph) => font.get(glyph) ?? '\uFFFD').join('')).join('');
    items.push({ text, x, y, mark, artifact: artifactAt !== null });
    mark = null;
  }
  return items;
};

/** A PDF string: UTF-16 when it begins with a byte order mark. */
const decodeString = (text: string): string => {
  const raw = text.replace(/\\([nrtbf()\\])/g, (_, char: string) => escapes[char] ?? char);
  if (!raw.startsWith('\u00FE\u00FF')) return raw;
  return Array.from({ length: (raw.length - 2) / 2 }, (_, i) => String.fromCharCode((raw.charCodeAt(2 * i + 2) << 8) | raw.charCodeAt(2 * i + 3))).join('');
};
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The MediaBox of every page, pt. */
export const pageBoxes = (bytes: Uint8Array): number[][] => {
  const { dictionaries } = readPdf(bytes);
  return dictionaries.filter((dictionary) => dictionary.includes('/Type /Page\n')).map((dictionary) => /\/MediaBox \[([^\]]*)\]/.exec(dictionary)![1].trim().split(/\s+/).map(Number));
};

/** The files that a PDF carries. */
export const filesIn = (bytes: Uint8Array): { name: string; content: Buffer }[] => {
  const file = new PdfFile(Buffer.from(bytes));
  return file.ids.map((id) => file.dictionary(id)).filter((dictionary) => dictionary.includes('/Type /Filespec')).map((dictionary) => ({
    name: /\/UF \(([^)]*)\)/.exec(dictionary)![1],
    content: Buffer.from(file.stream(Number(/\/EF <<\s*\/F (\d+) 0 R/.exec(dictionary)![1])), 'latin1'),
  }));
};
