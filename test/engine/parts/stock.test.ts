import { describe, expect, it } from 'vitest';
import { Stock } from '../../../src/engine/parts/stock.js';

const stockOf = (atStart: number): Stock => new Stock({ index: 0, name: 'db.seat', atStart, emptyReason: 0 });
/** Units that can be taken of the row, up to ten. */
const taken = (stock: Stock, row: number): number => Array.from({ length: 10 }, () => stock.take(row)).filter(Boolean).length;

describe('a stock', () => {
  it('has what it began with, of each row', () => {
    const stock = stockOf(2);
    expect([taken(stock, 0), taken(stock, 0), taken(stock, 1)]).toEqual([2, 0, 2]);
  });
  it('has what is put on top of what is left, or of what it began with where nothing was taken yet', () => {
    const stock = stockOf(3);
    stock.put(0, 2);
    stock.take(1);
    stock.put(1, 2);
    expect([taken(stock, 0), taken(stock, 1)]).toEqual([5, 4]);
  });
  it('is full for a request with a row of its own, whatever that one puts, and empty where it begins with nothing', () => {
    const stock = stockOf(1);
    stock.put(-1, -1);
    expect(taken(stock, -1)).toBe(10);
    expect(taken(stockOf(0), -1)).toBe(0);
  });
});
