import type { Host } from '../host.js';
import type { Progress } from '../pipeline/progress.js';

export interface ProgressOptions {
  readonly quiet: boolean;
  /** Wall seconds of each part; left out otherwise, so that logs of two runs are the same. */
  readonly timings: boolean;
  /** In a log, a line at every quarter of what takes long and none that a part begins: for work of many parts. */
  readonly sparse?: boolean;
}

/** Progress on stderr: one line that is rewritten on a terminal, with what is left to wait; plain lines at every tenth elsewhere. */
export const progressOn = (host: Host, { quiet, timings, sparse = false }: ProgressOptions): Progress => {
  const out = host.stderr;
  const live = out.isTerminal;
  let part: { name: string; startedAt: number; unit: string; total: number; shownParts: number } | null = null;
  let lastDrawnAt = -Infinity;

  // Written over and then cut off behind: a line that is emptied first flickers. Where it is narrow, the name gives way to the numbers.
  const draw = (name: string, numbers = ''): void => {
    const room = Math.max(10, out.columns - 1);
    const nameRoom = Math.max(8, room - numbers.length);
    const shortName = name.length > nameRoom ? `${name.slice(0, nameRoom - 1)}…` : name;
    out.write(`\r${`${shortName}${numbers}`.slice(0, room)}\u001b[K`);
  };
  const endPart = (): void => {
    if (!part) return;
    const seconds = (host.now() - part.startedAt) / 1000;
    const rate = part.total > 0 && seconds > 0 ? `, ${(part.total / seconds).toFixed(1)} ${part.unit}/s` : '';
    if (live) out.write('\r\u001b[2K');
    if (timings) out.write(`${part.name}: ${seconds.toFixed(2)} s${rate}\n`);
    else if (live) out.write(`${part.name}: done\n`);
    part = null;
  };

  const line = (text: string): void => {
    if (live) out.write('\r\u001b[2K');
    out.write(`${text}\n`);
  };

  const shown: Progress = {
    stage: (name) => {
      endPart();
      part = { name, startedAt: host.now(), unit: '', total: 0, shownParts: 0 };
      if (live) draw(`${name} …`);
      else if (!sparse) out.write(`${name} …\n`);
    },
    step: (done, total, unit) => {
      if (!part || total <= 0) return;
      Object.assign(part, { unit, total });
      const now = host.now();
      if (live) {
        if (now - lastDrawnAt < 100 && done < total) return;
        lastDrawnAt = now;
        draw(part.name, `  ${Math.floor(done)} of ${total} ${unit}  ${Math.floor((100 * done) / total)}%${eta(now - part.startedAt, done, total)}`);
      } else {
        const parts = sparse ? 4 : 10;
        const nth = Math.floor((parts * done) / total);
        if (nth > part.shownParts) out.write(`${part.name} ${(nth * 100) / parts}% (${Math.floor(done)} of ${total} ${unit})\n`);
        part.shownParts = Math.max(part.shownParts, nth);
      }
    },
    detail: line,
    notice: line,
    end: endPart,
  };
  return quiet ? { ...shown, stage: () => undefined, step: () => undefined, detail: () => undefined, end: () => undefined } : shown;
};

/** Time left at the speed so far; nothing before there is a speed, nor when nothing is left. */
const eta = (elapsedMs: number, done: number, total: number): string => {
  if (done <= 0 || done >= total || elapsedMs < 500) return '';
  const leftS = Math.ceil(((elapsedMs / done) * (total - done)) / 1000);
  return `  ETA ${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`;
};
