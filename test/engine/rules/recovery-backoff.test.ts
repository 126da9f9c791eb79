import { describe, expect, it } from 'vitest';
import { restartBackoffNs } from '../../../src/engine/control/restart-backoff.js';

describe("the kubelet's back-off of restarts", () => {
  it('stays at 300 s however often it dies', () => {
    expect(restartBackoffNs(1_000)).toBe(300e9);
  });
});
