import type { Condition } from '../scenario/model.js';

/** Slack of equalities: shares and sums of counts are quotients, not decimals. */
const slack = 1e-9;

/** Whether a figure meets a condition; null = unknown. */
export const holds = ({ op, low, high }: Pick<Condition, 'op' | 'low' | 'high'>, actual: number | null): boolean | null => {
  if (actual === null) return null;
  switch (op) {
    case '<':
      return actual < high;
    case '>':
      return actual > low;
    case '=':
    case '<=':
    case '>=':
    case '±':
    case '..':
      return actual >= low - slack * Math.max(1, Math.abs(low)) && actual <= high + slack * Math.max(1, Math.abs(high));
  }
};
