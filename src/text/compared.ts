import type { Lang } from '../scenario/model.js';
import type { Compared } from '../study/types.js';

/** A bound with what a factor is told of: `≤ 2x of control`; a bound of its own stays. Names only what differs: the phase, the variant, or both. */
export const comparedText = (bound: string, vs: Compared | null, own: { readonly phase: string | null; readonly variant: string }, lang: Lang): string => {
  if (vs === null) return bound;
  const places = [...(vs.variant === own.variant ? [] : [vs.variant]), ...(vs.phase === null || vs.phase === own.phase ? [] : [vs.phase])].join(', ');
  // The same figure of the same run: a factor of itself.
  if (places === '') return lang === 'ko' ? `${bound} (자기 자신 대비)` : `${bound} of itself`;
  return lang === 'ko' ? `${bound} (${places} 대비)` : `${bound} of ${places}`;
};
