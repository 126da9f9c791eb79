import { locate } from '../document/tree.js';
import type { Reading } from '../grammar/type.js';
import type { Phase, Profile, Traffic } from '../model.js';

export type Stairs = Extract<Profile, { kind: 'stairs' }>;

export const stairsOf = ({ source }: Traffic): Stairs | undefined => {
  const profile = source.kind === 'open' ? source.rate : source.kind === 'closed' ? source.users : undefined;
  return profile?.kind === 'stairs' ? profile : undefined;
};

/** When step `index` of some stairs is judged. Warm-up comes before the first, a gap between two. */
export const stepWindow = ({ each, gap, warmUp }: Stairs, startMs: number, index: number): { readonly fromMs: number; readonly toMs: number } => {
  const fromMs = startMs + warmUp.value + index * (each.value + gap.value);
  return { fromMs, toMs: fromMs + each.value };
};

/** The phases that stairs make: `<traffic>-<value as written>`, also where that is moved to be tried; a value that comes again gets `-2`, `-3`. */
export const phasesOfStairs = (traffic: readonly Traffic[], reading: Reading): readonly Phase[] =>
  traffic.flatMap((source) => {
    const stairs = stairsOf(source);
    if (!stairs) return [];
    const seen = new Map<string, number>();
    return stairs.steps.map((value, index) => {
      const name = `${source.name}-${writtenNumber(value.path, reading)}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return { name: count > 1 ? `${name}-${count}` : name, ...stepWindow(stairs, source.startMs, index) };
    });
  });

/** `46` of `46/s`, `45-5` of `45.5/s`: names have no dots. */
const writtenNumber = (path: string, reading: Reading): string => {
  const node = locate(reading.naming, path.split('.'));
  const basis = node.kind === 'map' ? [...node.entries.values()][0] : node;
  const text = basis?.kind === 'scalar' ? basis.text : '';
  return (/^\d+(?:\.\d+)?/.exec(text)?.[0] ?? '').replace('.', '-');
};

