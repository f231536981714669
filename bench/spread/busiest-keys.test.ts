import { describe, expect, it } from 'vitest';
import type { Item } from '../meter.ts';
import { busiestKeys } from './busiest-keys.ts';
import { observeCalls } from './observed-calls.ts';
import { overLimit } from './part.ts';

const traffic = { callbacksASecond: 5_000, accounts: 1 };
const observed = await observeCalls();
const asDeployed = busiestKeys(traffic, observed);

type ChangeKeys = (row: Item) => Item;

/** The stores with a key that would be too busy if rows had other keys. */
const busyStores = (change: ChangeKeys): readonly string[] => {
  const changed = observed.map(({ writes, ...callback }) => ({
    ...callback,
    writes: writes.map(({ write: { table, before, after }, ...others }) => ({
      ...others,
      write: { table, before: before && change(before), after: after && change(after) },
    })),
  }));
  return busiestKeys(traffic, changed)
    .filter(({ peakUnits }) => peakUnits > 1_000)
    .map(({ store }) => store);
};

describe('five thousand callbacks a second of one account', () => {
  it('spread over the keys of the table, and over customers and agents', () => {
    const peaks = Object.fromEntries(asDeployed.map(({ store, peakUnits }) => [store, peakUnits]));

    expect(peaks['table']).toBeLessThan(20);
    expect(peaks['byCustomer']).toBeLessThan(500);
    expect(peaks['byAgent']).toBeLessThan(50);
  });

  it('are too many for the list of the account, and the message has the rate that it takes', () => {
    expect(overLimit(traffic, asDeployed)).toEqual([
      expect.stringMatching(
        /^With 5,000 callbacks a second of one account, a key of byTime takes 4,\d{3} write units .* 1,\d{3} callbacks/,
      ),
    ]);
  });

  it.each<readonly [string, string, ChangeKeys]>([
    ['the table', 'table', (row) => ({ ...row, pk: row['account'] ?? { S: 'demo' } })],
    ['the index of customers', 'byCustomer', (row) => ({ ...row, customerCalls: row['account'] ?? { S: 'demo' } })],
    ['the index of agents', 'byAgent', (row) => ({ ...row, agentCalls: { S: 'demo' } })],
  ])('would be too many for one key of %s', (_, store, change) => {
    expect(busyStores(change)).toContain(store);
  });
});
