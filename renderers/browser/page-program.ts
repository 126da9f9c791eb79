import type { LineStep } from './line-patch.js';
import type { PageCanvas, PageElement, PageGlobals, PageWorker, WorkerOrder } from './page-globals.js';

export interface PageSetup {
  readonly width: number;
  readonly height: number;
  /** Style of a picture. */
  readonly css: string;
}

/** What Node may ask of the page, as `globalThis.faultreel`. An answer that is not empty says what is wrong with a picture. */
export interface PageInterface {
  /** Changes what the page shows. */
  show(steps: readonly LineStep[]): string;
  /** Shows nothing, so that nothing of it is painted again. */
  hide(): void;
  /** Gets ready to draw without showing. Rejects when this browser cannot. */
  startDrawing(workerProgram: string, file: string, slots: number): Promise<void>;
  /** Draws a picture a host; the one of host k goes to place `firstSlot + k` of the file. Resolves when all are written. */
  draw(patches: readonly (readonly LineStep[])[], firstSlot: number): Promise<string>;
}

/**
 * Runs in the page, and knows nothing around it.
 * A picture stands in a shadow root, where neither ids nor styles of other pictures reach it.
 * Its text is parsed as XML, so nothing in it can run, and a slip in the markup is an error instead of a guess.
 * Where each line is one element, as `toSvg` writes them, only lines that changed are parsed again.
 */
export function pageProgram({ width, height, css }: PageSetup, { document, DOMParser, CSSStyleSheet, Blob, URL, Worker }: PageGlobals): PageInterface {
  const style = new CSSStyleSheet();
  style.replaceSync(css);

  const parsed = (text: string): { readonly root: PageElement; readonly problem: string } => {
    const xml = new DOMParser().parseFromString(text, 'image/svg+xml');
    const broken = xml.querySelector('parsererror');
    return { root: document.adoptNode(xml.documentElement), problem: broken?.textContent ?? '' };
  };

  /** Each line in an element of its own, so that no element can begin in one line and end in another; null when one does, or holds more than one. */
  const parsedLines = (startTag: string, lines: readonly string[]): { readonly root: PageElement; readonly elements: readonly PageElement[] } | null => {
    const text = `${startTag}${lines.map((line) => `<one-line>${line}</one-line>`).join('')}</svg>`;
    if (text.includes('<!') || text.includes('<?') || lines.some((line) => line.includes('one-line'))) return null;
    const { root, problem } = parsed(text);
    if (problem !== '' || root.childElementCount !== lines.length) return null;
    const elements = Array.from(root.children, (wrapper) => (wrapper.childElementCount === 1 ? wrapper.firstElementChild : null));
    return elements.every((element) => element !== null) ? { root, elements } : null;
  };

  class Picture {
    #lines: readonly string[] = [];
    /** The element of each line; null for the tags around them, and for all where a line is not an element. */
    #elements: readonly (PageElement | null)[] = [];
    readonly #shadow: PageElement;

    constructor(host: PageElement) {
      this.#shadow = host.attachShadow({ mode: 'open' });
      this.#shadow.adoptedStyleSheets = [style];
    }

    change(steps: readonly LineStep[]): string {
      const lines: string[] = [];
      const elements: (PageElement | null)[] = [];
      const stale: PageElement[] = [];
      let at = 0;
      for (const step of steps) {
        if (typeof step === 'string') {
          lines.push(step);
          elements.push(null);
          continue;
        }
        if (typeof step === 'number') {
          for (const end = at + Math.abs(step); at < end; at++) {
            const element = this.#elements[at];
            if (step > 0) {
              lines.push(this.#lines[at]);
              elements.push(element);
            } else if (element) stale.push(element);
          }
          continue;
        }
        const [head, middle, tail] = step;
        const line = this.#lines[at];
        const element = this.#elements[at];
        if (element) stale.push(element);
        lines.push(line.slice(0, head) + middle + line.slice(line.length - tail));
        elements.push(null);
        at++;
      }
      const sameStart = this.#lines.length > 0 && this.#lines[0] === lines[0];
      this.#lines = lines;
      this.#elements = elements;
      return this.#placeLines(sameStart, stale) ? '' : this.#placeWhole();
    }

    #placeLines(sameStart: boolean, stale: readonly PageElement[]): boolean {
      const lines = this.#lines;
      const end = lines.at(-1) === '' ? lines.length - 2 : lines.length - 1;
      if (!lines[0].startsWith('<svg') || !lines[0].endsWith('>') || lines[end] !== '</svg>') return false;
      const elements = sameStart && this.#elements.some((element) => element !== null) ? [...this.#elements] : lines.map(() => null);
      const places: number[] = [];
      for (let place = 1; place < end; place++) if (elements[place] === null) places.push(place);
      const fresh = parsedLines(lines[0], places.map((place) => lines[place]));
      if (fresh === null) return false;
      places.forEach((place, index) => (elements[place] = fresh.elements[index]));
      this.#elements = elements;
      if (places.length === end - 1) {
        fresh.root.replaceChildren(...fresh.elements);
        this.#shadow.replaceChildren(fresh.root);
        return true;
      }
      for (const element of stale) element.remove();
      const svg = this.#shadow.firstElementChild!;
      for (const place of places.reverse()) svg.insertBefore(elements[place]!, place + 1 < end ? elements[place + 1] : null);
      return true;
    }

    #placeWhole(): string {
      this.#elements = this.#lines.map(() => null);
      const { root, problem } = parsed(this.#lines.join('\n'));
      if (problem === '') this.#shadow.replaceChildren(root);
      return problem;
    }
  }

  const shown = document.getElementById('shown');
  const shownPicture = new Picture(shown);
  const canvas = document.getElementById('canvas') as PageCanvas;
  const hosts = Array.from(canvas.children);
  const pictures = hosts.map((host) => new Picture(host));
  const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  let worker: PageWorker | null = null;
  let drawing: Promise<unknown> = Promise.resolve();

  /** The worker answers in the order in which it was asked. */
  const order = (message: WorkerOrder, transfer: object): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker!.postMessage(message, [transfer]);
    });

  const painted = (): Promise<void> =>
    new Promise((resolve) => {
      canvas.onpaint = () => {
        canvas.onpaint = null;
        resolve();
      };
      canvas.requestPaint!();
    });

  /** Resolves when the hosts are free again. */
  const capture = async (patches: readonly (readonly LineStep[])[], firstSlot: number): Promise<{ readonly problem: string; readonly written: Promise<unknown> }> => {
    for (const [index, steps] of patches.entries()) {
      const problem = pictures[index].change(steps);
      if (problem !== '') return { problem, written: Promise.resolve() };
    }
    await painted();
    const written = Promise.all(
      patches.map((_, index) => {
        const image = canvas.captureElementImage!(hosts[index]);
        return order({ kind: 'picture', image, slot: firstSlot + index }, image);
      }),
    );
    written.catch(() => undefined);
    return { problem: '', written };
  };

  return {
    show(steps) {
      shown.hidden = false;
      return shownPicture.change(steps);
    },
    hide() {
      shown.hidden = true;
    },
    async startDrawing(workerProgram, file, slots) {
      if (!canvas.captureElementImage || !canvas.requestPaint) throw new Error('it does not draw elements into a canvas');
      worker = new Worker(URL.createObjectURL(new Blob([workerProgram], { type: 'text/javascript' })));
      worker.onmessage = ({ data: { problem } }) => {
        const { resolve, reject } = waiting.shift()!;
        if (problem === null) resolve();
        else reject(new Error(problem));
      };
      worker.onerror = ({ message }) => {
        for (const { reject } of waiting.splice(0)) reject(new Error(message ?? 'its worker does not start'));
      };
      const offscreen = canvas.transferControlToOffscreen();
      await order({ kind: 'start', canvas: offscreen, width, height, file, slots }, offscreen);
    },
    async draw(patches, firstSlot) {
      const captured = drawing.then(() => capture(patches, firstSlot));
      drawing = captured.catch(() => undefined);
      const { problem, written } = await captured;
      await written;
      return problem;
    },
  };
}
