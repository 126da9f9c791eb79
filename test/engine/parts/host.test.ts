import { describe, expect, it } from 'vitest';
import { Host, type Guest } from '../../../src/engine/parts/host.js';
import { Level } from '../../../src/engine/record/level.js';
import { CpuRig } from './cpu-rig.js';

const guest = (name: string, bytes: number, serves = true): Guest & { name: string } => {
  const memory = new Level();
  memory.set(bytes, 0);
  return { name, memory, serves };
};
const hostOf = (...guests: (Guest & { name: string })[]): Host<Guest & { name: string }> => {
  const host = new Host<Guest & { name: string }>('box', new CpuRig().pool(4), 1000);
  for (const each of guests) {
    host.add(each);
    host.memoryChanged(each.memory.value, 0);
  }
  return host;
};

describe('a host over its memory loses its largest resident container (rule 14)', () => {
  it('holds what its containers hold together, and is out of memory above its limit, not at it', () => {
    const host = hostOf(guest('a', 400), guest('b', 600));
    expect([host.memory.value, host.isOutOfMemory]).toEqual([1000, false]);
    host.memoryChanged(1, 10);
    expect(host.isOutOfMemory).toBe(true);
    host.memoryChanged(-301, 30);
    expect([host.memory.value, host.isOutOfMemory]).toEqual([700, false]);
    expect(host.memory.integralAt(40)).toBe(10 * 1000 + 20 * 1001 + 10 * 700);
  });
  it('names the largest of those whose process lives, and the first that joined of equals', () => {
    expect(hostOf(guest('a', 300), guest('b', 500), guest('c', 500), guest('d', 900, false)).largest()?.name).toBe('b');
  });
  it('names one that holds nothing when there is no other, and nobody when none lives', () => {
    expect(hostOf(guest('a', 0)).largest()?.name).toBe('a');
    expect(hostOf(guest('a', 300, false)).largest()).toBeNull();
  });
});
