// node bench/film/memory.mjs [--minutes 2,30 --size 320x180 --fps 30 --camera canvas|screenshot --dist DIR]
// Peak resident memory of everything a film needs (Node, browsers, encoder) for a short film against a long one, every frame another picture of the same kind.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fork } from 'node:child_process';
import { descendants, residentBytes } from './cpu.mjs';
import { load } from './faultreel.mjs';

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string', default: '2,30' }, size: { type: 'string', default: '320x180' }, fps: { type: 'string', default: '30' }, camera: { type: 'string' }, dist: { type: 'string' }, film: { type: 'string' } },
});
const limit = 1.15;

/** A film of its own process, so that no film inherits the memory of another. */
const filmOf = async (minutes) => {
  const [width, height] = flags.size.split('x').map(Number);
  const fps = Number(flags.fps);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-bench-'));
  const { film, realHost } = await load(flags.dist && path.resolve(flags.dist));
  const svgOf = (index) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Pretendard"><rect width="${width}" height="${height}" fill="#101820"/>` +
    Array.from({ length: 60 }, (_, at) => `<rect x="${(at * 53 + index * 3) % width}" y="${(at * 29) % (height - 40)}" width="30" height="12" fill="hsl(${(at * 6 + index) % 360} 60% 50%)"/>`).join('') +
    `<text x="10" y="${height - 12}" font-size="20" fill="#fff">${index} 주문</text></svg>`;
  try {
    const shots = Array.from({ length: minutes * 60 * fps }, (_, index) => ({ frames: 1, svg: () => svgOf(index) }));
    await film({ width, height, fps, title: 'memory', lang: 'en', shots, chapters: [], captions: [], poster: 0 }, { host: realHost(), folder, ...(flags.camera && { camera: flags.camera }), onProgress: ({ done, total }) => done % 1000 === 0 && process.stderr.write(`\r\x1b[K${minutes} min: ${done} of ${total}`) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write('\r\x1b[K');
  }
};

/** Peak of the whole tree in bytes, looked at four times a second. */
const peakOf = (minutes) =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--film', String(minutes)]);
    const peak = { node: 0, rest: 0, sum: 0 };
    const watch = setInterval(() => {
      const [node, rest] = [residentBytes([child.pid]), residentBytes(descendants(child.pid))];
      peak.node = Math.max(peak.node, node);
      peak.rest = Math.max(peak.rest, rest);
      peak.sum = Math.max(peak.sum, node + rest);
    }, 250);
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code === 0) resolve(peak);
      else reject(new Error(`the film of ${minutes} min ended with ${code}`));
    });
  });

if (flags.film) await filmOf(Number(flags.film));
else {
  const peaks = [];
  for (const minutes of flags.minutes.split(',').map(Number)) {
    const peak = await peakOf(minutes);
    peaks.push(peak.sum);
    console.log(`${String(minutes).padStart(3)} min of film at ${flags.size}: peak ${(peak.sum / 2 ** 20).toFixed(0)} MB (Node ${(peak.node / 2 ** 20).toFixed(0)}, browser and encoder ${(peak.rest / 2 ** 20).toFixed(0)})`);
  }
  const ratio = peaks.at(-1) / peaks[0];
  console.log(`ratio ${ratio.toFixed(3)}, limit ${limit}: ${ratio <= limit ? 'good' : 'TOO MUCH'}`);
  process.exitCode = ratio <= limit ? 0 : 1;
}
