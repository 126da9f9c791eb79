// Writes THIRD-PARTY.md from the lock file's production tree. `--check` only says whether it is up to date.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'THIRD-PARTY.md');
const read = (name) => readFileSync(path.join(root, name), 'utf8');

/** The licence that the lock file names, else what the installed package says. */
const licenceOf = (folder, { license }) => {
  if (license && !license.startsWith('http')) return license;
  if (license) return 'LGPL-2.1-or-later / GPL (see the licence of FFmpeg)';
  const at = path.join(root, folder);
  if (!existsSync(at)) return 'unknown';
  const { licenses } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
  if (licenses) return licenses.map(({ type }) => type).join(' OR ');
  const text = readdirSync(at).filter((name) => /^licen[cs]e/i.test(name)).map((name) => readFileSync(path.join(at, name), 'utf8')).join('\n');
  return /MIT License|Permission is hereby granted, free of charge/i.test(text) ? 'MIT' : 'unknown';
};

const rows = Object.entries(JSON.parse(read('package-lock.json')).packages)
  .filter(([folder, entry]) => folder !== '' && !entry.dev)
  .map(([folder, entry]) => `| ${folder.replace(/.*node_modules\//, '')} | ${entry.version} | ${licenceOf(folder, entry)} |${entry.optional ? ' on its platform only' : ''} |`)
  .sort((a, b) => (a < b ? -1 : 1));

const text = `# Third-party software

Written by \`npm run third-party\` from package-lock.json; do not edit. faultreel itself is under the MIT licence (LICENSE).

## Programs that faultreel starts

They run as processes of their own and are not linked into faultreel.

- **FFmpeg and ffprobe**, from the packages \`@ffmpeg-installer/*\` and \`@ffprobe-installer/*\`: the binaries are builds under the **GNU GPL version 3**. Their sources are at https://ffmpeg.org and at the addresses that the packages name. An FFmpeg of your own may be used instead.
- **Chromium**, packed by \`@sparticuz/chromium\` (the packaging under MIT): **BSD-3-Clause** and the licences listed in \`chrome://credits\`.

## Fonts

- **Pretendard** (templates/fonts): SIL Open Font License 1.1, see templates/fonts/LICENSE-OFL.txt. It contains glyphs of Inter and Source Han Sans under the same licence.

## Packages of the production tree

| package | version | licence | |
|---|---|---|---|
${[...new Set(rows)].join('\n')}
`;

if (process.argv.includes('--check')) {
  if (read('THIRD-PARTY.md') !== text) {
    console.error('THIRD-PARTY.md is not what package-lock.json says; run: npm run third-party');
    process.exit(1);
  }
} else writeFileSync(file, text);
