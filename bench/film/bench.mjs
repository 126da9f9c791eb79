// npm run bench:film [-- --size 1280x720,1920x1080 --frames 240 --rounds 3 --browsers 2 --only naive,canvas]
// Rounds of every way to the same film, one after the other, so that a busy machine is busy for all of them; the ratios are taken within a round.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { encodeOnly, writePlanes } from './encode-only.mjs';
import { load } from './faultreel.mjs';
import { filmLine } from './line.mjs';
import { naive } from './naive.mjs';
import { picturesOf, spike } from './pictures.mjs';

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '1280x720,1920x1080' },
    frames: { type: 'string', default: '240' },
    rounds: { type: 'string', default: '3' },
    browsers: { type: 'string' },
    only: { type: 'string' },
    dist: { type: 'string' },
  },
});

/** What is wanted of the ratios. */
const budgets = [
  { name: 'canvas / naive', of: ['canvas', 'naive'], floor: 6, goal: 7.5 },
  { name: 'canvas / encode only', of: ['canvas', 'encode only'], floor: 0.3, goal: 0.4 },
  { name: 'screenshot / naive', of: ['screenshot', 'naive'], floor: 1.5 },
  { name: 'several browsers / naive', of: ['several browsers', 'naive'], floor: 2.5 },
  { name: 'unchanged / new picture', of: ['unchanged', 'canvas', 'screenshot'], floor: 4 },
];

const subjectsOf = (program, scene) => ({
  naive: () => naive(program, scene),
  canvas: () => filmLine(program, { ...scene, camera: 'canvas' }),
  screenshot: () => filmLine(program, { ...scene, camera: 'screenshot', jobs: 1 }),
  'several browsers': () => filmLine(program, { ...scene, camera: 'screenshot', jobs: flags.browsers ? Number(flags.browsers) : undefined }),
  'encode only': () => encodeOnly(program, scene),
  unchanged: () => filmLine(program, { ...scene, shots: [{ ...scene.shots[0], frames: scene.shots.length * 5 }] }),
});

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

const benchAt = async (program, machine, size, folder) => {
  const [width, height] = size.split('x').map(Number);
  const pictures = picturesOf(program, { frames: Number(flags.frames), width, height });
  const shots = pictures.map((svg) => ({ frames: 1, svg }));
  const scene = { pictures, shots, frames: shots.length, width, height, folder, machine };
  const subjects = Object.entries(subjectsOf(program, scene)).filter(([name]) => !flags.only || flags.only.split(',').includes(name));
  if (subjects.some(([name]) => name === 'encode only')) scene.planes = await writePlanes(program, scene);
  const rounds = [];
  for (let round = 1; round <= Number(flags.rounds); round++) {
    const results = {};
    for (const [name, run] of subjects) {
      process.stderr.write(`\r\x1b[K${size}: round ${round}, ${name}`);
      const result = await run().catch((error) => {
        process.stderr.write(`\r\x1b[K${size}: ${name}: ${error.message}\n`);
        return null;
      });
      if (result && (name !== 'canvas' || result.camera === 'canvas')) results[name] = figuresOf(result);
    }
    rounds.push(results);
  }
  process.stderr.write('\r\x1b[K');
  report(size, rounds, subjects.map(([name]) => name));
};

const figuresOf = ({ wallMs, frames, cpuMs, browsers }) => ({ fps: (frames * 1000) / wallMs, node: cpuMs.node / frames, browser: cpuMs.browser / frames, encoder: cpuMs.encoder / frames, browsers });

const report = (size, rounds, names) => {
  console.log(`\n${size}, ${flags.frames} pictures of ${spike}, median of ${rounds.length} rounds`);
  console.log(`${'way'.padEnd(26)}${['fps', 'ms/frame', 'CPU ms/frame', 'node', 'browser', 'encoder'].map((word) => word.padStart(13)).join('')}`);
  for (const name of names) {
    const all = rounds.flatMap((round) => round[name] ?? []);
    if (all.length === 0) {
      console.log(`${name.padEnd(26)}${'not here'.padStart(13)}`);
      continue;
    }
    const of = (key) => median(all.map((figures) => figures[key]));
    const columns = [of('fps'), 1000 / of('fps'), of('node') + of('browser') + of('encoder'), of('node'), of('browser'), of('encoder')];
    console.log(`${(all[0].browsers > 1 ? `${name} (${all[0].browsers})` : name).padEnd(26)}${columns.map((value) => value.toFixed(1).padStart(13)).join('')}`);
  }
  for (const { name, of, floor, goal } of budgets) {
    const ratios = rounds.flatMap((round) => {
      const [left, ...rights] = of;
      const right = rights.find((candidate) => round[candidate]);
      return round[left] && right ? [round[left].fps / round[right].fps] : [];
    });
    if (ratios.length === 0) continue;
    const ratio = median(ratios);
    const verdict = ratio < floor ? 'BELOW THE FLOOR' : goal && ratio < goal ? 'above the floor' : 'good';
    console.log(`  ${name.padEnd(26)}${ratio.toFixed(2).padStart(7)}   floor ${floor}${goal ? `, goal ${goal}` : ''}: ${verdict}   (${ratios.map((value) => value.toFixed(2)).join(', ')})`);
  }
};

const program = await load(flags.dist && path.resolve(flags.dist));
const machine = await program.findFilmMachine(program.host);
console.log(`${os.cpus().length} cores, Chromium ${machine.browser.version} (${machine.browser.kind}), ffmpeg ${machine.tools.ffmpeg.version} (${machine.tools.ffmpeg.kind}), Node ${process.versions.node}`);
for (const size of flags.size.split(',')) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-bench-'));
  try {
    await benchAt(program, machine, size, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
