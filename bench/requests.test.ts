import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { pollStatusRow } from '../functions/poll-agents/agent-store.ts';
import { pollRateLimit } from '../functions/poll-agents/rate-limit.ts';
import { pollStatusOf } from '../lib/agents/rows.ts';
import { marshalled } from '../lib/storage/rows.ts';
import { agentStates } from '../lib/telephony/vocabularies.ts';
import { deployment, noAnswer, success } from '../test/deployment/index.ts';
import { itemBytes } from '../test/deployment/memory-dynamodb.ts';
import { dynamodbEndpoint, startLocalTables } from '../test/support/dynamodb-local.ts';
import { countAll } from './costs/count.ts';
import type { Counts } from './meter/counts.ts';
import { withTemporaryFolder } from './part.ts';
import { type CountedWork, countWork } from './peers/count-work.ts';
import { bundledPeers, callfeed } from './peers/peers.ts';
import { postedCalls } from './sample-posts.ts';

/** The feed's row at its greatest length: every state, a problem, a pause, and calls without a callback. */
const longestFeedRow = async () => {
  const words = [...agentStates.words, 'Lunching'];
  const agents = words.map((AgentState, index) => ({ AgentId: `agent-${index}`, AgentState }));
  const d = await deployment({ service: { logins: [success(agents), noAnswer('connection')] } });
  await d.polls(2);

  const row = (await d.feed()) ?? {};
  if (Object.keys(Object(row['counts'])).length < words.length) throw new Error('The row lacks a state');
  if (row['lastProblem'] === undefined) throw new Error('The row lacks a problem');
  const pollStatus = pollStatusOf(row);
  const [requestedMs = 0] = pollStatus.poller.requests;
  // The largest values that the rules allow.
  const endedAtMs = Date.parse('2026-11-20T05:00:00.000Z');
  const poller = {
    ...pollStatus.poller,
    backOff: { until: '2026-11-20T07:00:00.000Z', times: 12 },
    requests: Array.from({ length: pollRateLimit.maxRequests }, () => requestedMs),
    endedCalls: Array.from({ length: 5 }, () => ({ at: endedAtMs, by: 65_520 })),
  };
  const longest = pollStatusRow({ ...pollStatus, poller });
  for (const name of ['attemptedAt', 'pausedUntil', 'callbacksSilentSince'])
    if (!(name in longest)) throw new Error(`The row lacks ${name}`);
  return longest;
};

describe('the requests to DynamoDB', () => {
  let counted: Readonly<Record<string, Counts | undefined>> = {};

  beforeAll(async () => {
    const tables = await startLocalTables(await dynamodbEndpoint());
    // One batch takes all changes of a piece of work.
    const deployed = {
      deployment: 'bench',
      subscription: { batchSize: 100, parallelizationFactor: 1 },
    };
    const { calls, posted, polls } = await countAll(tables, deployed, [{ agents: 20, changes: [2] }], {
      list: postedCalls(20),
    }).finally(tables.stop);
    const [polled] = polls;
    if (polled === undefined) throw new Error('No polls were counted');
    const { unchanged, byAnother, changed } = polled;
    counted = { ...calls, list: posted, unchanged, byAnother, twoChanged: changed.get(2) };
  });

  it.each(
    Object.entries({
      first: { requests: 1, writeUnits: 5, readUnits: 0 },
      late: { requests: 1, writeUnits: 6, readUnits: 0 },
      repeat: { requests: 1, writeUnits: 2, readUnits: 0 },
      revision: { requests: 2, writeUnits: 8, readUnits: 0 },
      transferred: { requests: 1, writeUnits: 10, readUnits: 0 },
      participant: { requests: 1, writeUnits: 1, readUnits: 0 },
      list: { requests: 20, writeUnits: 100, readUnits: 0 },
      unchanged: { requests: 2, writeUnits: 2, readUnits: 0 },
      byAnother: { requests: 4, writeUnits: 2, readUnits: 3 },
      twoChanged: { requests: 3, writeUnits: 23, readUnits: 0 },
    }),
  )('of %s are as docs/performance.md has them', (work, expected) => {
    const counts = counted[work];
    if (counts === undefined) throw new Error(`${work} was not counted`);
    const { dynamodbCalls, tableWriteUnits, indexWriteUnits, readUnits } = counts;

    expect({ requests: dynamodbCalls, writeUnits: tableWriteUnits + indexWriteUnits, readUnits }).toEqual(expected);
  });

  it('are of one unit for the longest row of the feed', async () => {
    expect(itemBytes(marshalled(await longestFeedRow()))).toBeLessThanOrEqual(1024);
  });
});

describe('the bundled functions', () => {
  let work: CountedWork | undefined;

  beforeAll(async () => {
    const endpoint = await dynamodbEndpoint();
    work = await withTemporaryFolder(async (folder) => {
      const [ours] = await bundledPeers(folder, { prefix: `test-${randomUUID()}`, of: [callfeed] });
      if (ours === undefined) throw new Error('Nothing was bundled');
      return countWork(ours, endpoint);
    });
  });

  it.each([
    ['a new call', 'first', { callsBeforeReply: 1, calls: 2, writeUnits: 5, indexWriteUnits: 3, events: 1 }],
    ['a repeat', 'repeat', { callsBeforeReply: 1, calls: 1, writeUnits: 2, indexWriteUnits: 0, events: 0 }],
    [
      'a revision, which is first tried as a new call,',
      'revision',
      { callsBeforeReply: 2, calls: 3, writeUnits: 8, indexWriteUnits: 3, events: 1 },
    ],
  ] as const)('take for %s as many AWS calls as documented', (_title, kind, expected) => {
    expect(work?.[kind]).toEqual(expected);
  });
});
