import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asIndexed, indexNamed } from '../../contract/generate/as-indexed.ts';
import { rowSchemaPath } from '../../contract/generate/schema-files.ts';
import { type RowName, storedRows } from '../../contract/generate/stored-rows.ts';
import { unmarshalled } from '../../functions/adapters/marshalling.ts';
import { wireCallFields } from '../../lib/call-summary/wire.ts';
import { callsTable } from '../../lib/contract/tables.ts';
import { wireParticipantFields } from '../../lib/participant/wire.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { specificationSummary as summary } from '../fixtures/call-summaries.ts';
import { specificationParticipant as participant } from '../fixtures/participants.ts';
import { formOf } from '../support/http-api-event.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestTables } from '../support/sandbox-dynamodb.ts';
import { pollTwoDays } from '../support/two-days.ts';
import { faultsBy, writtenSchema } from './support/schema-checks.ts';

/** Which row of the page a row of a table is. */
const names: Readonly<Record<string, RowName>> = {
  call: 'Call',
  participant: 'CallParticipant',
  'agent-entry': 'ListedCall',
  agent: 'AgentNow',
  feed: 'FeedNow',
  interval: 'AgentStretch',
  floor: 'PastFloor',
  'feed-change': 'FeedChange',
};

/** Something that nobody understands in every field, so that every `…AsSent` is there; ids and the key are as they were. */
const odd = (fields: readonly string[], kept: object) => ({
  ...Object.fromEntries(fields.map((field) => [field, 'Something new'])),
  ...kept,
});

const posts = [
  [
    { ...summary, monitorUCID: '1', AgentID: 'a -> b', UUI: 'SkillTransfer-77~1001', Disposition: 'Sale' },
    { ...participant, UCID: '1' },
  ],
  [
    odd(wireCallFields, { monitorUCID: '2', Apikey: 'demo-key', UserName: 'demo', New: 'x' }),
    odd(wireParticipantFields, { UCID: '2', New: 'x' }),
  ],
  [{ ...summary, monitorUCID: '3', HoldDuration: '5', WrapUpDuration: '6', DataUniqueId: '7', UCID: '8', CallID: '9' }],
  [
    {
      ...summary,
      monitorUCID: '3',
      HoldDuration: '5',
      WrapUpDuration: '6',
      DataUniqueId: '7',
      UCID: '8',
      CallID: '9',
      Disposition: 'Sale',
      CallerConfAudioFile: 'https://r.example/c',
      TransferredTo: 'x',
    },
  ],
];

const found = new Map<RowName, Facts[]>();
const note = (name: RowName, row: Facts) => found.set(name, [...(found.get(name) ?? []), row]);

beforeAll(async () => {
  const receiver = await startReceiver();
  for (const post of posts)
    expect(await receiver.answer({ body: formOf(post) })).toMatchObject({ status: 200, quarantined: 0 });
  const calls = await receiver.calls();
  await receiver.stop();

  const tables = await startTestTables();
  const centre = await pollTwoDays(tables, 'demo');
  // Between two polls nobody is seen to log out: so an answer that comes to nothing leaves the reason behind.
  await centre.answer('html', 8);
  for (let polls = 0; polls < 4; polls++) await centre.poll();
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.tableNames.agents }));
  await centre.stop();
  await tables.stop();

  for (const row of [...calls, ...Items.map(unmarshalled)]) {
    const name = names[String(row['kind'])];
    expect(name, String(row['kind'])).toBeDefined();
    if (name === undefined) continue;
    note(name, row);
    if (name === 'Call') for (const index of callsTable.indexes) note('ListedCall', asIndexed(row, index));
    if (name === 'AgentNow') note('AgentInState', asIndexed(row, indexNamed('byState')));
  }
});

afterAll(() => found.clear());

/** What no row here has: the mark of a replay, and what only DynamoDB’s own readers see. */
const elsewhere: Readonly<Partial<Record<RowName, readonly string[]>>> = {
  Call: ['replayedAt'],
  CallParticipant: ['replayedAt'],
  FeedChange: ['replayedAt'],
};

describe.each(Object.entries(storedRows))('the row %s', (title, schema) => {
  const name = Object.values(names).find((one) => one === title) ?? 'AgentInState';
  const path = rowSchemaPath(name).slice('schemas/'.length, -'.schema.json'.length);
  const attributes = () => new Set((found.get(name) ?? []).flatMap((row) => Object.keys(row)));

  it('has no attribute that is not on the page', () => {
    expect(attributes().size).toBeGreaterThan(3);
    expect([...attributes()].filter((attribute) => !(attribute in schema.shape))).toEqual([]);
  });

  it('has every attribute that is on the page', () => {
    const missing = Object.keys(schema.shape).filter((attribute) => !attributes().has(attribute));

    expect(missing).toEqual(elsewhere[name] ?? []);
  });

  it('fits its JSON Schema, which has the same attributes', () => {
    expect(Object.keys(writtenSchema(path).properties)).toEqual(Object.keys(schema.shape));
    for (const row of found.get(name) ?? []) expect(faultsBy(path, row), JSON.stringify(row)).toEqual([]);
  });
});
