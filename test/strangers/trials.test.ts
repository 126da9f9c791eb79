import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { testHost } from '../support/host.js';

/** Each step is a guess with a range: two runs each. */
const guesses = (count: number, steps = 1, rate = '20/s'): string => `faultreel: 1
duration: 20s
services:
  a: { handlers: { ${Array.from({ length: count }, (_, i) => `r${i}: [ ${Array(steps).fill('{ wait: { assumed: 1ms, range: [0ms, 2ms] } }').join(', ')} ]`).join(', ')} } }
traffic:
  u: { to: a, send: { ${Array.from({ length: Math.min(count, 50) }, (_, i) => `r${i}: 1`).join(', ')} }, open: { rate: ${rate} } }
objectives: { fast: { of: u, p99: "<= 10ms" } }
`;
const after = async (line: string, text: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> => {
  const host = testHost(['run', 'strange.yaml', '--only', 'text', '--threads', '1', ...line.split(' ')]);
  writeFileSync(path.join(host.cwd, 'strange.yaml'), text);
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr() };
};

describe('what a file makes of one run is bounded', () => {
  it('ranges without number are refused before anything is read again or simulated', async () => {
    const { code, stderr } = await after('--sensitivity ends', guesses(60, 100));
    expect([code, stderr.includes('simulate base')], stderr.slice(0, 500)).toEqual([3, false]);
    expect(stderr).toMatch(/^strange\.yaml:4:\d+: base: expected what is run beside the shown runs to take at most 10,000,000,000 events, found [\d,]+ with 12,00\d runs for both ends of every range/m);
    expect(stderr).toContain('--sensitivity off');
  });

  it.each([
    ['--sensitivity ends', 70_000, 'runs for sensitivity of base: both ends of every range'],
    ['--seeds 90', 70_000, '89 runs for other seeds'],
    ['--sweep traffic.u.open.rate=1/s..90/s:100', 70_000, '100 runs for sweep traffic.u.open.rate'],
  ])('%s: more work than may be is told when the first run has shown how much it is, with its place and what to leave out', async (options, most, what) => {
    const { code, stderr } = await after(`${options} --set bounds.trials=${most}`, guesses(5, 1, '200/s'));
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/^strange\.yaml:\d+:\d+: base: /m);
    expect(stderr).toContain(`expected what is run beside the shown runs to take at most ${most.toLocaleString('en')} events`);
    expect(stderr).toContain(what);
    expect(stderr).toMatch(/--sensitivity off, fewer seeds, or fewer points of a sweep; if it is meant, allow more: --set bounds\.trials=\d+/);
  });

  it('who runs it allows more', async () => {
    expect((await after('--seeds 3 --set bounds.trials=1e9', guesses(1))).code).toBe(0);
  });

  it('ends that take far more than what is written are told after some of them', async () => {
    const { code, stderr } = await after('--sensitivity ends --set bounds.trials=100000', guesses(40, 1, '{ assumed: 1/s, range: [1/s, 20000/s] }'));
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('expected what is run beside the shown runs to take at most 100,000 events');
  });
});
