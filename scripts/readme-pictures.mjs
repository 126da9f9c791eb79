// Makes docs/pictures from the shipped spike scenario with the tool itself: two stills, a page of the report, the closing card of the film.
// Needs pdftoppm (poppler-utils), a program of a developer's machine: faultreel does not. Run after the looks change: npm run build && node scripts/readme-pictures.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const scenario = 'scenarios/order-api-spike.yaml';
const pictures = path.join(root, 'docs', 'pictures');
const ffmpeg = process.env.FAULTREEL_FFMPEG ?? createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path;
const mostBytes = 150 * 1024;

const run = (program, args) => {
  const { status, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status ?? error?.message}\n${stderr ?? ''}`);
};
const faultreel = (...args) => run(process.execPath, [path.join(root, 'dist/src/cli/bin.js'), ...args]);

/** Fewer pixels and colours: a README is read on a page, and every clone carries it. */
const reduced = (from, name, width) => {
  const to = path.join(pictures, name);
  for (const colours of [128, 64, 32]) {
    run(ffmpeg, ['-y', '-loglevel', 'error', '-i', from, '-vf', `scale=${width}:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=${colours}:reserve_transparent=0[p];[b][p]paletteuse=dither=none`, '-pred', 'mixed', '-compression_level', '9', to]);
    if (statSync(to).size <= mostBytes) return;
  }
  throw new Error(`${name} has ${statSync(to).size} bytes, expected at most ${mostBytes}`);
};

mkdirSync(pictures, { recursive: true });
const work = mkdtempSync(path.join(os.tmpdir(), 'faultreel-pictures-'));
const at = (name) => path.join(work, name);
try {
  faultreel('run', scenario, '--only', 'report', '--out', work);
  const study = at('order-api-spike/study.json');
  for (const [name, lang] of [['still', 'en'], ['still-ko', 'ko']]) {
    faultreel('still', study, '--at', 'oom order-api', '--lang', lang, '--out', at(`${name}.png`));
    reduced(at(`${name}.png`), `${name}.png`, 1200);
  }
  faultreel('still', study, '--at', 'verdict', '--out', at('closing-card.png'));
  reduced(at('closing-card.png'), 'closing-card.png', 1200);
  run('pdftoppm', ['-png', '-r', '110', '-f', '1', '-l', '1', '-singlefile', at('order-api-spike/report.pdf'), at('page')]);
  reduced(at('page.png'), 'report-page.png', 900);
} finally {
  rmSync(work, { recursive: true, force: true });
}
