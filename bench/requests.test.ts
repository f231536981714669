import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pollStatusRow } from '../functions/poll-agents/agent-store.ts';
import { pollRateLimit } from '../functions/poll-agents/rate-limit.ts';
import { pollStatusOf } from '../lib/agents/rows.ts';
import { marshalled } from '../lib/storage/rows.ts';
import { agentStates } from '../lib/telephony/vocabularies.ts';
import { deployment, noAnswer, success } from '../test/deployment/index.ts';
import { itemBytes } from '../test/deployment/memory-dynamodb.ts';
import { dynamodbEndpoint, startLocalTables } from '../test/support/dynamodb-local.ts';
import { countAll } from './costs/count.ts';
import { postedCalls } from './functions.ts';
import { withTemporaryFolder } from './part.ts';
import { countWork } from './peers/measure.ts';
import { bundledPeers, callfeed } from './peers/peers.ts';

describe('the requests to DynamoDB', () => {
  it('and their units are as documented for each kind of work', async () => {
    const tables = await startLocalTables(await dynamodbEndpoint());
    onTestFinished(tables.stop);
    // One batch takes all changes of a piece of work.
    const deployed = {
      deployment: 'bench',
      subscription: { batchSize: 100, parallelizationFactor: 1 },
    };
    const { calls, posted, polls } = await countAll(tables, deployed, [{ agents: 20, changes: [2] }], {
      list: postedCalls(20),
    });
    const [{ unchanged, byAnother, changed } = {}] = polls;
    const all = { ...calls, list: posted, unchanged, byAnother, twoChanged: changed?.get(2) };

    const counted = Object.entries(all).map(([work, counts]) => {
      const { dynamodbCalls = 0, tableWriteUnits = 0, indexWriteUnits = 0, readUnits } = counts ?? {};
      return [work, dynamodbCalls, tableWriteUnits + indexWriteUnits, readUnits];
    });
    expect(counted).toEqual([
      ['first', 1, 5, 0],
      ['late', 1, 6, 0],
      ['repeat', 1, 2, 0],
      ['revision', 2, 8, 0],
      ['transferred', 1, 10, 0],
      ['participant', 1, 1, 0],
      ['list', 20, 100, 0],
      ['unchanged', 2, 2, 0],
      ['byAnother', 4, 2, 3],
      ['twoChanged', 3, 23, 0],
    ]);
  });

  it('are of one unit for the feed’s row at its greatest length: every state, a problem, a pause, and calls without a callback', async () => {
    const words = [...agentStates.words, 'Lunching'];
    const agents = words.map((AgentState, index) => ({ AgentId: `agent-${index}`, AgentState }));
    const d = await deployment({ service: { logins: [success(agents), noAnswer('connection')] } });
    await d.polls(2);

    const row = (await d.feed()) ?? {};
    expect([Object.keys(Object(row['counts'])).length, row['lastProblem']]).toEqual([words.length, expect.anything()]);
    const feedNow = pollStatusOf(row);
    const { requests } = feedNow.poller;
    const at = Date.parse('2026-11-20T05:00:00.000Z');
    const poller = {
      ...feedNow.poller,
      backOff: { until: '2026-11-20T07:00:00.000Z', times: 12 },
      requests: Array.from({ length: pollRateLimit.maxRequests }, () => requests[0] ?? 0),
      endedCalls: Array.from({ length: 5 }, () => ({ at, by: 65_520 })),
    };
    const longest = pollStatusRow({ ...feedNow, poller });
    expect(longest).toMatchObject({ attemptedAt: expect.anything(), pausedUntil: expect.anything() });
    expect(longest).toHaveProperty('callbacksSilentSince');
    expect(itemBytes(marshalled(longest))).toBeLessThanOrEqual(1024);
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
