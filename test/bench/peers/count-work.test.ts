import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { dynamodbEndpoint } from '../../support/dynamodb-local.ts';
import { withTemporaryFolder } from '../temporary-resources.ts';
import { type CountedWork, countWork } from './count-work.ts';
import { bundledPeers, callfeed } from './peers.ts';

let work: CountedWork;

beforeAll(async () => {
  const endpoint = await dynamodbEndpoint();
  work = await withTemporaryFolder(async (folder) => {
    const [ours] = await bundledPeers(folder, { prefix: `test-${randomUUID()}`, of: [callfeed] });
    if (ours === undefined) throw new Error('Nothing was bundled');
    return countWork(ours, endpoint);
  });
});

describe('the functions as they are deployed', () => {
  it('ask one thing of AWS before the reply to a new call, and publish it in one more', () => {
    expect(work.first).toEqual({ callsBeforeReply: 1, calls: 2, writeUnits: 5, indexWriteUnits: 3, events: 1 });
  });

  it('ask one thing of AWS for a repeat, and write nothing', () => {
    expect(work.repeat).toEqual({ callsBeforeReply: 1, calls: 1, writeUnits: 2, indexWriteUnits: 0, events: 0 });
  });

  it('try to write a revision as new, and then over what they found', () => {
    expect(work.revision).toEqual({ callsBeforeReply: 2, calls: 3, writeUnits: 7, indexWriteUnits: 3, events: 1 });
  });
});
