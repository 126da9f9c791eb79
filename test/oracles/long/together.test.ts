import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { balancing, twoChoices } from '../statistical/balancing.js';
import { bounded, boundedAndGivenUp } from '../statistical/bounded.js';
import { closedNetworks, closedUsers } from '../statistical/closed.js';
import { exponential } from '../statistical/exponential.js';
import { general } from '../statistical/general.js';
import { givingUp } from '../statistical/giving-up.js';
import { forksAndTails, networks } from '../statistical/networks.js';
import { sharing } from '../statistical/sharing.js';
import { bias, folder, insideShare, kept, table } from '../support/found.js';

const all = [...exponential, ...general, ...sharing, ...balancing, ...twoChoices, ...bounded, ...boundedAndGivenUp, ...givingUp, ...closedUsers, ...closedNetworks, ...networks, ...forksAndTails];

describe('all long cases together', () => {
  const rows = kept();
  writeFileSync(path.join(folder, '../oracles.txt'), table(rows));

  it('every case has been measured, with every figure', () => {
    expect(rows.map(({ id, figure }) => `${id} ${figure}`).toSorted()).toEqual(all.flatMap(({ id, figures }) => figures.map(({ name }) => `${id} ${name}`)).toSorted());
  });
  it('the truth is in the 99 % interval of at least 97 % of the figures', () => {
    expect(insideShare(rows)).toBeGreaterThanOrEqual(0.97);
  });
  it('the mean relative error of all figures is at most 0.3 %', () => {
    expect(Math.abs(bias(rows))).toBeLessThanOrEqual(0.003);
  });
});
