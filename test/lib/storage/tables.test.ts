import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openInterval } from '../../../lib/agents/diff-agents.ts';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { agentRow, intervalRow } from '../../../lib/agents/rows.ts';
import { Agent, AgentFacts } from '../../../lib/agents/schema.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { CallFacts, ParticipantFacts } from '../../../lib/calls/schema.ts';
import { callEvents } from '../../../lib/contract/call-events.ts';
import { loggableError } from '../../../lib/core/result.ts';
import { marshalled, type Row, readRow, unmarshalled } from '../../../lib/storage/rows.ts';
import { agentsTable, callsTable, quarantineTable, type Table } from '../../../lib/storage/tables.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { notesOf } from '../../../lib/telephony/field-kinds.ts';
import {
  agentFacts,
  callFacts,
  deliveryAt,
  loggedIn,
  normalisedRecords,
  receivedAt,
  recordFrom,
} from '../../support/posted-records.ts';

describe('readRow', () => {
  const Named = z.object({ name: z.string(), words: z.record(z.string(), z.string()) });

  it('returns the declared fields', () => {
    expect(readRow(Named, { name: 'demo', words: {}, newer: 1 })).toEqual({ name: 'demo', words: {} });
  });

  it('names the wrong fields, and nothing deeper', () => {
    const row = { name: 1, words: { secret: 1, other: 2 } };

    expect(() => readRow(Named, row)).toThrow(loggableError('Callfeed did not write this row. Wrong: name, words'));
  });
});

describe('callsTable', () => {
  it('lists calls by time, by customer and by agent, in the order of time, and late ones by their recording', () => {
    expect(callsTable.indexes.map(({ name, key }) => [name, key.partition, key.sort])).toEqual([
      ['byTime', 'accountCalls', 'listedAt'],
      ['byCustomer', 'customerCalls', 'listedAt'],
      ['byAgent', 'agentCalls', 'listedAt'],
      ['byLateRecording', 'lateCalls', 'firstRecordedAt'],
    ]);
  });

  it('projects only attributes that a row has', () => {
    const known: readonly string[] = [
      ...Object.keys(CallFacts.shape),
      'account',
      'callId',
      'leg',
      'revision',
      'listedAt',
    ];

    for (const { projection } of callsTable.indexes)
      expect(projection.filter((attribute) => !known.includes(attribute))).toEqual([]);
  });
});

const asha = loggedIn('2026-11-20T06:00:00.000Z');
const late = '2026-11-19T06:00:00.000Z';
const call = recordFrom([
  deliveryAt({ status: 'answered', customerNumber: '1', agentIds: ['asha'], startedAt: late }, receivedAt),
]);
const quarantined = quarantineRow(
  quarantineEntry({ reason: 'broken-json', account: 'demo', body: '{', receivedAt }),
  9,
);

describe('a table’s rows', () => {
  it.each<[string, Table, Row]>([
    ['a call', callsTable, rowOf(call, 9)],
    ['a quarantine entry', quarantineTable, quarantined],
    ['an interval of an agent’s timeline', agentsTable, intervalRow('demo', openInterval(asha), 9)],
  ])('have the table’s key and an expiry: %s', (_title, table, row) => {
    expect(row).toHaveProperty(table.key.partition, expect.any(String));
    if (table.key.sort !== undefined) expect(row).toHaveProperty(table.key.sort, expect.any(String));
    // A time-to-live in milliseconds would never expire.
    expect(row[table.timeToLive]).toBe(Date.parse(receivedAt) / 1000 + 9 * 86_400);
  });

  it.each<[string, Table, Row]>([
    ['a late call', callsTable, rowOf(call, 9)],
    ['an agent', agentsTable, agentRow('demo', asha)],
  ])('have the keys of every index: %s', (_title, { indexes }, row) => {
    for (const { key } of indexes)
      expect(row).toMatchObject({ [key.partition]: expect.any(String), [key.sort]: expect.any(String) });
  });
});

describe('agentsTable', () => {
  it('publishes agents and changes of the feed, and lists agents by state, longest in it first', () => {
    expect(agentsTable.published).toEqual(['agent', 'feed-change']);
    expect(agentsTable.indexes).toMatchObject([
      { name: 'byState', key: { partition: 'agentsInState', sort: 'since' } },
    ]);
  });

  it('projects every attribute of an agent to its index, without undocumented fields', () => {
    const [{ key, projection } = { key: undefined, projection: [] }] = agentsTable.indexes;

    expect([key?.partition, key?.sort, ...projection].sort()).toEqual(
      ['account', 'agentsInState', ...Object.keys(Agent.shape).filter((name) => name !== 'extra')].sort(),
    );
  });
});

it('a row is written without what is undefined, and read as it was', () => {
  const row = {
    id: '1',
    seconds: 1.5,
    legs: [{ status: 'answered', did: undefined }],
    notes: [],
    did: undefined,
    none: null,
  };

  expect(Object.keys(marshalled(row))).toEqual(['id', 'seconds', 'legs', 'notes', 'none']);
  expect(unmarshalled(marshalled(row))).toStrictEqual({
    ...{ id: '1', seconds: 1.5, legs: [{ status: 'answered' }], notes: [], none: null },
  });
});

it('a row can be read with types and numbers that only others write', () => {
  const item = { tags: { SS: ['a'] }, image: { B: new Uint8Array([1]) }, count: { N: '12345678901234567890' } };

  expect(unmarshalled(item)).toEqual({ tags: new Set(['a']), image: new Uint8Array([1]), count: 12345678901234567000 });
});

interface Sender {
  readonly facts: z.ZodMiniObject;
  readonly wire: readonly string[];
  readonly factsOf: (posted: object) => object;
  /** Facts that do not come from a single field of the sender. */
  readonly ownFacts: readonly string[];
}

const senders: readonly (readonly [what: string, sender: Sender])[] = [
  [
    'a call',
    {
      facts: CallFacts,
      wire: wireCallFields,
      factsOf: callFacts,
      ownFacts: ['timeZone', 'extra', 'notes', 'approximateAt', 'handleSeconds'],
    },
  ],
  [
    'a participant',
    {
      facts: ParticipantFacts,
      wire: wireParticipantFields,
      // Beside its call, as a participant whose own id of the call cannot be used belongs to no other.
      factsOf: (posted) =>
        normalisedRecords([
          { monitorUCID: '1', Status: 'Answered', Type: 'Inbound' },
          { UCID: '1', ExitStatus: 'x', ...posted },
        ]).deliveries[1]?.delivery.facts ?? {},
      ownFacts: ['timeZone', 'extra', 'notes'],
    },
  ],
  ['an agent', { facts: AgentFacts, wire: wireAgentFields, factsOf: agentFacts, ownFacts: ['extra'] }],
];

const originOf = (schema: z.ZodMiniObject, name: string): unknown => {
  const field = schema.shape[name];
  return field && z.globalRegistry.get(field)?.['origin'];
};

/** For each kind of field a value that makes a fact: a time, a duration, a link to another call, an unknown word, a link to a recording. */
const values = ['2026-11-20 11:00:00', '10', 'SkillTransfer-77~1001', 'Something new', 'https://r/1'];

describe.each(senders)('each fact of %s', (_what, { facts, wire, factsOf, ownFacts }) => {
  const names = Object.keys(facts.shape);
  // An E.164 form comes from the field of its number, and is made of the merged row.
  const originals = names.filter((name) => !ownFacts.includes(name));

  it('comes from a field of the sender, except for a few of our own', () => {
    for (const name of originals) expect(wire, name).toContain(originOf(facts, name));
    for (const name of ownFacts) expect(originOf(facts, name), name).toBeUndefined();
  });

  it.each(originals)('exists if its field has a value: %s', (name) => {
    const field = String(originOf(facts, name));
    const made = values.flatMap((value) => Object.keys(factsOf({ [field]: value })));

    expect(made).toContain(name.replace(/E164$/, ''));
  });
});

describe.each(senders.filter(([, { facts }]) => 'notes' in facts.shape))(
  'a note on %s',
  (_what, { facts, factsOf }) => {
    it('names a fact that comes from the field in question', () => {
      const names = Object.keys(facts.shape);
      for (const field of new Set(
        names.map((name) => originOf(facts, name)).filter((origin) => origin !== undefined),
      )) {
        const itsFacts = names.filter((name) => originOf(facts, name) === field);
        const noted = [...values, 'x'.repeat(600), { a: '1' }].flatMap((value) =>
          notesOf(factsOf({ [String(field)]: value })),
        );

        expect(noted, `${field}: an object in its place`).toContainEqual(
          expect.objectContaining({ reason: 'not-a-scalar' }),
        );
        for (const note of noted) expect([...itsFacts, 'callId'], String(field)).toContain(note.field);
      }
    });
  },
);

describe('each id in an event of a call', () => {
  const fields: readonly string[] = wireCallFields;

  it.each(Object.entries(callEvents))('comes from a field of the sender: %s', (_type, event) => {
    expect(fields).toContain(originOf(event, 'callId'));
    if ('leg' in event.shape) expect(fields).toContain(originOf(event, 'leg'));
  });
});
