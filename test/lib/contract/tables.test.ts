import { describe, expect, it } from 'vitest';
import { CallFacts } from '../../../lib/call-summary/model.ts';
import { callsTable, quarantineTable } from '../../../lib/contract/tables.ts';

describe('callsTable', () => {
  it('lists calls by time, by customer and by agent, in the order of time', () => {
    expect(callsTable.indexes.map(({ name, key }) => [name, key.partition, key.sort])).toEqual([
      ['byTime', 'accountCalls', 'listedAt'],
      ['byCustomer', 'customerCalls', 'listedAt'],
      ['byAgent', 'agentCalls', 'listedAt'],
    ]);
  });

  it('shows in a list only facts and names that a row has', () => {
    const known = new Set<string>([...CallFacts.keyof().options, 'account', 'callId', 'leg', 'revision']);

    for (const { projection } of callsTable.indexes)
      expect(projection.filter((attribute) => !known.has(attribute))).toEqual([]);
  });

  it('is published, while quarantine is not', () => {
    expect(callsTable.published).toEqual(['call', 'participant']);
    expect(quarantineTable.published).toEqual([]);
  });
});
