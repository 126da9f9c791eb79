import type { BrokenFirst, FirstToBreak } from './judgements.js';

/** What broke first, without the when and the which instance: what runs are compared by. */
export const brokenFirst = (first: FirstToBreak | null): BrokenFirst => ({ objective: first?.objective ?? null, service: first?.resource?.service ?? null, what: first?.resource?.what ?? null });

/** The same cause, whichever objective it broke; without a cause, the same objective. */
export const isSameFirst = (one: BrokenFirst, other: BrokenFirst): boolean => one.service === other.service && one.what === other.what && (one.service !== null || one.objective === other.objective);

/** Under how many seeds, or at how many ends, the same breaks first. */
export const timesSame = (all: readonly (BrokenFirst & { readonly seeds?: number })[], first: BrokenFirst): number => all.reduce((sum, one) => sum + (isSameFirst(one, first) ? (one.seeds ?? 1) : 0), 0);
