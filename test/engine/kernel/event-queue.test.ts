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

  it('does what a sorted list does, whatever is scheduled, put into lanes, moved and cancelled, and however far it has run', () => {
    const time = fc.integer({ min: 0, max: 50 });
    const command = fc.oneof(fc.record({ do: fc.constant('at' as const), time }), fc.record({ do: fc.constant('move' as const), which: fc.nat(), time }), fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }), fc.record({ do: fc.constant('after' as const), lane: fc.nat({ max: 1 }) }), fc.record({ do: fc.constant('run' as const), time }));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const { queue, kind, seen } = recording();
        const lanes = [queue.lane(3, kind), queue.lane(17, kind)];
        const model = new Map<number, { timer: number; time: number; sequence: number }>();
        const expected: [number, number][] = [];
        const run = (until: number): void => {
          const due = [...model].filter(([, { time: at }]) => at < until).sort(([, a], [, b]) => a.time - b.time || a.sequence - b.sequence);
          for (const [name, entry] of due) {
            expected.push([entry.time, name]);
            model.delete(name);
          }
          queue.runUntil(until);
        };
        commands.forEach((one, sequence) => {
          const names = [...model.keys()];
          const later = queue.now + ('time' in one ? one.time : 0);
          if (one.do === 'at') model.set(sequence, { timer: queue.at(later, kind, sequence), time: later, sequence });
          else if (one.do === 'after') model.set(sequence, { timer: queue.after(lanes[one.lane], sequence), time: queue.now + lanes[one.lane].waitNs, sequence });
          else if (one.do === 'run') run(later);
          else if (names.length > 0) {
            const name = names[one.which % names.length];
            const { timer } = model.get(name)!;
            if (one.do === 'move') {
              queue.move(timer, later);
              model.set(name, { timer, time: later, sequence });
            } else {
              queue.cancel(timer);
              model.delete(name);
            }
          }
        });
        run(100_000);
        expect(seen).toEqual(expected);
      }),
      { numRuns: 300, seed: 20_261_130 },
    );
  });
});
