import { once } from 'node:events';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { realHost } from '../../src/host.js';

/** Sends a signal and waits for one of a higher number, which is delivered after it. */
const deliver = async (signal: 'SIGHUP'): Promise<void> => {
  const after = once(process, 'SIGUSR2');
  process.kill(process.pid, signal);
  process.kill(process.pid, 'SIGUSR2');
  await after;
};

describe('a terminal that closes', () => {
  it('interrupts once, however often it says so, and no more when nobody listens', async () => {
    const heard: string[] = [];
    const before = process.listenerCount('SIGHUP');
    const stop = realHost().onInterrupt((signal) => heard.push(signal));
    await deliver('SIGHUP');
    await deliver('SIGHUP');
    expect(heard).toEqual(['SIGHUP']);
    stop();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});
