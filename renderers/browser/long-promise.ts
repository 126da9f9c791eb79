/**
 * A promise that lives long, against which many short works are raced, one after the other.
 * `Promise.race` leaves a trace of every work with it until it settles: a film of hours would fill memory.
 */
export class LongPromise<Value> {
  readonly #waiting = new Set<(value: Promise<Value>) => void>();
  #hasSettled = false;

  constructor(readonly promise: Promise<Value>) {
    const settle = (): void => {
      this.#hasSettled = true;
      for (const resolve of this.#waiting) resolve(promise);
      this.#waiting.clear();
    };
    promise.then(settle, settle);
  }

  /** Settles as the work does, or as the long promise does if that comes first. */
  race<Result>(work: Promise<Result>): Promise<Result | Value> {
    if (this.#hasSettled) return Promise.race([this.promise, work]);
    return new Promise<Result | Value>((resolve, reject) => {
      this.#waiting.add(resolve);
      const leave = (): boolean => this.#waiting.delete(resolve);
      work.then(
        (result) => {
          leave();
          resolve(result);
        },
        (error: unknown) => {
          leave();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }
}
