import type { Traffic } from '../../scenario/model.js';
import { pick, siteOf, uniform } from '../kernel/keyed-draws.js';

/**
 * Row that the request with this key is about, the `nth` of its burst (0 elsewhere). Rows are numbers from 0, the same for every traffic (rule 47);
 * −1 is one that only this request has.
 */
export type RowOf = (key0: number, key1: number, nth: number) => number;

/** How a traffic's keys are drawn. `freshRow` gives a row that nobody has had. */
export const rowsOf = (keys: Traffic['keys'], freshRow: () => number): RowOf => {
  if (!keys) return () => -1;
  if (keys.kind === 'uniform') return uniformRows(keys.count.value);
  if (keys.kind === 'hot') return hotRows(keys.count.value, keys.hot.value, keys.share.value);
  return burstRows(keys.count.value, freshRow);
};

const rowSite = siteOf('row');

const uniformRows = (count: number): RowOf => (key0, key1) => pick(count, key0, key1, rowSite, 0);

/** The first `hot` rows take their share between them, the others the rest; with no others, all of it. */
const hotRows = (count: number, hot: number, ofRequests: number): RowOf => {
  const share = hot >= count ? 1 : ofRequests;
  return (key0, key1) => {
    const u = uniform(key0, key1, rowSite, 0);
    return u < share ? part(u / share, hot) : hot + part((u - share) / (1 - share), count - hot);
  };
};

/** Each burst has `count` rows of its own, and its requests go over them in turn: its first ones open them. */
const burstRows = (count: number, freshRow: () => number): RowOf => {
  const rows: number[] = [];
  return (_key0, _key1, nth) => {
    if (nth < count) rows[nth] = freshRow();
    return rows[nth % count];
  };
};

/** Which of `n` equal parts of 0 to 1 holds u; rounding may have made u 1. */
const part = (u: number, n: number): number => Math.min(n - 1, Math.floor(u * n));
