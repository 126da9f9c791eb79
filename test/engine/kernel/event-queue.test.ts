import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/engine/kernel/event-queue.js';

const recording = (): { queue: EventQueue; kind: number; seen: [number, number][] } => {
  const queue = new EventQueue();
  const seen: [number, number][] = [];
  const kind = queue.register((argument) => seen.push([queue.now, argument]));
  return { queue, kind, seen };
};

describe('the event queue', () => {
  it('handles events by time, and those of one time in the order they were scheduled', () => {
    const { queue, kind, seen } = recording();
    for (const [time, argument] of [[5, 1], [3, 2], [5, 3], [3, 4], [4, 5]] as const) queue.at(time, kind, argument);
    queue.runUntil(10);
    expect(seen).toEqual([[3, 2], [3, 4], [4, 5], [5, 1], [5, 3]]);
  });

  it('stops before the end of the window and sets the clock there', () => {
    const { queue, kind, seen } = recording();
    queue.at(9, kind, 1);
    queue.at(10, kind, 2);
    queue.runUntil(10);
    expect(seen).toEqual([[9, 1]]);
    expect(queue.now).toBe(10);
    queue.runUntil(11);
    expect(seen).toEqual([[9, 1], [10, 2]]);
  });

  it('handles what is due at the present instant after everything that was scheduled for it before', () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    const names = ['timer', 'soon', 'late timer'];
    const say = queue.register((argument) => seen.push(names[argument]));
    const start = queue.register(() => {
      queue.soon(say, 1);
      queue.at(queue.now, say, 2);
    });
    queue.at(1, start, 0);
    queue.at(1, say, 0);
    queue.runUntil(2);
    expect(seen).toEqual(['timer', 'soon', 'late timer']);
  });

  it('keeps its order when the ring of present events grows while it is half used', () => {
    const queue = new EventQueue();
    const seen: number[] = [];
    const note = queue.register((argument) => seen.push(argument));
    const burst = queue.register((from) => {
      for (let i = 0; i < 3000; i++) queue.soon(note, from + i);
    });
    queue.at(0, burst, 0);
    queue.at(0, burst, 3000);
    queue.runUntil(1);
    expect(seen).toEqual(Array.from({ length: 6000 }, (_, i) => i));
  });

  it('does what a sorted list does, whatever is scheduled, moved and cancelled', () => {
    const time = fc.integer({ min: 0, max: 50 });
    const command = fc.oneof(fc.record({ do: fc.constant('at' as const), time }), fc.record({ do: fc.constant('move' as const), which: fc.nat(), time }), fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const { queue, kind, seen } = recording();
        const model = new Map<number, { timer: number; time: number; sequence: number }>();
        commands.forEach((one, sequence) => {
          const names = [...model.keys()];
          if (one.do === 'at') model.set(sequence, { timer: queue.at(one.time, kind, sequence), time: one.time, sequence });
          else if (names.length > 0) {
            const name = names[one.which % names.length];
            const entry = model.get(name)!;
            if (one.do === 'move') {
              queue.move(entry.timer, one.time);
              model.set(name, { timer: entry.timer, time: one.time, sequence });
            } else {
              queue.cancel(entry.timer);
              model.delete(name);
            }
          }
        });
        queue.runUntil(100);
        const expected = [...model].sort(([, a], [, b]) => a.time - b.time || a.sequence - b.sequence).map(([name, entry]) => [entry.time, name]);
        expect(seen).toEqual(expected);
      }),
    );
  });
});
