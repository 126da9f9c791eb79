import { percent } from '../look/numbers.js';

/** Whole percent that never says all or nothing while it is not: 99.7 % is `99%`, 0.2 % is `1%`. */
export const wholePercent = (share: number): string => (share >= 1 || share <= 0 ? percent(share) : percent(Math.min(0.99, Math.max(0.01, share))));
