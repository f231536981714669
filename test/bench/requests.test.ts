import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dynamodbEndpoint, startTestTables } from '../support/dynamodb-local.ts';
import { countRequests } from './calls.ts';
import { withTemporaryFolder } from './part.ts';
import { countWork } from './peers/measure.ts';
import { bundledPeers, callfeed } from './peers/peers.ts';

describe('the requests to DynamoDB', () => {
  it('and their units are as documented for each kind of work', async () => {
    const { endpoint, tableNames, stop } = await startTestTables();
    onTestFinished(stop);
    const cases = await countRequests({ endpoint, tableNames }, { agents: 20, changes: [2] });
    const counted = cases.map(({ name, counts }) => [
      name,
      counts.dynamodbCalls,
      counts.tableWriteUnits + counts.indexWriteUnits,
      counts.readUnits,
    ]);

    expect(counted).toEqual([
      ['new call', 1, 5, 0],
      ['repeat', 1, 2, 0],
      ['revision', 2, 8, 0],
      ['new call of two agents', 1, 14, 0],
      ['participant, with its call', 1, 1, 0],
      ['list of 20 new calls', 20, 100, 0],
      ['poll of 20 agents, unchanged', 2, 2, 0],
      ['poll of 20 agents, unchanged, other process', 4, 2, 3],
      ['poll of 20 agents, 2 changed', 3, 27, 0],
    ]);
  });
});

describe('the bundled functions', () => {
  it('make one AWS call before the reply to a new call or a repeat, and two for a revision', async () => {
    const endpoint = await dynamodbEndpoint();
    const { first, repeat, revision } = await withTemporaryFolder(async (folder) => {
      const [ours] = await bundledPeers(folder, { prefix: `test-${randomUUID()}`, of: [callfeed] });
      if (ours === undefined) throw new Error('Nothing was bundled');
      return countWork(ours, endpoint);
    });

    expect(first).toEqual({ callsBeforeReply: 1, calls: 2, writeUnits: 5, indexWriteUnits: 3, events: 1 });
    expect(repeat).toEqual({ callsBeforeReply: 1, calls: 1, writeUnits: 2, indexWriteUnits: 0, events: 0 });
    // A revision is first tried as a new call, and then written over the row that it found.
    expect(revision).toEqual({ callsBeforeReply: 2, calls: 3, writeUnits: 8, indexWriteUnits: 3, events: 1 });
  });
});
