import { FaultreelError, exitCodes } from '../errors.js';
import { takeBounds } from './document/bound-settings.js';
import { type Override, override, overridesOf, setOverride } from './document/overrides.js';
import { Problems } from './document/problems.js';
import { type MapNode, type Node, type Source, describeNode, headOf, locate, placeOf, writtenText } from './document/tree.js';
import { readYaml } from './document/yaml.js';
import { scenarioType } from './grammar/scenario.js';
import { versionNumber } from './grammar/basic.js';
import { Reading } from './grammar/type.js';
import { checkMeaning } from './meaning/check.js';
import { type Bounds, bounds as usual, eventsOfAllVariants } from './limits.js';
import type { Scenario, System } from './model.js';
import { suggest } from './nearest.js';
import { buildSystem } from './system/build.js';

export interface ParseOptions {
  /** The file's path, for messages and for the scenario's name. */
  readonly file: string;
  /** `--set path=value`: replaced in every variant, after its own overrides; or `bounds.events`, `bounds.calls`, `bounds.samples`. `flag`: another option that it came from, for messages. */
  readonly set?: readonly { readonly path: string; readonly value: string; readonly flag?: string }[];
  /** Only this variant; the others are still checked. */
  readonly variant?: string;
  /** Values of `variant` alone, replaced last, as `set` would; what they mean to the others is not checked then. */
  readonly moved?: ParseOptions['set'];
}

/**
 * A scenario file (YAML 1.2 or JSON) as one system a variant.
 * Throws one `FaultreelError` (exit code 3) with every problem of the file, each with its place, line and caret.
 */
export const parseScenario = (text: string, { file, set = [], variant, moved }: ParseOptions): Scenario => {
  const problems = new Problems();
  const root = readRoot({ file, text: text.replace(/^\uFEFF/, '') }, problems);
  const name = nameOf(file);
  const trees = new Map<string, Node>();
  const systems = root ? systemsOf(root, name, { set, ...(variant !== undefined && moved && { only: { variant, moved } }) }, problems, trees) : [];
  const wanted = variant === undefined ? systems : systems.filter((system) => system.variant === variant);
  if (root && wanted.length === 0 && !problems.any) {
    const names = systems.map((system) => system.variant);
    throw new FaultreelError(exitCodes.invalidScenario, { message: `${file} has no variant \`${variant}\``, ...optionalHint(suggest(variant ?? '', names, 'variants')) });
  }
  if (problems.any) throw new FaultreelError(exitCodes.invalidScenario, problems.sorted());
  return { name, file, text, variants: wanted, placeOf: (path, of) => placeOf(headOf(locate(trees.get(of)!, path.split('.')))) };
};

const optionalHint = (hint: string | undefined): { hint?: string } => (hint === undefined ? {} : { hint });

/** The name of the file without folder and ending; it becomes the name of a folder, so it may not be one that means another. */
const nameOf = (file: string): string => {
  const name = (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(ya?ml|json)$/i, '');
  if (/^\.*$/.test(name)) throw new FaultreelError(exitCodes.invalidScenario, { message: `expected a file with a name, found ${file}`, hint: 'results go into a folder of that name: rename the file, for example to order-api.yaml' });
  return name;
};

/** The tree, if it is a map in the right version of the language; anything else would only echo. */
const readRoot = (source: Source, problems: Problems): MapNode | undefined => {
  const root = readYaml(source, problems);
  if (!root) return undefined;
  if (root.kind !== 'map') {
    problems.add(root.at, `expected a scenario (a map with keys such as \`faultreel\`, \`services\`, \`traffic\`), found ${describeNode(root)}`, 'a scenario begins with the line `faultreel: 1`');
    return undefined;
  }
  const version = root.entries.get('faultreel');
  if (version && Number.isNaN(versionNumber.read(version, ['faultreel'], new Reading(root, problems)))) return undefined;
  return root;
};

/** What is replaced in all variants, and the one variant that is read with more. */
interface Replacing {
  readonly set: Settings;
  readonly only?: { readonly variant: string; readonly moved: Settings };
}
type Settings = NonNullable<ParseOptions['set']>;

/**
 * One system a variant. Later variants report only what the first does not; and where the first has problems itself,
 * only what is wrong inside their own overrides, for the rest is mostly an echo.
 */
const systemsOf = (root: MapNode, name: string, { set: allSet, only }: Replacing, problems: Problems, trees: Map<string, Node>): readonly System[] => {
  const { bounds, taken, others: set } = takeBounds(allSet, problems);
  const boundsSet = taken.map(({ path, value }) => ({ path, value }));
  const [sets, moves] = [set, only?.moved ?? []].map((own) => own.flatMap(({ path, value, flag }) => setOverride(path, value, problems, flag) ?? []));
  applied(root, sets, problems);
  if (problems.any) {
    readOne(root, { original: root, naming: root }, { variant: 'base', overrides: [], name, bounds }, problems);
    return [];
  }
  let referenceIsSound = true;
  const all = variantsIn(root);
  const ofEach = bounds.events === usual.events ? { ...bounds, events: Math.min(bounds.events, Math.floor(eventsOfAllVariants / all.length)) } : bounds;
  return all.filter(([variant]) => only === undefined || variant === only.variant).map(([variant, overrides], index) => {
    const paths = new Problems();
    const own = new Problems();
    const still = applied(applied(root, overrides, paths), sets, new Problems());
    const changed = applied(still, moves, paths);
    trees.set(variant, changed);
    const told = [...[...overrides, ...sets].map(written), ...boundsSet, ...moves.map(written)];
    const system = readOne(changed, { original: root, naming: still }, { variant, overrides: told, name, bounds: ofEach }, own);
    if (index > 0) refuseOtherClock(overrides, own);
    const prefix = index === 0 ? '' : `variant \`${variant}\`: `;
    problems.adopt(paths, prefix);
    problems.adopt(own, prefix, (at) => referenceIsSound || overrides.some(({ value }) => at.source === value.at.source && at.offset >= value.at.offset && at.offset < value.at.end));
    if (index === 0) referenceIsSound = !own.any;
    return system;
  });
};

/** Variants are compared tick by tick, under the same arrivals. */
const refuseOtherClock = (overrides: readonly Override[], problems: Problems): void => {
  for (const { path, at } of overrides) {
    if (path === 'tick' || path === 'seed') problems.add(at, `expected the same \`${path}\` in all variants, which are compared with each other, found another one`, `set \`${path}\` for the whole file, or try one out with \`--set ${path}=…\``);
  }
};

const variantsIn = (root: MapNode): readonly (readonly [string, readonly Override[]])[] => {
  const variants = root.entries.get('variants');
  if (variants?.kind !== 'map' || variants.entries.size === 0) return [['base', []]];
  return [...variants.entries].map(([variant, node]) => [variant, overridesOf(node)] as const);
};

const applied = (root: Node, overrides: readonly Override[], problems: Problems): Node =>
  overrides.reduce<Node>((tree, one) => override(tree, one, scenarioType, problems) ?? tree, root);

const written = ({ path, value }: Override): System['overrides'][number] => ({ path, value: writtenText(value) });

type About = Pick<System, 'variant' | 'overrides'> & { readonly name: string; readonly bounds: Bounds };

const readOne = (root: Node, { original, naming }: Readonly<Record<'original' | 'naming', Node>>, about: About, problems: Problems): System => {
  const reading = new Reading(root, problems, original, naming);
  const system = buildSystem(scenarioType.read(root, [], reading), reading, about);
  checkMeaning(system, reading);
  return system;
};
