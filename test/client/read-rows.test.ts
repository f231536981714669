import { describe, expect, it } from 'vitest';
import { UnreadableRow } from '../../client/index.ts';
import * as readers from '../../client/read-rows.ts';
import { pollStatusRow, snapshotRows } from '../../functions/poll-agents/agent-store.ts';
import { openInterval } from '../../lib/agents/diff-agents.ts';
import { agentRow, intervalRow } from '../../lib/agents/rows.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import type { Row } from '../../lib/storage/rows.ts';
import {
  agentsOf,
  callFacts,
  deliveryAt,
  loggedIn,
  participantFacts,
  participantKey,
  recordFrom,
} from '../support/posted-records.ts';
import { feedWithNotes } from './support/clients.ts';

const at = '2026-11-21T12:00:00.000Z';
const sentinel = 'SENTINEL of a person';
const asha = loggedIn(at, { AgentName: sentinel });
const oddCall = callFacts({ StartTime: 'noon', AgentID: 'asha', Comments: sentinel, [sentinel]: 'x' });
const feed = { ...feedWithNotes, lastProblem: { reason: 'timeout' as const, at } };

const callRow = rowOf(recordFrom([deliveryAt(oddCall, at)]), 9);
const participation = deliveryAt(participantFacts({ StartTime: sentinel }), at);
const [snapshot] = snapshotRows({ pollStatus: feed, at, agents: agentsOf(asha), retentionDays: 7 });

/** Each kind of row as stored, its reader, where a later version may add nested fields, and what must be there. */
type Kind = [name: string, read: (row: Row) => object, row: Row, breakable: string, inside?: string];
const kinds: readonly Kind[] = [
  ['Call', readers.readStoredCall, callRow, 'deliveries', 'notes'],
  [
    'CallParticipant',
    readers.readCallParticipant,
    rowOf(recordFrom([participation], participantKey), 9),
    'timeZone',
    'notes',
  ],
  ['ListedCall', readers.readListedCall, callRow, 'listedAt', 'agentIds'],
  ['AgentNow', readers.readAgentNow, agentRow('demo', asha), 'version'],
  ['AgentInState', readers.readAgentInState, agentRow('demo', asha), 'since'],
  ['FeedNow', readers.readFeedNow, pollStatusRow(feed), 'counts', 'lastProblem'],
  ['AgentInterval', readers.readAgentInterval, intervalRow('demo', openInterval(asha), 90), 'from'],
  ['FloorSnapshot', readers.readSnapshotPart, { ...snapshot }, 'status', 'agents'],
];

/** The value with a field added to it, or to the first element of it. */
const withAddition = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry, index) => (index === 0 ? withAddition(entry) : entry));
  return typeof value === 'object' && value !== null ? { ...value, addedLater: sentinel } : value;
};

describe.each<Kind>(kinds)('the reader of a row %s', (name, read, row, breakable, inside) => {
  it('leaves out keys and internal attributes', () => {
    const found = read(row);

    for (const internal of ['pk', 'kind', 'poller']) expect(found).not.toHaveProperty(internal);
    expect(found).toMatchObject({ account: 'demo' });
  });

  it('ignores fields that a later version has added', () => {
    const added = { ...row, addedLater: 1, ...(inside && { [inside]: withAddition(row[inside]) }) };
    if (inside) expect(row[inside]).toBeDefined();

    expect(read(added)).toEqual(read(row));
  });

  it.each([undefined, 7.5, { [sentinel]: sentinel }, [sentinel]])(
    'names row and field if one is written otherwise, as %j, and no value',
    (value) => {
      const error = caught(() => read({ ...row, [breakable]: value }));

      expect(error).toBeInstanceOf(UnreadableRow);
      expect(error).toMatchObject({ name: 'UnreadableRow', row: name, fields: [breakable] });
      expect(String(error)).toContain(`${name} is not as this version of the client declares it: ${breakable}`);
      expect(`${error}${JSON.stringify(error)}`).not.toContain(sentinel);
    },
  );
});

const caught = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};
