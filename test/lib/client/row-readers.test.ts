import { describe, expect, it } from 'vitest';
import { snapshotRows } from '../../../lib/agents/agent-store.ts';
import { openInterval } from '../../../lib/agents/diff-agents.ts';
import { agentRow, intervalRow, pollStatusRow } from '../../../lib/agents/rows.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';

import { UnreadableRow } from '../../../lib/client/index.ts';
import * as readers from '../../../lib/client/row-readers.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { agentsOf, loggedIn } from '../../support/agents.ts';
import {
  callFacts,
  callKey,
  deliveryAt,
  participantFacts,
  participantKey,
  recordFrom,
} from '../../support/call-records.ts';
import { feedWithNotes } from './support/filled-tables.ts';

const at = '2026-11-21T12:00:00.000Z';
const sentinel = 'SENTINEL of a person';
const asha = loggedIn(at, { AgentName: sentinel });
const oddCall = callFacts({ StartTime: 'noon', AgentID: 'asha', Comments: sentinel, [sentinel]: 'x' });
const feed = { ...feedWithNotes, lastProblem: { reason: 'timeout' as const, at } };

/** Each kind of row as stored, its reader, and where a later version may add nested fields. */
const kinds: readonly {
  readonly name: string;
  readonly read: (row: Row) => object;
  readonly row: Row;
  readonly inside: string;
  readonly breakable: string;
}[] = [
  {
    name: 'Call',
    read: readers.readCall,
    row: rowOf(recordFrom([deliveryAt(oddCall, at)]), 9),
    inside: 'notes',
    breakable: 'deliveries',
  },
  {
    name: 'CallParticipant',
    read: readers.readCallParticipant,
    row: rowOf(recordFrom([deliveryAt(participantFacts({ StartTime: sentinel }), at)], participantKey), 9),
    inside: 'notes',
    breakable: 'timeZone',
  },
  {
    name: 'ListedCall',
    read: readers.readListedCall,
    row: rowOf(recordFrom([deliveryAt(oddCall, at)], callKey), 9),
    inside: 'agentIds',
    breakable: 'listedAt',
  },
  { name: 'AgentNow', read: readers.readAgentNow, row: agentRow('demo', asha), inside: '', breakable: 'version' },
  { name: 'AgentInState', read: readers.readAgentInState, row: agentRow('demo', asha), inside: '', breakable: 'since' },
  { name: 'FeedNow', read: readers.readFeedNow, row: pollStatusRow(feed), inside: 'lastProblem', breakable: 'counts' },
  {
    name: 'AgentInterval',
    read: readers.readAgentInterval,
    row: intervalRow('demo', openInterval(asha), 90),
    inside: '',
    breakable: 'from',
  },
  {
    name: 'FloorSnapshot',
    read: readers.readSnapshotPart,
    row: { ...snapshotRows({ pollStatus: feed, at, agents: agentsOf(asha), retentionDays: 7 })[0] },
    inside: 'agents',
    breakable: 'status',
  },
];

/** The value with a field added to it, or to the first element of it. */
const withAddition = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry, index) => (index === 0 ? withAddition(entry) : entry));
  return typeof value === 'object' && value !== null ? { ...value, addedLater: sentinel } : value;
};

describe.each(kinds)('the reader of a row $name', ({ name, read, row, inside, breakable }) => {
  it('leaves out keys and internal attributes', () => {
    const found = read(row);

    expect(found).not.toHaveProperty('pk');
    expect(found).not.toHaveProperty('kind');
    expect(found).not.toHaveProperty('poller');
    expect(found).toMatchObject({ account: 'demo' });
  });

  it('ignores fields that a later version has added', () => {
    const added = { ...row, addedLater: 1, ...(inside !== '' && { [inside]: withAddition(row[inside]) }) };
    if (inside !== '') expect(row[inside]).toBeDefined();

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
