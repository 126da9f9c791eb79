// Writes docs/language.md: docs/language-basics.md, then a table a part, generated from the grammar.
// Run after the grammar changes: npm run build && node scripts/language-reference.mjs
import { readFileSync, writeFileSync } from 'node:fs';

/** The reference of a JSON Schema of the language, as Markdown; `basics` stands before it, the names that the program knows behind it. */
export const languageReference = (schema, basics, { catalogue, eventForms }) => {
  const parts = partsInOrder(schema);
  return [basics.trim(), '## Every key', 'Generated from the grammar. A form in *italics* is a kind of value, told under Values; a name in `code` is to be written as it stands. Keys without a default may be left out unless they are marked *required*.', tableOf('Top level', schema, schema), ...parts.map((name) => tableOf(name, schema.$defs[name], schema)), eventTable(eventForms), machineTable(catalogue), ''].join('\n\n');
};

/** For `rehearsal.stops.*.at`, `claims.*.order` and `still --at`. */
const eventTable = (forms) =>
  [
    '## Events',
    'What a stop waits for, a claim puts in order and `faultreel still --at` shows: a kind and whom it happens to, such as `oom order-api`. An instance is written `order-api.2`, and the name of a service alone means the first of its instances to which it happens; a link is `alb.order-api`, a lock `mysql.companion`. An event in the log also says its cause.',
    `| kind | happens to | cause |\n|---|---|---|\n${Object.entries(forms)
      .map(([kind, { subjects, causes }]) => `| \`${kind}\` | ${subjects.join(', ')} | ${cell(causes)} |`)
      .join('\n')}`,
  ].join('\n\n');

const machineTable = (catalogue) =>
  [
    '## Machines of the catalogue',
    'Types that `machine:` knows without being told; `machines:` adds others, or replaces one. As their maker states them; burstable types are listed at full speed.',
    `| machine | cores | memory | an hour |\n|---|---|---|---|\n${[...catalogue.values()].map(({ name, cpus, memoryBytes, price }) => `| \`${name}\` | ${cpus.value} | ${memoryBytes.value / 2 ** 30} GiB | ${price.value} ${price.currency} |`).join('\n')}`,
  ].join('\n\n');

const isValueForm = (definition) => definition.properties === undefined;

/** Parts as a reader meets them, from the top level down. */
const partsInOrder = (schema) => {
  const seen = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (typeof node.$ref === 'string') {
      const name = node.$ref.replace('#/$defs/', '');
      if (!seen.includes(name)) {
        if (!isValueForm(schema.$defs[name])) seen.push(name);
        else if (name !== 'steps') return;
        else if (seen.includes('step-cpu')) return;
        visit(schema.$defs[name]);
      }
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit({ ...schema, $defs: undefined });
  return seen;
};

const tableOf = (name, { properties, required = [] }, schema) =>
  [
    `### ${name}`,
    '| key | form | default | meaning |\n|---|---|---|---|\n' +
      Object.entries(properties)
        .map(([key, property]) => `| \`${key}\` | ${cell(formOf(property, schema))} | ${required.includes(key) ? '*required*' : property.default === undefined ? '' : `\`${JSON.stringify(property.default).replace(/^"|"$/g, '')}\``} | ${cell(property.description ?? '')} |`)
        .join('\n'),
  ].join('\n\n');

const cell = (text) => text.replaceAll('|', '\\|');

const formOf = (node, schema) => {
  if (node.$ref) {
    const name = node.$ref.replace('#/$defs/', '');
    if (name === 'steps') return 'list of [steps](#step-cpu)';
    return isValueForm(schema.$defs[name]) ? `*${name.replaceAll('-', ' ')}*` : `[${name}](#${name})`;
  }
  if (node.enum) return node.enum.map((one) => `\`${one}\``).join(' \\| ').replaceAll('\\|', '|');
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.anyOf) return [...new Set(node.anyOf.map((one) => formOf(one, schema)))].join(' or ');
  if (node.prefixItems) return `[${node.prefixItems.map((one) => formOf(one, schema)).join(', ')}]`;
  if (node.type === 'array') return `list of ${formOf(node.items, schema)}`;
  if (node.type === 'object' && node.additionalProperties) return `map: name → ${formOf(node.additionalProperties, schema)}`;
  if (node.type === 'object') return 'map';
  if (node.pattern?.startsWith('^(?=\\d)')) return '*duration*';
  if (node.pattern?.includes('<=|>=')) return '*condition*';
  if (node.pattern?.startsWith('^[a-z]')) return '*name*';
  return `*${[node.type].flat().join(' or ')}*`;
};

const here = (file) => new URL(`../${file}`, import.meta.url);
if (import.meta.url === `file://${process.argv[1]}`) {
  const { catalogue, jsonSchema } = await import('../dist/src/scenario/index.js');
  const { eventForms } = await import('../dist/src/study/events.js');
  writeFileSync(here('docs/language.md'), languageReference(jsonSchema(), readFileSync(here('docs/language-basics.md'), 'utf8'), { catalogue, eventForms }));
}
