import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/**
 * DevTools messages over two pipes, each ended by a zero byte. With pipes the browser ends when we do, however we end, and listens on no port.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  #parts: Buffer[] = [];

  constructor(
    private readonly toBrowser: Writable,
    fromBrowser: Readable,
  ) {
    fromBrowser.on('data', (chunk: Buffer) => this.#receive(chunk));
    fromBrowser.on('close', () => this.onclose?.());
    // A browser that is gone is told by `close`; writing to it must not end this process.
    toBrowser.on('error', () => undefined);
    fromBrowser.on('error', () => undefined);
  }

  send(message: string): void {
    this.toBrowser.write(`${message}\0`);
  }

  close(): void {
    this.toBrowser.end();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const message = this.#parts.length === 1 ? this.#parts[0].toString() : Buffer.concat(this.#parts).toString();
      this.#parts = [];
      start = end + 1;
      this.onmessage?.(message);
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }
}
