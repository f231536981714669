import { describe, expect, it } from 'vitest';
import { indexUnits, tableUnits } from '../../../bench/costs/write-units.ts';
import { keyedWrites } from '../../../bench/spread/keyed-writes.ts';
import { callsTable } from '../../../lib/contract/tables.ts';

const row = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries({ pk: 'call', sk: 'leg', listedAt: '1', ...fields }).map(([name, S]) => [name, { S }]),
  );

const before = row({ accountCalls: 'demo', agentCalls: 'asha' });
const after = row({ accountCalls: 'demo', agentCalls: 'ravi' });
const write = { table: callsTable, before, after };
const alone = { write, isRefused: false, isTransaction: false };

describe('the units of a write by key', () => {
  it('go to the row’s key, and where an entry moves to both keys that it has', () => {
    expect(keyedWrites(alone)).toEqual([
      { store: 'table', key: 'call', units: 1 },
      { store: 'byAgent', key: 'asha', units: 1 },
      { store: 'byAgent', key: 'ravi', units: 1 },
    ]);
  });

  it('add up to the units of the write', () => {
    const units = keyedWrites(alone).reduce((sum, each) => sum + each.units, 0);

    expect(units).toBe(tableUnits(write) + indexUnits(write));
  });

  it('are twice as many in a transaction', () => {
    expect(keyedWrites({ ...alone, isTransaction: true }).map(({ units }) => units)).toEqual([2, 2, 2]);
  });

  it('are the row’s alone where the write is refused', () => {
    expect(keyedWrites({ ...alone, isRefused: true })).toEqual([{ store: 'table', key: 'call', units: 1 }]);
  });
});
