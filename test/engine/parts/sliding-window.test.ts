import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import { pick } from '../../../src/engine/kernel/keyed-draws.js';
import { SlidingWindow } from '../../../src/engine/parts/sliding-window.js';

describe('a sliding window', () => {
  it('counts what fell into the running tenth and the nine before it, whatever the pauses', () => {
    const queue = new EventQueue();
    const window = new SlidingWindow(queue, 1000);
    const firsts: number[] = [];
    const seconds: number[] = [];
    const recent = (times: readonly number[]): number => times.filter((time) => Math.floor(time / 100) > Math.floor(queue.now / 100) - 10).length;
    for (let step = 0; step < 5000; step++) {
      queue.runUntil(queue.now + pick(step % 50 === 0 ? 3000 : 60, step, 0, 0, 0));
      if (pick(3, step, 1, 0, 0) > 0) {
        window.addFirst();
        firsts.push(queue.now);
      } else {
        window.addSecond();
        seconds.push(queue.now);
      }
      if (window.firstCount !== recent(firsts) || window.secondCount !== recent(seconds)) expect.fail(`at ${queue.now}: ${window.firstCount} and ${window.secondCount}, not ${recent(firsts)} and ${recent(seconds)}`);
    }
    window.clear();
    expect([window.firstCount, window.secondCount]).toEqual([0, 0]);
  });
});
