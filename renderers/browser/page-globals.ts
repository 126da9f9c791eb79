import type { Assembly } from './i420-simd.js';

/** What of a page's own language our programs in it use; the experimental parts are described at https://github.com/WICG/html-in-canvas. */
export interface PageGlobals {
  readonly document: PageElement & {
    readonly fonts: { load(font: string, text: string): Promise<unknown> };
    adoptNode<Node>(node: Node): Node;
    getElementById(id: string): PageElement;
  };
  readonly DOMParser: new () => { parseFromString(text: string, type: 'image/svg+xml'): { readonly documentElement: PageElement; querySelector(selector: string): PageElement | null } };
  readonly CSSStyleSheet: new () => { replaceSync(css: string): void };
  readonly Blob: new (parts: readonly string[], options: { readonly type: string }) => object;
  readonly URL: { createObjectURL(blob: object): string };
  readonly Worker: new (address: string) => PageWorker;
}

export interface PageElement {
  readonly children: ArrayLike<PageElement>;
  readonly childElementCount: number;
  readonly firstElementChild: PageElement | null;
  readonly localName: string;
  readonly attributes: ArrayLike<{ readonly name: string; value: string }>;
  readonly style: Record<string, string>;
  textContent: string;
  adoptedStyleSheets: readonly object[];
  hidden: boolean;
  attachShadow(options: { readonly mode: 'open' }): PageElement;
  insertBefore(element: PageElement, next: PageElement | null): void;
  querySelector(selector: string): PageElement | null;
  replaceChildren(...elements: readonly PageElement[]): void;
  setAttribute(name: string, value: string): void;
  remove(): void;
}

/** `<canvas layoutsubtree>`: its children are laid out, and painted only into pictures of them. */
export interface PageCanvas extends PageElement {
  onpaint: (() => void) | null;
  requestPaint?(): void;
  captureElementImage?(element: PageElement): object;
  transferControlToOffscreen(): object;
}

export interface PageWorker {
  onmessage: ((event: { readonly data: WorkerAnswer }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(message: WorkerOrder, transfer: readonly object[]): void;
}

/** First the canvas, then pictures, each with its place in the file. */
export type WorkerOrder =
  | { readonly kind: 'start'; readonly canvas: object; readonly width: number; readonly height: number; readonly file: string; readonly slots: number }
  | { readonly kind: 'picture'; readonly image: object; readonly slot: number };
export type WorkerAnswer = { readonly problem: string } | { readonly problem: null };

/** What of a worker's own language our program in it uses. */
export interface WorkerGlobals {
  readonly WebAssembly: Assembly;
  readonly navigator: { readonly storage: { getDirectory(): Promise<{ getFileHandle(name: string, options: { readonly create: boolean }): Promise<{ createSyncAccessHandle(): Promise<FileHandle> }> }> } };
  readonly VideoFrame?: new (canvas: object, options: { readonly timestamp: number }) => { readonly format: string | null; copyTo(pixels: Uint8Array): Promise<unknown>; close(): void };
  onmessage: ((event: { readonly data: WorkerOrder }) => void) | null;
  postMessage(answer: WorkerAnswer): void;
}

interface FileHandle {
  truncate(bytes: number): void;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
}

export interface WorkerCanvas {
  getContext(kind: '2d', options: { readonly willReadFrequently: boolean; readonly alpha: boolean }): {
    save(): void;
    restore(): void;
    beginPath(): void;
    rect(x: number, y: number, width: number, height: number): void;
    clip(): void;
    clearRect(x: number, y: number, width: number, height: number): void;
    drawElementImage?(image: object, x: number, y: number, width: number, height: number): void;
  };
}
