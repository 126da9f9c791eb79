import { type Bounds, bounds as usual } from '../limits.js';
import { suggest } from '../nearest.js';
import type { Problems } from './problems.js';

interface Setting {
  readonly path: string;
  readonly value: string;
}

/** Takes what `--set bounds.<name>=<number>` says out of the settings: it is about the work that a run may take, and no path of a file. */
export const takeBounds = <S extends Setting>(set: readonly S[], problems: Problems): { readonly bounds: Bounds; readonly others: readonly S[]; readonly taken: readonly S[] } => {
  const taken = set.filter(({ path }) => path.startsWith(prefix));
  const bounds = taken.reduce<Bounds>((sum, setting) => ({ ...sum, ...boundOf(setting, problems) }), usual);
  return { bounds, taken, others: set.filter(({ path }) => !path.startsWith(prefix)) };
};

const prefix = 'bounds.';

const boundOf = ({ path, value }: Setting, problems: Problems): Partial<Bounds> => {
  const source = { file: '--set', text: `${path}=${value}` };
  const name = path.slice(prefix.length);
  if (!Object.hasOwn(usual, name)) {
    problems.add({ source, offset: 0, end: path.length }, `expected a bound, found \`${path}\``, suggest(name, Object.keys(usual), 'bounds'));
    return {};
  }
  const most = /^\d+(?:\.\d+)?(?:e\d+)?$/i.test(value) ? Number(value) : NaN;
  if (Number.isInteger(most) && most >= 1 && most <= Number.MAX_SAFE_INTEGER) return { [name]: most };
  problems.add({ source, offset: path.length + 1, end: source.text.length }, `expected a whole number for \`${path}\`, found \`${value}\``, `for example --set ${path}=${5 * usual[name as keyof Bounds]}`);
  return {};
};
