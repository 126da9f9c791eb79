import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { LongPromise } from '../../renderers/browser/long-promise.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** One that is settled from outside. */
class Pending {
  declare resolve: (value: string) => void;
  declare reject: (error: Error) => void;
  readonly promise = new Promise<string>((resolve, reject) => Object.assign(this, { resolve, reject }));
}
const pending = (): Pending => new Pending();

describe('LongPromise', () => {
  test('settles as the work does while it is pending', async () => {
    const long = new LongPromise(pending().promise);
    await expect(long.race(Promise.resolve('done'))).resolves.toBe('done');
    await expect(long.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  test('settles all works that are waiting, and those that come later', async () => {
    const crash = pending();
    const long = new LongPromise(crash.promise);
    const waiting = [long.race(pending().promise), long.race(pending().promise)];
    crash.reject(new Error('crashed'));
    for (const work of waiting) await expect(work).rejects.toThrow('crashed');
    await expect(long.race(pending().promise)).rejects.toThrow('crashed');
    const ended = pending();
    const other = new LongPromise(ended.promise);
    const work = other.race(pending().promise);
    ended.resolve('over');
    await expect(work).resolves.toBe('over');
  });

  test('keeps nothing of works that are over', async () => {
    const { promise } = pending();
    const long = new LongPromise(promise);
    const kept = await (async (): Promise<WeakRef<object>> => {
      const picture = { bytes: new Uint8Array(1_000) };
      await long.race(Promise.resolve(picture));
      return new WeakRef(picture);
    })();
    // A reference that was made lives to the end of its turn.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(kept.deref()).toBeUndefined();
    expect(long.promise).toBe(promise);
  });
});
