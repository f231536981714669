import { describe, expect, it } from 'vitest';
import type { Item } from '../costs/row-writes.ts';
import { type CallVariants, type ObservedCall, observeCalls } from './observed-calls.ts';
import { overBar } from './part.ts';
import { simulate } from './simulate.ts';
import { writesByKind } from './writes-by-owner.ts';

const traffic = { callbacksASecond: 5_000, accounts: 1, revisedWithinSeconds: 30 };
const seen = await observeCalls();
const asDeployed = simulate(traffic, writesByKind(seen), { seconds: 10 });

type Plant = (row: Item) => Item;

/** What is seen where rows have other keys. */
const planted = (plant: Plant): readonly CallVariants[] => {
  const inWrite = ({ write, ...others }: ObservedCall[number]) => {
    const { table, before, after } = write;
    return { ...others, write: { table, before: before && plant(before), after: after && plant(after) } };
  };
  return seen.map(({ callKind, base, others }) => ({
    callKind,
    base: base.map(inWrite),
    others: new Map([...others].map(([thing, lives]) => [thing, lives.map((one) => one.map(inWrite))])),
  }));
};

const busyStores = (plant: Plant): readonly string[] =>
  simulate(traffic, writesByKind(planted(plant)), { seconds: 2 })
    .spreads.filter(({ most }) => most > 1_000)
    .map(({ store }) => store);

describe('five thousand callbacks a second of one account', () => {
  it('are as many as are simulated', () => {
    expect(asDeployed.callbacks / asDeployed.seconds).toBeGreaterThan(4_700);
    expect(asDeployed.callbacks / asDeployed.seconds).toBeLessThan(5_300);
  });

  it('spread over the keys of the table, and over customers and agents', () => {
    const most = Object.fromEntries(asDeployed.spreads.map((spread) => [spread.store, spread.most]));

    expect(most['table']).toBeLessThan(20);
    expect(most['byCustomer']).toBeLessThan(500);
    expect(most['byAgent']).toBeLessThan(50);
  });

  it('are too many for the list of the account, which is told with the rate that it takes', () => {
    expect(overBar(traffic, asDeployed.spreads)).toEqual([
      expect.stringMatching(
        /^With 5,000 callbacks a second of one account a key of byTime takes 4,\d{3} write units .* 1,\d{3} callbacks/,
      ),
    ]);
  });

  it.each<readonly [string, string, Plant]>([
    ['the table', 'table', (row) => ({ ...row, pk: row['account'] ?? { S: 'demo' } })],
    ['the index of customers', 'byCustomer', (row) => ({ ...row, customerCalls: row['account'] ?? { S: 'demo' } })],
    ['the index of agents', 'byAgent', (row) => ({ ...row, agentCalls: { S: 'demo' } })],
  ])('would be too many for one key of %s', (_, store, plant) => {
    expect(busyStores(plant)).toContain(store);
  });
});

describe('a key that spreads over a few values', () => {
  it('is refused rather than taken for one that spreads over all', () => {
    const halved = (row: Item): Item => ({ ...row, pk: { S: String(Number(row['callId']?.S?.at(-1)) % 2) } });

    expect(() => writesByKind(planted(halved))).toThrow('3 values of call make 2 keys of table');
  });
});
